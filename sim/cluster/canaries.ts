/** Faults of a cluster that are planted to see that they are found. */
import type { Canary } from '../canaries/canary.ts';

export const CLUSTER_CANARIES: readonly Canary[] = [
  {
    name: 'an append does not compare the claim',
    seedsMax: 40,
    patch: {
      file: 'src/log/shared/appender.ts',
      piece: "        { key: claim, of: 'mod', revision },\n",
      instead: '',
    },
  },
  {
    name: 'a request that is sent again acts again',
    seedsMax: 20,
    patch: {
      file: 'src/engine/requests.ts',
      piece: 'return request < known.openFrom || known.seqs.has(request);',
      instead: 'return request < 0;',
    },
  },
  {
    name: 'a leader answers before the log has the entry',
    seedsMax: 20,
    patch: {
      file: 'src/cluster/claimed-journal.ts',
      piece: "await calls.timed('append', log.append(claim, entry));",
      instead: "calls.timed('append', log.append(claim, entry)).catch(() => undefined);",
    },
  },
  {
    name: 'a read does not wait for what the log held when it asked',
    seedsMax: 20,
    patch: {
      file: 'src/cluster/freshness.ts',
      piece: 'await this.#options.reach(lastSeq);',
      instead: 'void lastSeq;',
    },
  },
  {
    name: 'what was heard of the log counts for five seconds',
    seedsMax: 20,
    seedFirst: 2,
    patch: {
      file: 'src/cluster/freshness.ts',
      piece: 'const FRESH_MS = 500;',
      instead: 'const FRESH_MS = 5_000;',
    },
  },
  {
    name: 'a read shows what is not in the log yet',
    seedsMax: 20,
    patch: {
      file: 'src/venue/venue.ts',
      piece:
        'if (newest !== undefined) await newest.durable(() => this.#haltedError());\n' +
        '    return answer;',
      instead: 'return answer;',
    },
  },
  {
    name: 'the log is trimmed by what one member holds',
    seedsMax: 20,
    seedFirst: 3,
    patch: {
      file: 'src/cluster/seals.ts',
      piece: 'held[1] ?? 0',
      instead: 'held[0] ?? 0',
    },
  },
  {
    name: 'a snapshot loses how much an order has filled',
    seedsMax: 20,
    patch: {
      file: 'src/engine/report/restore.ts',
      piece: 'const filled = { filledLots, filledQuote };',
      instead: 'const filled = { filledLots, filledQuote: 0n * filledQuote };',
    },
  },
  {
    name: 'an entry of the log is not compared with its hash',
    seedsMax: 40,
    seedFirst: 18,
    patch: {
      file: 'src/log/chain.ts',
      piece: 'entryHash(link.hash, entry, keying) === entry.hash',
      instead: 'keying !== null',
    },
  },
  {
    name: 'a private message is sent before its step is durable',
    seedsMax: 20,
    patch: {
      file: 'src/api/streams/private-topics.ts',
      piece: 'if (ahead.length > 0) this.#ahead.set(step.seq, ahead);',
      instead: 'for (const { topics, step: seen } of ahead) topics.release(seen);',
    },
  },
  {
    name: 'a reader that is behind misses an update and gets no snapshot',
    seedsMax: 20,
    seedFirst: 7,
    patch: {
      file: 'src/api/streams/public-topic.ts',
      piece: 'this.#owe(reader, spelling);\n      else reader.push',
      instead: '{}\n      else reader.push',
    },
  },
  {
    name: 'an account that is followed anew begins one command late',
    seedsMax: 40,
    seedFirst: 31,
    patch: {
      file: 'src/api/streams/account-topics.ts',
      piece: 'for (const step of early) this.release(step);',
      instead: 'for (const step of early.slice(1)) this.release(step);',
    },
  },
];
