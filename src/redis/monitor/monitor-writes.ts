/** Hands the lines of a capture to the writes of the job that was asked for, call by call. */
import type { JobReading } from '../../model/asked-job.js';
import type { EvidenceEvent } from '../../model/event.js';
import type { Write } from '../../model/job-write.js';
import type { Effect, OwnEvent } from '../effects/effect.js';
import type { QueueNames } from '../effects/queue-names.js';
import { JobWrites } from '../job-writes/job-writes.js';
import type { MonitorLine } from './monitor-line.js';

export class MonitorWrites {
  readonly #writes: JobWrites;
  readonly #emit: (event: EvidenceEvent) => void;
  /** The last line of the call: what a script wrote is seen by others once it is over. */
  #last = { line: 0, offset: -1, t: 0 };

  constructor(asked: readonly JobReading[], names: QueueNames, emit: (event: EvidenceEvent) => void) {
    this.#writes = new JobWrites(asked, names);
    this.#emit = emit;
  }

  /** Takes a line of the call that is open, other than the call itself. */
  line(line: MonitorLine, number: number, offset: number): void {
    const place = { line: number, offset, t: line.t };
    this.#last = place;
    if (line.parse()) this.#writes.command(line, place);
    else this.#writes.cutCommand(line, place);
  }

  /** Ends the call. `isScript`: the lines were a script's, and none is missing. */
  settle(effects: readonly Effect[], isScript: boolean): void {
    this.#writes.settle(effects, isScript ? 'script' : 'client', (event) => this.#tell(event, this.#last.t));
  }

  /** Lines are missing behind the last line that was taken. */
  gap(what: string): void {
    this.#writes.remark({ op: 'gap', what }, this.#last, (event) => this.#tell(event, this.#last.t));
  }

  /** About the capture as a whole. */
  remark(write: Write): void {
    this.#writes.remark(write, { line: 0, offset: -1 }, (event) => this.#emit(event));
  }

  #tell(event: OwnEvent, ms: number): void {
    this.#emit({ ...event, t: ms, precision: 'us' });
  }
}
