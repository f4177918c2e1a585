/** Commands of Redis by which a line of text is known to be a command, and how many words they need at least. */

/** Read by this tool: the words before the first argument, then the least number of arguments. */
const READ: Readonly<Record<string, number>> = {
  HGETALL: 1,
  HGET: 2,
  HMGET: 2,
  HEXISTS: 2,
  XRANGE: 3,
  XREVRANGE: 3,
  XREAD: 3,
  XINFO: 2,
  XLEN: 1,
  LRANGE: 3,
  LLEN: 1,
  LPOS: 2,
  SMEMBERS: 1,
  SCARD: 1,
  SISMEMBER: 2,
  ZRANGE: 3,
  ZREVRANGE: 3,
  ZRANGEBYSCORE: 3,
  ZREVRANGEBYSCORE: 3,
  ZSCORE: 2,
  ZRANK: 2,
  ZREVRANK: 2,
  ZCARD: 1,
  GET: 1,
  PTTL: 1,
  TTL: 1,
  PEXPIRETIME: 1,
  EXPIRETIME: 1,
  EXISTS: 1,
  TYPE: 1,
  SCAN: 1,
  KEYS: 1,
  INFO: 0,
  CLIENT: 1,
  CONFIG: 2,
  TIME: 0,
  ROLE: 0,
  LASTSAVE: 0,
  SLOWLOG: 1,
};

/** Others that people type at the same prompt. Their answers are passed over. */
const OTHERS: ReadonlySet<string> = new Set(
  (
    'PING ECHO SELECT AUTH HELLO DBSIZE SET SETEX DEL UNLINK EXPIRE PEXPIRE PERSIST MGET INCR STRLEN HKEYS HVALS HLEN ' +
    'HSET HDEL HSCAN SSCAN ZSCAN SADD SREM ZADD ZREM ZCOUNT LPUSH RPUSH LREM LINDEX XADD XDEL XTRIM OBJECT MEMORY ' +
    'LATENCY COMMAND MONITOR SUBSCRIBE EVAL EVALSHA SCRIPT FUNCTION CLUSTER ACL DEBUG MULTI EXEC DISCARD WATCH ' +
    'UNWATCH SAVE BGSAVE DUMP RESTORE RENAME FLUSHDB FLUSHALL QUIT EXIT WAIT SHUTDOWN'
  ).split(' '),
);

/** Whether the words are a command that this tool reads, with enough arguments. */
export function isReadCommand(words: readonly string[]): boolean {
  const least = commandOf(words[0], READ);
  return least !== undefined && words.length > least;
}

export function isKnownCommand(words: readonly string[]): boolean {
  return isReadCommand(words) || OTHERS.has((words[0] ?? '').toUpperCase());
}

/** Whether the words can only be meant as a command, even without a prompt before them: a read of a key with a colon. */
export function isPlainlyCommand(words: readonly string[]): boolean {
  const name = words[0] ?? '';
  // `Get` begins a sentence.
  if (!isReadCommand(words) || !/^(?:[A-Z]+|[a-z]+)$/.test(name)) return false;
  if (words.length > 1 && words.slice(1).some((word) => /^[^\s:]+:[^\s:]/.test(word))) return true;
  return (
    /^(?:INFO|TIME|LASTSAVE)$/.test(name) ||
    /^(?:CLIENT LIST|CONFIG GET|SLOWLOG GET)\b/.test(words.slice(0, 2).join(' '))
  );
}

function commandOf(name: string | undefined, table: Readonly<Record<string, number>>): number | undefined {
  const upper = (name ?? '').toUpperCase();
  return Object.hasOwn(table, upper) ? table[upper] : undefined;
}
