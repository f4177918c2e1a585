/** Records by which a process tells that it is about to end, or has ended. */
import type { EventKind } from './event.js';

/** `signalled`: it was told to stop or began to close; `closed`: its worker is closed; `crashed`: an exception or exit line. */
export type EndSign = 'signalled' | 'closed' | 'crashed';

const END_SIGNS: Readonly<Partial<Record<EventKind, EndSign>>> = {
  'worker-signal': 'signalled',
  'worker-closing': 'signalled',
  'worker-closed': 'closed',
  'process-crashed': 'crashed',
  'process-ended': 'crashed',
};

/** Undefined for a record of another kind. */
export const endSignOf = (kind: EventKind): EndSign | undefined => END_SIGNS[kind];

/** Its worker is closing or closed; a process that crashes closes nothing. */
export const isClosing = (kind: EventKind): boolean => ['signalled', 'closed'].includes(endSignOf(kind) ?? '');

/** It is over: closed, crashed or ended. */
export const isOver = (kind: EventKind): boolean => ['closed', 'crashed'].includes(endSignOf(kind) ?? '');
