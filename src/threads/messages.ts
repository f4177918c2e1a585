/** What the thread that holds the case file and a reading thread say to each other. */
import type { ReadOptions, ReadReport } from '../model/evidence.js';
import type { Parcel } from '../model/parcel.js';

export type ToReadingThread =
  /** Begins a source; what is left of the one before is forgotten. */
  | { readonly is: 'read'; readonly reader: string; readonly options: ReadOptions }
  | { readonly is: 'block'; readonly bytes: Uint8Array }
  | { readonly is: 'end' };

/** `parcels`: the rows made since the last message. Few messages: to wake a thread costs more than what is in one. */
export type FromReadingThread =
  /** A block was taken up: another one may come. */
  | { readonly is: 'next'; readonly parcels: readonly Parcel[] }
  | { readonly is: 'done'; readonly parcels: readonly Parcel[]; readonly report: ReadReport }
  | { readonly is: 'failed'; readonly error: Error };
