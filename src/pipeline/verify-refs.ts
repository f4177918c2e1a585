/** What an analysis cites, and where it says so. */
import { type Analysis, type Ref, refSchema } from '../model/analysis.js';

export interface Citation {
  readonly ref: Ref;
  /** `F-1 witness 3`. */
  readonly where: string;
  /** What the analysis says of the record, where it has words for it. */
  readonly says?: string;
}

const REF_NAMES: ReadonlySet<string> = new Set(Object.keys(refSchema.shape));

const isRef = (value: object): value is Ref =>
  'source' in value && typeof value.source === 'string' && Object.keys(value).every((name) => REF_NAMES.has(name));

/** Every reference of `value`, in its order. */
export function citationsOf(value: Partial<Analysis>): Citation[] {
  const found: Citation[] = [];
  const walk = (inner: unknown, path: readonly string[], says: string | undefined): void => {
    if (typeof inner !== 'object' || inner === null) return;
    if (Array.isArray(inner)) {
      for (const [n, one] of inner.entries()) walk(one, [...path, nameOf(path, one, n)], says);
      return;
    }
    if (isRef(inner)) {
      found.push({ ref: inner, where: path.join(' '), ...(says === undefined ? {} : { says }) });
      return;
    }
    const text = 'text' in inner && typeof inner.text === 'string' ? inner.text : says;
    for (const [name, one] of Object.entries(inner)) walk(one, isPlain(name) ? path : [...path, name], text);
  };
  walk(value, [], undefined);
  return found;
}

/** Names that tell a reader nothing. */
const isPlain = (name: string): boolean => ['ref', 'refs', 'findings', 'stories', 'hypotheses'].includes(name);

function nameOf(path: readonly string[], one: unknown, n: number): string {
  if (typeof one !== 'object' || one === null) return `${n + 1}`;
  if (path.length === 0 && 'boundary' in one) return `F-${n + 1}`;
  if ('timeline' in one && 'id' in one) return `job ${String(one.id)}`;
  if ('cause' in one && 'against' in one) return `hypothesis ${String(one.cause)}`;
  return `${n + 1}`;
}
