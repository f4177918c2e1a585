/** One source from bytes to evidence: entries, envelopes, records, words, events. */
import type { Config } from '../model/config.js';
import type { ClockKind, EvidenceEvent, Precision, ProcessIdentity } from '../model/event.js';
import type { Assumption, Blocks, Damage, EvidenceSink, ReadOptions, ReadReport } from '../model/evidence.js';
import { lineAt, placeBehind } from '../model/place.js';
import { createTimeReader, type TimeReader } from '../time/index.js';
import { type Assembled, createAssembler, MAX_RECORD_LINES, mayContinue } from './assemble.js';
import { cleanLine } from './clean-line.js';
import { readContinuation } from './continuation.js';
import { createUnwrap, envelopesIn, type Unwrap, type Unwrapped } from './envelopes/envelopes.js';
import { JSON_WRAPPERS } from './envelopes/json-wrapper.js';
import { chooseFrame } from './framing/choose-frame.js';
import { type Frame, many } from './framing/frame.js';
import { createIdentityBook } from './identity.js';
import { createOrderKeeper, isNewestFirst, type OrderKeeper } from './order.js';
import { ownString } from './own-string.js';
import { createPartJoiner } from './parts.js';
import type { Finding } from './phrases/finding.js';
import { readRecord } from './phrases/read-record.js';
import { createPlaceKeeper } from './place-records.js';
import { createPresenceBook } from './presence.js';
import { createShapeBook } from './shapes.js';
import { createKnownLines } from './stencils/known-lines.js';
import { createSuggestionBook } from './team/suggest.js';
import type { TeamWords } from './team/team-words.js';

/** The head decides what is taken for granted in the rest; its size is fixed, so that block borders change nothing. */
const HEAD_BYTES = 65_536;
const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const MAX_KEYS = 10_000;
const OPEN_OBJECT = 123;

export async function readSource(blocks: Blocks, sink: EvidenceSink, options: ReadOptions): Promise<ReadReport> {
  const damage: Damage[] = [];
  const time = timeReader(options, damage);
  const suggest = options.suggest === true;
  const team = options.config === undefined && !suggest ? undefined : await teamWords(options.config ?? {});
  const source = createSource(time, timeReader(options, []), sink, options.fileName, team, suggest);
  let head: Uint8Array[] = [];
  let headBytes = 0;
  for await (const block of blocks) {
    if (headBytes < HEAD_BYTES) {
      // A copy: the source of the blocks may use their memory again.
      head.push(Uint8Array.from(block));
      headBytes += block.byteLength;
      if (headBytes < HEAD_BYTES) continue;
      source.start(join(head));
      for (const held of head) source.push(held);
      head = [];
    } else source.push(block);
    await sink.settle();
  }
  if (headBytes < HEAD_BYTES) {
    source.start(join(head));
    for (const held of head) source.push(held);
  }
  await source.end();
  await sink.settle();
  return source.report(damage);
}

/** Loaded where there is a configuration: checking one takes libraries that reading does without. */
async function teamWords(config: Config): Promise<TeamWords> {
  const { createTeamWords } = await import('./team/team-words.js');
  return createTeamWords(config);
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES);
}

function timeReader(options: ReadOptions, damage: Damage[]): TimeReader {
  const modifiedMs = options.modifiedMs;
  const base = modifiedMs === undefined ? {} : { modifiedMs };
  if (options.assumeTz === undefined) return createTimeReader(base);
  try {
    return createTimeReader({ ...base, assumeTz: options.assumeTz });
  } catch (error) {
    damage.push({
      what: `${error instanceof Error ? error.message : String(error)}; times without a zone were read as UTC`,
    });
    return createTimeReader(base);
  }
}

/** @param trial reads the head of the source beforehand, and leaves no trace in `time`. */
function createSource(
  time: TimeReader,
  trial: TimeReader,
  sink: EvidenceSink,
  fileName: string,
  team?: TeamWords,
  suggest = false,
) {
  const identities = createIdentityBook();
  const presence = createPresenceBook((span) => sink.presence(span));
  const shapes = createShapeBook();
  const suggestions = suggest ? createSuggestionBook() : undefined;
  const formats = new Map<string, { count: number }>();
  /** Time of the last record with one: by stream, of the lines without an envelope, of all. */
  const lastTimes = new Map<string, number>();
  let unwrap: Unwrap = () => undefined;
  let frame: Frame | undefined;
  let lastWrapping: Unwrapped | undefined;
  let lastBareTime: number | undefined;
  let lastTime: number | undefined;
  let places = createPlaceKeeper(false);
  let order: OrderKeeper | undefined;
  let records = 0;
  let understood = 0;
  let skewed = 0;

  /** Off where a line may mean more than its own words: what a team says of its logs may look anywhere in it. */
  const knownLines = team === undefined ? createKnownLines({ time }) : undefined;
  let mayBeKnown = false;

  const assembler = createAssembler(team === undefined ? { time } : { time, team }, take);
  const parts = createPartJoiner((text, place, offset, wrapping) => {
    const clean = cleanLine(text);
    if (!clean.includes('\n')) return assembler.line(clean, place, offset, wrapping);
    // One entry of a store may hold a whole stack: its lines are put together like any others.
    for (const [n, piece] of clean.split('\n', MAX_RECORD_LINES).entries()) {
      const text = piece.endsWith('\r') ? piece.slice(0, -1) : piece;
      assembler.line(text, placeBehind(place, n), offset, wrapping);
    }
  });

  function entry(text: string, line: number, offset: number): void {
    if (takeKnown(text, line, offset)) return;
    const clean = cleanLine(text);
    const wrapping = unwrap(clean);
    const place = places.next(line, wrapping?.payload ?? '');
    if (wrapping === undefined) {
      bareLine(clean, place, offset);
      return;
    }
    for (const name of wrapping.names) count(name);
    if (wrapping.anyOrder) order?.entry(wrapping.payload, place, offset, wrapping);
    else {
      if (lastWrapping?.anyOrder) order?.flush();
      parts.line(wrapping.payload, place, offset, wrapping);
    }
    lastWrapping = wrapping;
  }

  /** Takes a line like one that was read before. False: it has to be read. */
  function takeKnown(text: string, line: number, offset: number): boolean {
    if (!mayBeKnown || text.charCodeAt(0) !== OPEN_OBJECT || lastWrapping !== undefined || assembler.isOpen())
      return false;
    const known = knownLines?.find(text);
    if (known === undefined) return false;
    const { t, precision } = known.time;
    const place = places.next(line, '');
    records++;
    understood++;
    count(known.format);
    const identity = identities.ofSame(known.fields);
    timed(identity, '', t, place);
    if (known.finding !== undefined)
      sink.event(toEvent(known.finding, place, offset, 'worker', t, precision, identity));
    return true;
  }

  function timed(identity: ProcessIdentity, key: string, t: number, place: number): void {
    presence.seen(identities.processOf(identity), t, place);
    lastTime = t;
    if (key === '') lastBareTime = t;
    else {
      if (lastTimes.size > MAX_KEYS) lastTimes.clear();
      lastTimes.set(key, t);
    }
  }

  function bareLine(text: string, place: number, offset: number): void {
    const around = lastWrapping?.firstLineOnly && mayContinue(text) ? lastWrapping : undefined;
    if (around?.anyOrder && order?.more(text)) return;
    if (lastWrapping?.anyOrder) order?.flush();
    lastWrapping = around;
    assembler.line(text, place, offset, around);
  }

  function count(name: string): void {
    const tally = formats.get(name);
    if (tally === undefined) formats.set(name, { count: 1 });
    else tally.count++;
  }

  function take(assembled: Assembled): void {
    const { record, wrapping, line } = assembled;
    records++;
    readContinuation(record, assembled.rest);
    const key = wrapping?.key ?? '';
    const wrapped = wrapping?.time;
    let clock: ClockKind = 'worker';
    if (wrapped && (record.t === undefined || isElsewhere(record.t - wrapped.t))) {
      if (record.t !== undefined) skewed++;
      if (wrapping.late) clock = 'shipper';
      record.t = wrapped.t;
      record.precision = wrapped.precision;
    }
    const identity = identities.of(record.fields, wrapping);
    if (record.t !== undefined) timed(identity, key, record.t, line);
    const findings = readRecord(record, team);
    const known = assembled.known || findings.length > 0;
    if (known) understood++;
    else shapes.add(assembled.first, lineAt(line));
    suggestions?.add(record, findings, lineAt(line));
    count(known && !assembled.known ? 'console' : record.format);
    const t = record.t ?? (key === '' ? lastBareTime : lastTimes.get(key)) ?? lastTime;
    const precision = record.t === undefined ? 'none' : record.precision;
    for (const finding of findings) sink.event(toEvent(finding, line, assembled.offset, clock, t, precision, identity));
    if (mayBeKnown && wrapping === undefined && assembled.rest.length === 0 && assembled.first.startsWith('{'))
      knownLines?.learn(assembled.first, record, findings);
  }

  function toEvent(
    { kind, job: id, queue, prefix, token, data }: Finding,
    line: number,
    offset: number,
    clock: ClockKind,
    t: number | undefined,
    precision: Precision,
    process: ProcessIdentity,
  ): EvidenceEvent {
    const job = id === undefined ? undefined : ownString(id);
    // The usual parts in one literal: events are made by the million.
    const event: { -readonly [K in keyof EvidenceEvent]: EvidenceEvent[K] } =
      t !== undefined && job !== undefined
        ? { kind, clock, t, precision, job, process, line, offset }
        : { kind, clock, precision, process, line, offset };
    if (t !== undefined && job === undefined) event.t = t;
    if (job !== undefined && t === undefined) event.job = job;
    if (queue !== undefined) event.queue = ownString(queue);
    if (data !== undefined) event.data = data;
    if (prefix !== undefined) event.prefix = ownString(prefix);
    if (token !== undefined) event.token = ownString(token);
    if (!hasAny(process)) delete event.process;
    return event;
  }

  return {
    start(head: Uint8Array): void {
      time.learnOrder(new TextDecoder().decode(head));
      const chosen = chooseFrame(head, fileName);
      const envelopes = envelopesIn(chosen.first);
      unwrap = createUnwrap(envelopes, time);
      const newestFirst = isNewestFirst(chosen.first, createUnwrap(envelopes, trial), trial);
      places = createPlaceKeeper(newestFirst);
      order = createOrderKeeper(newestFirst, parts.line);
      // A line of JSON may be another's wrapping here: only its reading tells.
      mayBeKnown = chosen.kind === 'lines' && !envelopes.some((envelope) => JSON_WRAPPERS.includes(envelope));
      frame = chosen.create(entry);
    },
    push: (block: Uint8Array) => frame?.push(block),
    async end(): Promise<void> {
      await frame?.end();
      order?.flush();
      parts.end();
      assembler.end();
      presence.end();
    },
    report(damage: Damage[]): ReadReport {
      damage.push(...(frame?.damage() ?? []));
      if (assembler.cut.records > 0) {
        damage.push({
          what: `${many(assembler.cut.records, 'record')} cut: too many continuation lines`,
          line: lineAt(assembler.cut.firstLine),
        });
      }
      if (identities.overflow > 0) {
        damage.push({
          what: `too many processes: ${many(identities.overflow, 'line')} were read as of an unknown one`,
        });
      }
      if (skewed > 0)
        damage.push({
          what: `${many(skewed, 'record')} a day or a whole number of quarter hours away from the transport's time: that one was used`,
        });
      const names = [...formats]
        .sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1))
        .map(([name]) => name);
      return {
        kind: records === 0 ? 'empty' : 'log',
        format: names.join('+'),
        reason: records === 0 ? 'has no lines' : `${understood} of ${many(records, 'record')} in a known format`,
        records,
        understood,
        damage,
        assumptions: assumptions(time),
        unknownShapes: shapes.top(),
        ...(suggestions && { suggestions: suggestions.top() }),
      };
    },
  };
}

/**
 * Whether a record's own time cannot be meant as it was read: a wrong date, or a zone that the text did not name, which
 * shows as a shift by quarter hours to the second.
 */
function isElsewhere(shiftMs: number): boolean {
  const size = Math.abs(shiftMs);
  if (size > DAY_MS) return true;
  const quarters = Math.round(size / QUARTER_MS);
  return quarters > 0 && Math.abs(size - quarters * QUARTER_MS) < 2000;
}

function assumptions(time: TimeReader): Assumption[] {
  return time.assumptions().map(({ name, value }) => ({ name, value }));
}

function hasAny({ host, pid, name, container }: ProcessIdentity): boolean {
  return host !== undefined || pid !== undefined || name !== undefined || container !== undefined;
}
