/** What a syslog header calls the writer: `node[4242]` is a process of the host; `app/worker.2` and `app[worker.2]` are dynos. */
export function program(
  name: string | undefined,
  pid: string | undefined,
): { readonly pid?: number; readonly container?: string } {
  if (pid !== undefined && /^\d{1,10}$/.test(pid)) return { pid: Number(pid) };
  if (pid !== undefined) return { container: pid };
  const dyno = /^(?:app|heroku)\/(.+)$/.exec(name ?? '')?.[1];
  return dyno === undefined ? {} : { container: dyno };
}
