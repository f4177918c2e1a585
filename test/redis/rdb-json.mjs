/**
 * Every key of an RDB as plain JSON, in the manner of HDT3213/rdb's `json` command, for comparison with what others say
 * about the same file. Nothing here knows BullMQ.
 */

const id = ({ ms, seq }) => `${ms}-${seq}`;

/** Returns the handler for `readRdb` and the array it fills. Messages of a stream are one flat list. */
export function rdbJson() {
  const keys = [];
  const aux = [];
  const functions = [];
  const handler = {
    aux: (name, value) => aux.push([name, value]),
    functionLibrary: (code) => functions.push(code),
    key(key) {
      const out = { db: key.db, key: key.name.text(), type: key.kind };
      if (key.expiresAtMs !== undefined) out.expiration = key.expiresAtMs;
      keys.push(out);
      return sinkFor(key.kind, out);
    },
  };
  return { handler, keys, aux, functions };
}

function sinkFor(kind, out) {
  switch (kind) {
    case 'string':
      return {
        string: (value) => {
          out.value = value.text();
        },
      };
    case 'list':
      out.values = [];
      return { listItem: (item) => out.values.push(item.text()) };
    case 'set':
      out.members = [];
      return { setMember: (member) => out.members.push(member.text()) };
    case 'zset':
      out.entries = [];
      return { zsetMember: (member, score) => out.entries.push({ member: member.text(), score }) };
    case 'hash': {
      out.hash = {};
      let field;
      return {
        hashField: (name) => {
          field = name.text();
          return true;
        },
        hashValue: (value, expiresAtMs) => {
          out.hash[field] = value.text();
          if (expiresAtMs === undefined) return;
          out.expire ??= {};
          out.expire[field] = expiresAtMs;
        },
      };
    }
    case 'stream':
      return streamSink(out);
    default:
      return undefined;
  }
}

function streamSink(out) {
  out.messages = [];
  out.groups = [];
  return {
    streamEntry: (entry) => {
      const fields = {};
      for (let i = 0; i < entry.size; i++) fields[entry.field(i).text()] = entry.value(i).text();
      out.messages.push({ id: id(entry), fields, deleted: entry.deleted });
    },
    streamState: (state) => {
      out.len = state.length;
      out.lastId = id(state.last);
      if (state.first) out.firstId = id(state.first);
      if (state.maxDeleted) out.maxDeletedId = id(state.maxDeleted);
      if (state.entriesAdded !== undefined) out.addedEntriesCount = state.entriesAdded;
    },
    streamGroup: (group) =>
      out.groups.push({
        name: group.name,
        lastId: id(group.last),
        pending: group.pending.map((one) => ({
          id: id(one),
          deliveryTime: one.deliveredMs,
          deliveryCount: one.deliveries,
        })),
        consumers: group.consumers.map((one) => ({
          name: one.name,
          seenTime: one.seenMs,
          pending: one.pending.map(id),
          ...(one.activeMs === undefined ? {} : { activeTime: one.activeMs }),
        })),
        ...(group.entriesRead === undefined ? {} : { entriesRead: group.entriesRead }),
      }),
  };
}
