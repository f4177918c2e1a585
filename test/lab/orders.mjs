/** What a scenario can have a process do while it runs: one JSON object a line on its stdin. */
import { createInterface } from 'node:readline';

/** `handlers[order.do](order)` for each order. The end of the harness is the end of the process. */
export function obey(handlers) {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const order = JSON.parse(line);
      handlers[order.do](order);
    })
    .on('close', () => process.exit(0));
}
