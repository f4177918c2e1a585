/** `bullmortem explain [boundary|cause]`: the table of boundaries and causes, in words. */
import { BOUNDARIES, type Boundary, CAUSES, type Cause } from '../model/boundaries.js';
import { EXIT, UsageError } from './exit-codes.js';

export function runExplain(name: string | undefined): number {
  if (name === undefined) {
    const rows = Object.entries(BOUNDARIES).map(([id, { means }]) => `  ${id.padEnd(16)} ${means}`);
    print([
      'Boundaries: where a job can break.',
      '',
      ...rows,
      '',
      'bullmortem explain NAME tells more; causes are listed with their boundary.',
    ]);
    return EXIT.done;
  }
  const id = idOf(name);
  if (Object.hasOwn(BOUNDARIES, id)) print(boundaryText(id as Boundary));
  else if (Object.hasOwn(CAUSES, id)) print(causeText(id as Cause));
  else
    throw new UsageError(`no boundary or cause is named ${JSON.stringify(name)}; run bullmortem explain for the list`);
  return EXIT.done;
}

/** Reports print titles, so a title is understood as well as a name. */
function idOf(name: string): string {
  const wanted = name.trim().toLowerCase();
  const titled = [...Object.entries(BOUNDARIES), ...Object.entries(CAUSES)].find(
    ([, { title }]) => title.toLowerCase() === wanted,
  );
  return titled?.[0] ?? wanted;
}

const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`);
};

function boundaryText(id: Boundary): string[] {
  const { title, means, tellTale } = BOUNDARIES[id];
  const causes = Object.entries(CAUSES).filter(([, cause]) => (cause.boundaries as readonly Boundary[]).includes(id));
  return [
    `${title} (${id})`,
    '',
    means,
    `Tell-tale: ${tellTale}`,
    '',
    'Causes:',
    ...causes.map(([cause, text]) => `  ${cause.padEnd(30)} ${text.means}`),
  ];
}

function causeText(id: Cause): string[] {
  const { title, boundaries, means, mustBeSeen, ruledOutBy } = CAUSES[id];
  return [
    `${title} (${id})`,
    '',
    means,
    `Boundaries: ${boundaries.join(', ')}`,
    ...(mustBeSeen ? [`Must be seen: ${mustBeSeen}`] : []),
    ...(ruledOutBy ? [`Ruled out by: ${ruledOutBy}`] : []),
  ];
}
