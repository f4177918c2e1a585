# Look through this script before you run it, then:
#
#   sh collect.sh [FOLDER]          FOLDER is bullmortem-evidence where none is given
#   bullmortem analyze FOLDER
#
# It changes no key: every command below reads. It asks Redis alone and writes into FOLDER alone. Ranges have a limit, KEYS is not
# used, and MONITOR only if you ask for it. What is collected may hold personal data of your jobs: FOLDER is yours alone (umask 077).
#
# Settings, as environment variables:
#   REDIS_HOST REDIS_PORT REDIS_DB REDIS_USER   where Redis is; the password in REDISCLI_AUTH, which redis-cli reads itself
#   REDIS_SOCKET                                a unix socket instead of host and port
#   REDIS_TLS=1                                 over TLS
#   REDIS_CLI                                   another redis-cli, such as 'docker exec -i NAME redis-cli'
#   MOST_MEMBERS=1000  MOST_JOBS=50             members of a list or set, and jobs of each kind that are asked about
#   MOST_EVENTS=50000                           newest entries of the events stream
#   MONITOR_SECONDS=0                           seconds of MONITOR (60 at most). It shows every command, lock renewals with them,
#                                               and costs: Redis sends all its traffic once more, throughput may halve meanwhile
#   RDB_OVER_NETWORK=1                          fetch an RDB with redis-cli --rdb. It makes Redis fork and save, as a replica does
#
# FREEZE FIRST, while the evidence is still there:
#   - press no retry, promote or clean in a dashboard, and stop jobs and crons that clean, drain or obliterate queues
#   - let workers be, if you can: a restart ends what their memory and their containers' logs still tell
#   - hold back deploys and log rotation; keep containers that have exited (docker rm and pod deletion take their logs along)
#   - do not FLUSH, restart or fail over Redis: locks and the tail of the events stream live in its memory

HOST=${REDIS_HOST:-127.0.0.1}
PORT=${REDIS_PORT:-6379}
DB=${REDIS_DB:-0}
MOST_MEMBERS=${MOST_MEMBERS:-1000}
MOST_JOBS=${MOST_JOBS:-50}
MOST_EVENTS=${MOST_EVENTS:-50000}
MONITOR_SECONDS=${MONITOR_SECONDS:-0}
PAGE=${COLLECT_PAGE:-1000}
OUT=${1:-bullmortem-evidence}
case $OUT in /*) ;; *) OUT=./$OUT ;; esac

for number in "$DB" "$PAGE" "$MOST_MEMBERS" "$MOST_JOBS" "$MOST_EVENTS" "$MONITOR_SECONDS"; do
  case $number in '' | *[!0-9]*)
    echo 'collect: REDIS_DB, the limits and MONITOR_SECONDS are whole numbers' >&2
    exit 2
    ;;
  esac
done
if [ "$MOST_MEMBERS" -lt 1 ] || [ "$PAGE" -lt 1 ]; then
  echo 'collect: MOST_MEMBERS is 1 at least' >&2
  exit 2
fi
if [ -e "$OUT" ]; then
  echo "collect: $OUT is there already: name a folder that is not" >&2
  exit 2
fi

# Becomes redis-cli, so that a background job of it can be ended.
become_cli() {
  if [ "$CLUSTER" = 1 ]; then set -- -c "$@"; fi
  if [ "${REDIS_TLS:-0}" = 1 ]; then set -- --tls "$@"; fi
  if [ -n "${REDIS_USER:-}" ]; then set -- --user "$REDIS_USER" "$@"; fi
  if [ -n "${REDIS_SOCKET:-}" ]; then set -- -s "$REDIS_SOCKET" "$@"; else set -- -h "$HOST" -p "$PORT" "$@"; fi
  # shellcheck disable=SC2086
  exec ${REDIS_CLI:-redis-cli} -n "$DB" "$@" </dev/null
}
cli() { (become_cli "$@"); }
# An answer as redis-cli shows it to people: strings in quotes, so that no value can look like a line of its own.
shown() { cli --no-raw "$@" | sed '/^-> Redirected to slot/d'; }

# About the server. Words here are this script's own.
server() {
  printf 'redis[%s]> %s\n' "$DB" "$*"
  shown "$@"
}
# About a key of the queue: COMMAND SUFFIX [ARGUMENT …]. The prompt shows it as redis-cli would take it.
key() {
  command=$1 suffix=$2
  shift 2
  printf 'redis[%s]> %s "%s:%s"%s\n' "$DB" "$command" "$SHOWN_BASE" "$suffix" "${1:+ $*}"
  if [ "$command" = 'XINFO STREAM' ]; then shown XINFO STREAM "$BASE:$suffix" "$@"; else shown "$command" "$BASE:$suffix" "$@"; fi
}
# The same about a key of the job that was asked for.
job_key() {
  command=$1 suffix=$2
  shift 2
  printf 'redis[%s]> %s "%s:%s%s"%s\n' "$DB" "$command" "$SHOWN_BASE" "$SHOWN_JOB" "$suffix" "${1:+ $*}"
  shown "$command" "$BASE:$JOB$suffix" "$@"
}
count() { cli --raw "$1" "$BASE:$2" 2>/dev/null | sed -n '1s/^\([0-9][0-9]*\)$/\1/p'; }

list() {
  key LLEN "$1"
  length=$(count LLEN "$1")
  if [ "${length:-0}" -le "$MOST_MEMBERS" ]; then key LRANGE "$1" 0 -1; else key LRANGE "$1" 0 $((MOST_MEMBERS - 1)); fi
}
set_of() {
  key SCARD "$1"
  length=$(count SCARD "$1")
  if [ "${length:-0}" -le "$MOST_MEMBERS" ]; then key SMEMBERS "$1"; fi
}
# From the lowest score; COMMAND ZREVRANGE from the highest.
sorted() {
  key ZCARD "$2"
  length=$(count ZCARD "$2")
  if [ "${length:-0}" -le "$MOST_MEMBERS" ]; then key "$1" "$2" 0 -1 WITHSCORES; else key "$1" "$2" 0 $((MOST_MEMBERS - 1)) WITHSCORES; fi
}

# Ids that stand in a key, those that need no quoting; bull's and BullMQ's own are numbers, and people use letters and : _ . -
ids() {
  cli --no-raw "$@" 2>/dev/null |
    sed -n 's/^ *[0-9][0-9]*) "\([A-Za-z0-9_][A-Za-z0-9_.:@-]*\)"$/\1/p'
}
# The lock first, then whether the job is still active: so a lock that is gone can be told from a job that has ended.
job() {
  key HGETALL "$1"
  key GET "$1:lock"
  key PTTL "$1:lock"
  key PEXPIRETIME "$1:lock"
  key LPOS active "$1"
}

SKIPPED='a job id with other letters than A-Z a-z 0-9 _ . : @ - is asked about with --job only'
mkdir -p "$OUT/redis" "$OUT/logs" || exit 2
if [ "$(cli PING 2>&1)" != PONG ]; then
  echo "collect: Redis does not answer: $(cli PING 2>&1 | head -n 1)" >&2
  rm -r "$OUT"
  exit 1
fi

echo 'collect: the server' >&2
{
  server TIME
  server INFO
  for setting in maxmemory maxmemory-policy appendonly appendfsync save timeout; do server CONFIG GET "$setting"; done
  server CLIENT LIST
  server SLOWLOG GET 128
  server TIME
} >"$OUT/redis/server.txt" 2>&1

# Before all else that moves: what is active, and whose locks.
echo 'collect: the queue' >&2
{
  server TIME
  list active
  if [ -n "$JOB" ]; then
    job_key HGETALL ''
    job_key GET :lock
    job_key PTTL :lock
    job_key PEXPIRETIME :lock
    printf 'redis[%s]> LPOS "%s:active" "%s"\n' "$DB" "$SHOWN_BASE" "$SHOWN_JOB"
    shown LPOS "$BASE:active" "$JOB"
  fi
  {
    if [ "$MOST_JOBS" = 0 ]; then exit; fi
    ids LRANGE "$BASE:active" 0 $((MOST_JOBS - 1))
    ids SRANDMEMBER "$BASE:stalled" "$MOST_JOBS"
    ids ZREVRANGE "$BASE:failed" 0 $((MOST_JOBS - 1))
    ids ZREVRANGE "$BASE:completed" 0 $((MOST_JOBS - 1))
    ids LRANGE "$BASE:wait" -"$MOST_JOBS" -1
  } | awk '!seen[$0]++' | while IFS= read -r id; do job "$id"; done
  set_of stalled
  key GET stalled-check
  key PTTL stalled-check
  list wait
  list paused
  sorted ZRANGE prioritized
  sorted ZRANGE delayed
  sorted ZRANGE waiting-children
  sorted ZREVRANGE completed
  sorted ZREVRANGE failed
  key ZRANGE marker 0 99 WITHSCORES
  key HGETALL meta
  key GET id
  key GET limiter
  key PTTL limiter
  if [ -n "$JOB" ]; then
    job_key LRANGE :logs 0 $((MOST_MEMBERS - 1))
    job_key SMEMBERS :dependencies
    job_key HGETALL :processed
    job_key HGETALL :failed
    job_key ZRANGE :unsuccessful 0 $((MOST_MEMBERS - 1)) WITHSCORES
  fi
  server TIME
} >"$OUT/redis/queue.txt" 2>&1

# Newest entries first: they are what an incident is about, and what a limit must not cost.
echo 'collect: the events stream' >&2
{
  key 'XINFO STREAM' events
  until=+
  left=$MOST_EVENTS
  while [ "$left" -gt 0 ]; do
    page=$PAGE
    if [ "$left" -lt "$page" ]; then page=$left; fi
    key XREVRANGE events "$until" - COUNT "$page" >"$OUT/page.part" 2>&1
    cat "$OUT/page.part"
    oldest=$(sed -n 's/^ *[0-9][0-9]*) 1) "\([0-9][0-9]*-[0-9][0-9]*\)"$/\1/p' "$OUT/page.part" | tail -n 1)
    if [ -z "$oldest" ]; then break; fi
    milliseconds=${oldest%-*} sequence=${oldest#*-}
    if [ "$sequence" = 0 ]; then until=$((milliseconds - 1)); else until=$milliseconds-$((sequence - 1)); fi
    left=$((left - page))
  done
} >"$OUT/redis/events.txt"
rm -f "$OUT/page.part"

if [ "$MONITOR_SECONDS" -gt 0 ]; then
  if [ "$MONITOR_SECONDS" -gt 60 ]; then MONITOR_SECONDS=60; fi
  echo "collect: MONITOR for $MONITOR_SECONDS seconds" >&2
  become_cli MONITOR >"$OUT/redis/monitor.txt" &
  monitor=$!
  sleep "$MONITOR_SECONDS"
  kill "$monitor" 2>/dev/null
  wait "$monitor" 2>/dev/null
fi

# Redis' own files, where this machine is the one that it runs on. Copying reads them while Redis goes on.
config() { cli --raw CONFIG GET "$1" 2>/dev/null | sed -n 2p; }
copied=no
case ${REDIS_SOCKET:-$HOST} in
  127.0.0.1 | localhost | ::1 | /*)
    folder=$(config dir)
    for name in "$(config dbfilename)" "$(config appenddirname)" "$(config appendfilename)"; do
      if [ -n "$folder" ] && [ -n "$name" ] && [ -r "$folder/$name" ]; then
        echo "collect: copying $name" >&2
        cp -R "$folder/$name" "$OUT/redis/" && copied=yes
      fi
    done
    ;;
esac
if [ "${RDB_OVER_NETWORK:-0}" = 1 ]; then
  echo 'collect: an RDB over the network' >&2
  cli --rdb "$OUT/redis/network.rdb" >&2 || rm -f "$OUT/redis/network.rdb"
fi

cat <<END
Collected into $OUT ($SKIPPED).
END
if [ "$copied" = no ]; then
  cat <<'END'

Redis' files were not on this machine. Copy dump.rdb and appendonlydir (or appendonly.aof) into the folder redis/ of it:
  docker cp REDIS:/data/dump.rdb .            docker cp REDIS:/data/appendonlydir .
  kubectl cp NAMESPACE/REDIS-POD:/data/dump.rdb dump.rdb
  or run this script with RDB_OVER_NETWORK=1: Redis forks and saves once, as for a replica
END
fi
if [ "$CLUSTER" = 1 ]; then
  cat <<'END'

A cluster: INFO, CLIENT LIST, SLOWLOG, MONITOR and the files above are of one node. Run this against the node that holds the
queue's slot (CLUSTER KEYSLOT of one of its keys, then CLUSTER NODES), or once for each master.
END
fi
cat <<'END'

Into the folder logs/, one file a process, as they are (gzip is fine); with times and names, whole hours before and after:
  Kubernetes  kubectl logs -n NAMESPACE -l SELECTOR --all-containers --prefix --timestamps --tail=-1 --since=6h
              kubectl logs -n NAMESPACE POD --previous --timestamps        containers that were restarted: often the ones that matter
              kubectl describe pod -n NAMESPACE POD                        OOMKilled, exit codes, when
              kubectl get events -n NAMESPACE --sort-by=.lastTimestamp
  docker      docker logs --timestamps CONTAINER        docker inspect CONTAINER     (also of containers that have exited)
  hosts       journalctl -u UNIT -o short-iso-precise --since ... --until ...
              journalctl -k: the kernel's OOM killer, suspends     chronyc tracking or timedatectl: how far the clock is off
  Redis       its log; the same three for the machine it runs on
Idempotency records (a CSV of the table, or a dump) into the folder records/, if there are any.
END
