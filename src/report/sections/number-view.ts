/** One number of the impact, as every output shows it. */
export interface NumberView {
  readonly label: string;
  readonly value: string;
  /** What the number is out of, or how it was counted. */
  readonly note: string;
  readonly alarming: boolean;
}
