import { definePhrases } from './define-phrases.js';

/** The connection to Redis, and what Redis refused. Texts of ioredis 4 and 5 and of Redis' own error replies. */
export const redisLink = definePhrases({
  name: 'redis-link',
  mark: /redis|econn|etimedout|enotfound|epipe|ehostunreach|connection|unblocked|oom command|readonly|misconf|loading|clusterdown|noscript|maxmemory|max number of clients|tryagain|max ?retries|stream isn|masterdown|status\[/,
  phrases: [
    {
      kind: 'redis-refused',
      on: 'as-written',
      says: /\boom command not allowed\b|\breadonly you can't write\b|\bmisconf redis\b|\bloading redis is loading\b|\bclusterdown\b|\bmasterdown\b|\bmax number of clients reached\b|\bnoreplicas\b|\bnoperm\b|\bnoauth\b|\bwrongpass\b|\bbusy redis is busy\b|\bcommand not allowed when used memory\b|\bredis is loading the dataset\b/,
    },
    {
      kind: 'redis-lost',
      on: 'as-written',
      says: /\bunblocked force unblock\b|\bconnection is closed\b|\bstream isn't writeable\b|\bmaxretriesperrequest\b|\bmax retries per request\b|\bfailed to refresh slots cache\b|\bioredis\b.{0,80}-> (?:close|end|reconnecting)\b|\bstatus\[[^\]]{0,80}\].{0,40}-> (?:close|end|reconnecting)\b/,
    },
    {
      kind: 'redis-lost',
      on: 'as-written',
      says: /\b(?:econnreset|econnrefused|etimedout|enotfound|epipe|ehostunreach|enetunreach|eai_again|econnaborted)\b/,
    },
    {
      kind: 'redis-lost',
      on: 'as-written',
      says: /\bredis\b.{0,60}\b(?:connection |client |link |socket )?(?:error|lost|closed|dropped|refused|unreachable|disconnected|timed out|timeout|down|unavailable|reconnecting|ended|went away)\b|\b(?:lost|no|closed|dropped|broken)(?: the| a)? (?:connection|link) (?:to|with) redis\b|\b(?:disconnected|disconnecting|reconnecting|cannot connect|can't connect|could not connect|failed to connect|unable to connect)(?: (?:from|to|with))? redis\b/,
      unless: /\bredis\b.{0,40}\b(?:reconnected|restored|is ready|re-established|recovered)\b/,
    },
    {
      kind: 'redis-back',
      says: /\bredis\b.{0,60}\b(?:reconnected|re-?connect(?:ed)?|restored|ready|recovered|re-?established|connected|is back|back online|available again)\b|\b(?:reconnected|connected|connection (?:re-?established|restored))(?: (?:to|with|from))? redis\b|\bconnection to redis (?:was |is |has been )?(?:re-?established|restored|ready)\b|\bstatus\[[^\]]{0,80}\].{0,40}-> ready\b/,
    },
  ],
});

/** Codes of the network alone do not say whose connection it was; these words do, or the absence of any other subject. */
export const NETWORK_CODE =
  /\b(?:econnreset|econnrefused|etimedout|enotfound|epipe|ehostunreach|enetunreach|eai_again|econnaborted)\b/;
export const REDIS_WORDS = /redis|bull|worker|queue|:6379\b|:6380\b|:26379\b|\bblocking\b|\bvalkey\b|sentinel/;
