/** The source reader for captures of MONITOR. */

import type { EvidenceEvent } from '../../model/event.js';
import type { Damage, EvidenceSink, ReadOptions, ReadReport, SourceReader } from '../../model/evidence.js';
import { CustomEvents } from '../custom-events.js';
import { Judge } from '../effects/judge.js';
import { QueueNames } from '../effects/queue-names.js';
import type { Timed, Untimed } from '../effects/record.js';
import { ByteWindow } from '../rdb/window.js';
import { MonitorCalls } from './calls.js';
import { LineFeed } from './line-feed.js';
import { MonitorLine } from './monitor-line.js';
import { MonitorWrites } from './monitor-writes.js';
import { Refusals } from './refusals.js';
import { UnknownLines } from './unknown-lines.js';

const SHAPE = /^\+?\d{10}\.\d{6} \[\d+ [^\r\n"]{1,256}\] "/gm;
const OK = /^\+?OK\r?$/;

/** Reads one capture into the sink. */
class MonitorReading {
  readonly #sink: EvidenceSink;
  readonly #line = new MonitorLine();
  readonly #names: QueueNames;
  readonly #judge: Judge;
  readonly #calls: MonitorCalls;
  readonly #custom = new CustomEvents();
  readonly #unknown = new UnknownLines();
  readonly #damage: Damage[] = [];
  #understood = 0;
  #records = 0;
  #fromMs: number | undefined;
  #toMs = 0;

  readonly #writes: MonitorWrites | undefined;

  constructor(sink: EvidenceSink, { prefix, askedJob }: ReadOptions) {
    this.#sink = sink;
    const names = new QueueNames(prefix);
    this.#names = names;
    this.#judge = new Judge(
      names,
      (record) => this.#tell(timed(record)),
      (name, seq) => this.#custom.count(name, seq),
    );
    const refusals = new Refusals(names, this.#judge.locks, (event) => this.#tell(event));
    this.#writes = askedJob && new MonitorWrites(askedJob, names, (event) => sink.event(event));
    this.#calls = new MonitorCalls(names, this.#judge, refusals, this.#writes);
  }

  async read(input: ByteWindow): Promise<ReadReport> {
    const feed = new LineFeed(input);
    do {
      while (feed.next()) this.#take(input.bytes, feed);
      await this.#sink.settle();
    } while (await input.fill());
    if (feed.last()) this.#takeLast(input.bytes, feed);
    // The capture may have been stopped in the middle of a script.
    this.#calls.close(false);
    this.#writes?.remark({ op: 'asked', from: 'rest' });
    if (feed.cutLines > 0) this.#damage.push({ what: `${feed.cutLines} very long lines were read in part` });
    if (input.sourceError !== undefined) {
      this.#damage.push({ what: `the source broke off: ${input.sourceError}`, offset: input.offset });
    }
    for (const fact of this.#judge.lifetimes.facts()) this.#sink.fact(fact);
    for (const fact of this.#judge.clocks.facts()) this.#sink.fact(fact);
    return this.#report(feed.count);
  }

  #tell(event: EvidenceEvent): void {
    this.#records++;
    this.#sink.event(event);
  }

  #take(bytes: Buffer, feed: LineFeed): void {
    const { from, to, offset, count } = feed;
    if (this.#line.take(bytes, from, to)) {
      this.#understood++;
      this.#toMs = this.#line.t;
      this.#fromMs ??= this.#toMs;
      this.#calls.take(this.#line, from, to, count, offset);
      return;
    }
    const text = bytes.toString('latin1', from, Math.min(to, from + 200));
    // Where the capture was begun anew (a second OK), or a line is broken, the script before it may lack lines.
    if (text.trim() !== '') {
      this.#calls.close(false);
      if (this.#fromMs !== undefined) this.#writes?.gap('lines of the capture');
    }
    if (OK.test(text) || text.trim() === '') this.#understood++;
    else this.#unknown.count(text, count);
  }

  /** A last line without its end is used only if it is whole as far as it goes. */
  #takeLast(bytes: Buffer, feed: LineFeed): void {
    const { from, to, offset, count } = feed;
    if (this.#line.take(bytes, from, to) && !this.#line.parse()) {
      this.#damage.push({ what: 'the last line is cut off', line: count, offset });
      return;
    }
    this.#take(bytes, feed);
  }

  #report(lines: number): ReadReport {
    return {
      kind: 'redis',
      format: 'monitor',
      reason: `lines of MONITOR; ${this.#records} records of queues`,
      records: lines,
      understood: this.#understood,
      damage: this.#damage,
      limits: this.#names.gate.limits(),
      assumptions: [],
      ...(this.#fromMs === undefined ? {} : { windowMs: [this.#fromMs, this.#toMs] as const }),
      unknownShapes: [...this.#unknown.shapes(), ...this.#custom.shapes()].slice(0, 20),
    };
  }
}

/** Every line has its time. An entry's id is not shown: its ms stands for it. */
function timed(record: Timed | Untimed): EvidenceEvent {
  if ('entry' in record) return record.entry;
  const { event, place } = record;
  if (place.t !== undefined) event.t = place.t;
  event.precision = 'us';
  return event;
}

export const monitorReader: SourceReader = {
  name: 'monitor',
  detect(head) {
    const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
    const lines = text.match(SHAPE)?.length ?? 0;
    if (lines === 0) return undefined;
    // The text of a script can fill all that is looked at.
    const isStart = OK.test(text.split('\n', 1)[0] ?? '');
    if (lines < 2 && !isStart) return undefined;
    return {
      format: 'monitor',
      score: 0.95,
      reason: `${lines} lines of the form seconds.micros [db client] "command", as MONITOR prints them`,
    };
  },
  read: (blocks, sink, options) => new MonitorReading(sink, options).read(new ByteWindow(blocks)),
};
