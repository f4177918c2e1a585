/** Skeletons of reports: what a reader's browser or Markdown renderer would build, without the words. */

const TAG = /<(\/?)([a-zA-Z!][^\s>/]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /([^\s=/]+)(?:="([^"]*)")?/g;
const TAGS = new Set(
  '!doctype a article body caption circle code dd desc div dl dt figcaption figure footer g h1 h2 h3 head header html li line main meta nav ol p path pre rect script section span strong style svg table tbody td text th thead title tr ul'.split(
    ' ',
  ),
);
const FREE_TEXT = new Set(['aria-label']);
/** Attributes whose value depends on how long a text is, and places in a chart. */
const VARYING = new Set([
  'class',
  'href',
  'id',
  'aria-labelledby',
  'x',
  'x1',
  'x2',
  'cx',
  'd',
  'width',
  'viewBox',
  'y',
]);

/** Every tag with its attributes in order. Throws on an element or attribute that no template of ours has. */
export function htmlSkeleton(html: string): string[] {
  const body = html
    .replace(/<style>[^<]*<\/style>/, '<style></style>')
    .replace(/<script>[\s\S]*?<\/script>\n<\/body>/, '<script></script>\n</body>');
  const tags: string[] = [];
  for (const [, slash = '', name = '', rest = ''] of body.matchAll(TAG)) {
    if (!TAGS.has(name)) throw new Error(`foreign element ${name}`);
    tags.push(`${slash}${name} ${attributes(rest).join(' ')}`);
  }
  const outside = body.replace(TAG, '');
  if (/[<>]/.test(outside)) throw new Error(`stray bracket: ${/.{0,40}[<>].{0,40}/.exec(outside)?.[0]}`);
  return tags;
}

function attributes(text: string): string[] {
  return [...text.matchAll(ATTRIBUTE)]
    .map(([, name = '', value = '']) => {
      if (/^on|^style$|^src/.test(name)) throw new Error(`foreign attribute ${name}`);
      if (name === 'href' && !/^#[\w-]+$/.test(value)) throw new Error(`foreign link ${value}`);
      if (name === 'class' && !/^[\w -]+$/.test(value)) throw new Error(`foreign class ${value}`);
      const varies = FREE_TEXT.has(name) || VARYING.has(name);
      return name === 'class' && value === 'long' ? '' : varies ? name : `${name}=${value}`;
    })
    .filter((attribute) => attribute !== '');
}

/** The info string of a fence holds no backtick, else the line is a code span (CommonMark 4.5). */
const OPENING = /^(`{3,})[^`]*$/;

/** One entry a line: its block marker and, for tables, its number of cells. Fences become their number of lines. */
export function markdownSkeleton(text: string): string[] {
  const shapes: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = OPENING.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark === fence && line === fence) fence = undefined;
      shapes.push('fenced');
    } else if (mark !== undefined) {
      fence = mark;
      shapes.push('fence');
    } else shapes.push(shapeOf(plain(line)));
  }
  if (fence !== undefined) throw new Error('a fence is not closed');
  // The chart's legend wraps by the width of names; its lines are inert inside of the fence.
  return shapes.filter((shape) => shape !== 'fenced');
}

function shapeOf(line: string): string {
  const marker = /^(#{1,6} |- |> |\|)/.exec(line)?.[1] ?? (line === '' ? 'blank' : 'text');
  const cells = line.startsWith('|') ? line.split('|').length : 0;
  const strong = line.split('**').length;
  return `${marker} ${cells} ${strong}`;
}

/** What is left of a line that could still be markup, once code and escapes are taken out. */
export function strayMarkup(text: string): string[] {
  let fence: string | undefined;
  return text.split('\n').filter((line) => {
    const mark = OPENING.exec(line)?.[1];
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      return false;
    }
    if (mark !== undefined) {
      fence = mark;
      return false;
    }
    const rest = plain(line);
    return (
      /[<`[\]~$]|https?:|www\.|javascript:|@\w|(?<!^)#\d|:(?:[+-]1|[\w+-]*[a-z][\w+-]*):/i.test(rest) ||
      /^(?: {4}|\t|\d+[.)] |[+*] |(?:[-=*_] *){3,}$)/.test(rest) ||
      (rest.includes('>') && !rest.startsWith('> '))
    );
  });
}

/** A line without escapes, entities and code spans, as CommonMark pairs backticks. */
function plain(line: string): string {
  let out = '';
  for (let at = 0; at < line.length; ) {
    const rest = line.slice(at);
    const escaped = /^(?:\\[!-/:-@[-`{-~]|&(?:lt|gt|amp);)/.exec(rest)?.[0];
    const ticks = /^`+/.exec(rest)?.[0];
    if (escaped !== undefined) {
      out += '\u0001';
      at += escaped.length;
    } else if (ticks !== undefined) {
      const close = new RegExp(`(?<!\`)${ticks}(?!\`)`).exec(rest.slice(ticks.length));
      if (close === null) {
        out += ticks;
        at += ticks.length;
      } else {
        // A pipe inside of code would still end a table cell.
        out += rest
          .slice(ticks.length, ticks.length + close.index)
          .replace(/[^|]/g, '\u0002')
          .slice(0, 1);
        if (rest.slice(ticks.length, ticks.length + close.index).includes('|')) out += '|';
        at += ticks.length * 2 + close.index;
      }
    } else {
      out += rest.charAt(0);
      at += 1;
    }
  }
  return out;
}
