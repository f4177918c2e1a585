/** Counts what was seen and keeps the records of the first few. */
import type { Step, StepKind } from '../model/analysis.js';
import type { StoredEvent } from '../model/stored.js';
import { momentOf, refOf } from '../story/moments.js';
import type { Scene } from '../story/scene.js';

const MOST_SHOWN = 3;

export class Tally {
  #count = 0;
  readonly #steps: Step[] = [];

  get count(): number {
    return this.#count;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** One more of its kind, with the records that show it. */
  add(steps: readonly (Step | undefined)[]): void {
    if (this.#count < MOST_SHOWN) this.#steps.push(...steps.filter((step) => step !== undefined));
    this.#count++;
  }
}

/** One record of the recording after the fix; undefined where there is none. */
export function stepOf(event: StoredEvent | undefined, kind: StepKind, text: string, scene: Scene): Step | undefined {
  if (event === undefined) return undefined;
  const worker = scene.workerOf(event)?.id;
  return { text, moment: momentOf(event, scene), kind, ref: refOf(event), ...(worker === undefined ? {} : { worker }) };
}
