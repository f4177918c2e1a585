/**
 * Reports as the programs read them that people open them with: Markdown through a parser of GitHub's grammar, HTML through a
 * browser's. What evidence wrote may come out as text and as code, and as nothing else.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { type Analysis, analysisSchema, type Ref } from '../../src/model/analysis.js';
import { renderHtml, renderMarkdown } from '../../src/report/index.js';
import { ROOT } from '../project/tree.js';
import { hostile, PAYLOADS } from './fixtures/hostile.js';
import { FIXTURES, fixture } from './fixtures/load.js';

const incidents = join(ROOT, 'samples/incidents');
const SAMPLES = readdirSync(incidents).sort();
const NAMES = [...FIXTURES, ...SAMPLES];

const load = (name: string): Analysis =>
  SAMPLES.includes(name)
    ? analysisSchema.parse(JSON.parse(readFileSync(join(incidents, name, 'expected.json'), 'utf8')))
    : fixture(name as (typeof FIXTURES)[number]);

/** Every payload stands in every kind of place over these turns. */
const TURNS = [0, 13, 26, 39, 52].filter((turn) => turn < PAYLOADS.length);

describe('Markdown', () => {
  const INERT = new Set(
    'root heading paragraph text strong emphasis inlineCode code list listItem blockquote table tableRow tableCell'.split(
      ' ',
    ),
  );
  const treeOf = (text: string): Nodes =>
    fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const childrenOf = (node: Nodes): readonly Nodes[] => ('children' in node ? node.children : []);
  const all = (node: Nodes): Nodes[] => [node, ...childrenOf(node).flatMap(all)];
  /** Blocks without the words in them. */
  const blocks = (node: Nodes): unknown =>
    node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell'
      ? node.type
      : [node.type, ...childrenOf(node).map(blocks)];

  it.each(NAMES)('%s: text and code only, and every reference is one of the analysis', (name) => {
    const analysis = load(name);
    const tree = treeOf(renderMarkdown(analysis));
    expect(all(tree).filter(({ type }) => !INERT.has(type))).toEqual([]);
    const paths = new Map(analysis.sources.map(({ id, path }) => [id, path]));
    const known = new Set(refsOf(analysis).map((ref) => refText(ref, paths.get(ref.source) ?? ref.source)));
    const cited = citedIn(tree);
    if (analysis.findings.length > 0) expect(cited.length).toBeGreaterThan(5);
    for (const reference of cited) expect(known).toContain(reference);
  });

  it.each(NAMES.flatMap((name) => TURNS.map((turn) => [name, turn] as const)))(
    '%s, poisoned (turn %i), has the very blocks of the clean one',
    (name, turn) => {
      const clean = load(name);
      const tree = treeOf(renderMarkdown(hostile(clean, turn, { times: false })));
      expect([...new Set(all(tree).map(({ type }) => type))].filter((type) => !INERT.has(type))).toEqual([]);
      expect(blocks(tree)).toEqual(blocks(treeOf(renderMarkdown(clean))));
    },
  );

  function refsOf(value: unknown): Ref[] {
    if (typeof value !== 'object' || value === null) return [];
    const own = 'source' in value && typeof value.source === 'string' ? [{ ...value, source: value.source }] : [];
    return [...own, ...Object.values(value).flatMap(refsOf)];
  }
  /** As reports write a reference; written again here, so that a change of it is seen. */
  function refText({ line, entry, key, offset }: Ref, path: string): string {
    if (line !== undefined) return `${path}:${line}`;
    if (entry !== undefined) return `${path} @ ${entry}`;
    if (key !== undefined) return `${path} ${key}`;
    return offset === undefined ? path : `${path} +${offset}`;
  }
  /** The code in the last column of tables that call it a reference. */
  function citedIn(tree: Nodes): string[] {
    return all(tree)
      .filter((node) => node.type === 'table')
      .flatMap(({ children: [head, ...rows] }) => {
        const last = head?.children.at(-1);
        if (last === undefined || !/^References?$/.test(words(last))) return [];
        return rows.flatMap((row) =>
          row.children
            .slice(head?.children.length === row.children.length ? -1 : row.children.length)
            .flatMap((cell) => codes(cell)),
        );
      });
  }
  const words = (node: Nodes): string => ('value' in node ? node.value : childrenOf(node).map(words).join(''));
  const codes = (node: Nodes): string[] => {
    // A pipe splits code in a table; its pieces are one reference.
    const whole = words(node);
    return all(node).some(({ type }) => type === 'inlineCode')
      ? whole.split(', ').filter((one) => !/ and \d+ more$/.test(one))
      : [];
  };
});

describe('HTML', () => {
  type Node = DefaultTreeAdapterMap['node'];
  type Element = DefaultTreeAdapterMap['element'];
  const isElement = (node: Node): node is Element => 'tagName' in node;
  const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : []);
  const all = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(all)];
  function elementsOf(html: string): { elements: Element[]; errors: string[]; comments: number } {
    const errors: string[] = [];
    const nodes = all(parse(html, { onParseError: ({ code }) => errors.push(code) }));
    return {
      elements: nodes.filter(isElement),
      errors,
      comments: nodes.filter(({ nodeName }) => nodeName === '#comment').length,
    };
  }
  const ATTRIBUTES = new Set(
    (
      'aria-hidden aria-label aria-labelledby charset class colspan content cx cy d height href http-equiv id lang name r role rx scope ' +
      'tabindex text-anchor transform viewBox width x x1 x2 y y1 y2'
    ).split(' '),
  );
  /** The only attribute that says what evidence says: to those who hear the page. */
  const SPOKEN = 'aria-label';

  it.each(NAMES.flatMap((name) => TURNS.map((turn) => [name, turn] as const)))(
    '%s, poisoned (turn %i): no element, attribute or address of evidence',
    (name, turn) => {
      const clean = load(name);
      const known = new Set(elementsOf(renderHtml(clean)).elements.map(({ tagName }) => tagName));
      const { elements, errors, comments } = elementsOf(renderHtml(hostile(clean, turn, { times: false })));
      expect(errors).toEqual([]);
      expect(comments).toBe(0);
      for (const { tagName, attrs } of elements) {
        expect([...known]).toContain(tagName);
        for (const { name: attribute, value } of attrs) {
          expect([...ATTRIBUTES]).toContain(attribute);
          if (attribute === 'href') expect(value).toMatch(/^#[a-z][\w-]*$/i);
          else if (attribute !== SPOKEN && attribute !== 'content')
            expect(value).not.toMatch(/[<>"'`{}]|evil|alert|javascript/);
        }
      }
      // One script and one style sheet, both ours.
      const count = (tag: string): number => elements.filter(({ tagName }) => tagName === tag).length;
      expect([count('script'), count('style'), count('iframe'), count('img'), count('object')]).toEqual([
        1, 1, 0, 0, 0,
      ]);
    },
  );

  it.each(NAMES)('%s: ids are each one of a kind, and every link has its target', (name) => {
    const { elements } = elementsOf(renderHtml(load(name)));
    const values = (wanted: string): string[] =>
      elements.flatMap(({ attrs }) =>
        attrs.flatMap(({ name: attribute, value }) => (attribute === wanted ? [value] : [])),
      );
    const ids = values('id');
    expect(ids.length).toBe(new Set(ids).size);
    for (const href of values('href')) expect(ids).toContain(href.slice(1));
    for (const label of values('aria-labelledby')) for (const id of label.split(' ')) expect(ids).toContain(id);
  });
});
