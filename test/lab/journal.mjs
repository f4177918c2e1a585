/** Everything told by workers and by the harness, in order of arrival, and a way to wait for something to be told. */
export function createJournal(patienceMs) {
  const raw = [];
  const waiting = new Set();
  const write = (record) => {
    raw.push(record);
    for (const check of waiting) check();
  };
  return {
    raw,
    write,
    /** What the harness itself did. */
    note: (k, about = {}) => write({ t: Date.now(), harness: true, k, ...about }),
    /** First record that fits. Rejects after a while, so that a scenario that went wrong ends. */
    when(what, fits) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`waited ${patienceMs} ms for ${what}`));
        }, patienceMs);
        const check = () => {
          const record = raw.find(fits);
          if (record === undefined) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(record);
        };
        waiting.add(check);
        check();
      });
    },
  };
}
