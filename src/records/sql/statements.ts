/** What the beginning of a statement of a SQL dump says: which table, which columns, and which of them are unique. */

export interface RowsOf {
  readonly table: string;
  /** Absent: those of the table, in its order. */
  readonly columns?: readonly string[];
}

const NAME = '(?:[`"\\[]?[\\w$-]+[`"\\]]?\\s*\\.\\s*){0,2}[`"\\[]?[\\w$-]+[`"\\]]?';
const COPY = new RegExp(`^COPY\\s+(${NAME})\\s*(?:\\(([^)]*)\\))?\\s*FROM\\s+stdin[^;\\n]*;[^\\n]*\\n`, 'i');
const INSERT = new RegExp(
  `^(?:INSERT|REPLACE)\\s+(?:IGNORE\\s+)?INTO\\s+(${NAME})\\s*(?:\\(([^)]*)\\))?\\s*(?:OVERRIDING\\s+\\w+\\s+VALUE\\s+)?VALUES\\s*`,
  'i',
);
const CREATE = new RegExp(`^CREATE\\s+(?:\\w+\\s+)?TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(${NAME})\\s*\\(`, 'i');
const ALTER = new RegExp(`^ALTER\\s+TABLE\\s+(?:ONLY\\s+)?(${NAME})\\s`, 'i');
const INDEX = new RegExp(`^CREATE\\s+UNIQUE\\s+INDEX\\b.*?\\bON\\s+(?:ONLY\\s+)?(${NAME})\\s[^(]*\\(([^)]*)\\)`, 'is');
const UNIQUE = /\b(?:PRIMARY\s+KEY|UNIQUE(?:\s+(?:KEY|INDEX))?)(?:\s+[`"[]?[\w$-]+[`"\]]?)?\s*\(([^)]*)\)/gi;
const NOT_A_COLUMN = /^(?:CONSTRAINT|PRIMARY|UNIQUE|KEY|INDEX|FOREIGN|CHECK|EXCLUDE|FULLTEXT|SPATIAL|LIKE)\b/i;

/** The last part of a name, without its quotes. */
export const bareName = (name: string): string => {
  const [, last = name] = /[`"[]?([\w$-]+)[`"\]]?\s*$/.exec(name) ?? [];
  return last;
};

const namesIn = (list: string): string[] => list.split(',').map((one) => bareName(one.trim().replace(/\(\d+\)$/, '')));

function rowsOf(match: RegExpExecArray | null): { rows: RowsOf; length: number } | undefined {
  if (match === null) return undefined;
  const [whole, table = '', list] = match;
  return {
    rows: { table: bareName(table), ...(list === undefined ? {} : { columns: namesIn(list) }) },
    length: whole.length,
  };
}

/** Both with the length of what was read: rows follow behind it. */
export const copyOf = (text: string) => rowsOf(COPY.exec(text));
export const insertOf = (text: string) => rowsOf(INSERT.exec(text));

/** What a statement says about a table itself. */
export interface TableSays {
  readonly table: string;
  readonly columns?: readonly string[];
  readonly unique: readonly (readonly string[])[];
}

export function tableSays(statement: string): TableSays | undefined {
  const created = CREATE.exec(statement);
  if (created !== null) {
    const body = statement.slice(created[0].length);
    const parts = splitTopLevel(body);
    const columns = parts.filter((part) => !NOT_A_COLUMN.test(part));
    const alone = columns
      .filter((part) => /\b(?:PRIMARY\s+KEY|UNIQUE)\b/i.test(part))
      .map((part) => [columnName(part)]);
    return {
      table: bareName(created[1] ?? ''),
      columns: columns.map(columnName),
      unique: [...alone, ...uniqueIn(body)],
    };
  }
  const altered = ALTER.exec(statement);
  if (altered !== null) return { table: bareName(altered[1] ?? ''), unique: uniqueIn(statement) };
  const index = INDEX.exec(statement);
  return index === null ? undefined : { table: bareName(index[1] ?? ''), unique: [namesIn(index[2] ?? '')] };
}

const uniqueIn = (text: string): string[][] => [...text.matchAll(UNIQUE)].map(([, list = '']) => namesIn(list));
const columnName = (part: string): string => bareName(/^\s*\S+/.exec(part)?.[0] ?? '');

/** Parts of a list between commas, those within brackets or quotes left alone, up to the bracket that closes the list. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === "'" || letter === '"' || letter === '`') quote = letter;
    else if (letter === '(') depth++;
    else if (letter === ')' && depth-- === 0) {
      parts.push(text.slice(start, at));
      break;
    } else if (letter === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
