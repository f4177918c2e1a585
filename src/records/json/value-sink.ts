/** What the readers of JSON give: each value with its place, and what could not be read. */
export type OnValue = (value: unknown, line: number, offset: number) => void;
export type OnFault = (what: string, line: number, offset: number) => void;
