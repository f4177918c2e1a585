/**
 * The network between one process and Redis, as a TCP proxy on the loopback interface: it can be cut, a request can be late,
 * a reply can be lost, and the connection that waits for jobs can hang.
 */
import net from 'node:net';

const HOST = '127.0.0.1';

export async function startProxy(redisPort) {
  const links = new Set();
  let lateRequest;
  let lostReply;
  let hangsWaiting = false;
  let onHang = () => {};

  function open(client) {
    const redis = net.connect(redisPort, HOST);
    const link = { client, redis, held: undefined, mute: false };
    links.add(link);
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (hangsWaiting && /\r\nbzpopmin\r\n/i.test(text)) {
        link.mute = true;
        onHang();
      }
      if (lateRequest?.fits(text)) {
        link.held = [];
        lateRequest.seen();
        lateRequest = undefined;
      }
      if (lostReply?.fits(text)) {
        link.mute = true;
        redis.write(chunk);
        lostReply.seen(link);
        lostReply = undefined;
      } else if (link.held) link.held.push(chunk);
      else if (!(link.mute && hangsWaiting)) redis.write(chunk);
    });
    redis.on('data', (chunk) => {
      if (!link.mute && !client.destroyed) client.write(chunk);
    });
    const end = () => {
      // A request on its way arrives even when its sender has hung up.
      if (link.held) return;
      links.delete(link);
      client.destroy();
      redis.destroy();
    };
    for (const socket of [client, redis]) socket.on('error', () => {}).on('close', end);
  }

  const server = net.createServer(open);
  const listen = (port) => new Promise((resolve) => server.listen(port, HOST, resolve));
  await listen(0);
  const { port } = server.address();
  const breakLinks = () => {
    for (const { client, redis } of links) {
      client.destroy();
      redis.destroy();
    }
  };
  const first = (fits, arm) => new Promise((resolve) => arm({ fits, seen: resolve }));

  return {
    port,
    /** Every connection breaks, and new ones are refused. */
    cut() {
      server.close();
      breakLinks();
    },
    restore: () => listen(port),
    breakLinks,
    /** Holds the first request that fits, and all after it on that connection. Resolves when it is there. */
    holdRequest: (fits) =>
      first(fits, (armed) => {
        lateRequest = armed;
      }),
    /** What was held reaches Redis. */
    letGo() {
      for (const link of links) {
        for (const chunk of link.held ?? []) link.redis.write(chunk);
        link.held = undefined;
      }
    },
    /** Redis executes the first request that fits, and its reply and all later ones never arrive. */
    loseReply: (fits) =>
      first(fits, (armed) => {
        lostReply = armed;
      }),
    /**
     * From its next wait for a job on, the connection that waits hears nothing more, and neither do its successors.
     * Resolves when it hangs. Since 5.81 and 6.7 a watchdog of the worker fetches once all the same, 6 s later.
     */
    hangWaiting: () =>
      new Promise((resolve) => {
        hangsWaiting = true;
        onHang = resolve;
      }),
    close() {
      server.close();
      breakLinks();
    },
  };
}
