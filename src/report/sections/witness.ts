/**
 * A witness told as a proof: let this be so, then that followed, however this contradicts it.
 *
 * The form is Elle's: the records first, in order, each with the reason it stands after the one before; the last record is
 * the one that could not be, had the job's path been whole.
 */
import type { Step, StepKind } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';

export interface StepView {
  /** `Let`, `Then`, `However`. */
  readonly lead: string;
  readonly text: string;
  /** Why it stands where it stands: `same clock`, `order in Redis`. */
  readonly reason: string;
  readonly time: string;
  readonly reference: string;
  /** How the record begins, verbatim; '' unless that was asked for. */
  readonly quote: string;
}

const REASONS: Readonly<Record<StepKind, string>> = {
  'same-clock': 'same clock',
  'redis-order': 'order in Redis',
  lock: 'life of the lock',
  attempt: 'attempt counter',
  sweep: 'stalled sweep',
  handoff: 'handed over',
  state: 'recorded state',
  silence: 'silence of the process',
};

export function witnessSteps(steps: readonly Step[], context: ReportContext): StepView[] {
  return steps.map((step, index) => ({ ...consequence(step, context), lead: leadWord(index, steps.length) }));
}

/** Steps that followed from the failure: the same form without a place in the proof. */
export function consequenceSteps(steps: readonly Step[], context: ReportContext): StepView[] {
  return steps.map((step) => consequence(step, context));
}

function consequence(step: Step, context: ReportContext): StepView {
  return {
    lead: '',
    text: step.text,
    reason: REASONS[step.kind],
    time: step.moment.at === undefined && step.moment.redisMs === undefined ? '' : context.clock.dateTime(step.moment),
    reference: context.ref(step.ref),
    quote: step.ref.quote ?? '',
  };
}

function leadWord(index: number, count: number): string {
  if (index === 0) return 'Let';
  return index === count - 1 ? 'However' : 'Then';
}
