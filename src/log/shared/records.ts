/** What the values of the store say, as text; what does not read as written is a fault. */
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/schema';
import { JournalFault } from '../port.ts';
import type { SharedEntry } from '../shared-log.ts';

const WHOLE = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const SEAL = Type.Object({ seq: WHOLE, stateHash: Type.String() });

export const CLAIM_RECORD = Type.Object({
  number: WHOLE,
  holder: Type.String(),
  /** Tells one's own write from another's after an unknown outcome. */
  nonce: Type.String(),
});
export type ClaimRecord = Static<typeof CLAIM_RECORD>;

export const LINK_RECORD = Type.Object({ nextSeq: WHOLE, hash: Type.String() });
export const VERSIONS_RECORD = Type.Object({ format: WHOLE, rules: WHOLE });
export const HEARTBEAT = Type.Object({
  member: Type.String(),
  claim: WHOLE,
  timeMs: WHOLE,
  lastSeq: WHOLE,
  seal: Type.Optional(SEAL),
});
const KIND = Type.Union([Type.Literal('member'), Type.Literal('gateway')]);
export const MEMBER = Type.Object({
  name: Type.String(),
  kind: KIND,
  isCandidate: Type.Boolean(),
  url: Type.String(),
  release: Type.String(),
});
export const HOLD = Type.Object({ name: Type.String(), fromSeq: WHOLE });
/** Who had a place last, as which of its lives. */
export const PLACE = Type.Object({ holder: Type.String(), life: WHOLE, nonce: Type.String() });
const PROCESS = Type.Object({
  kind: KIND,
  release: Type.String(),
  knows: Type.Object({ formatMax: WHOLE, rulesMin: WHOLE, rulesMax: WHOLE }),
  seq: WHOLE,
  timeMs: WHOLE,
});
export const REPORT = Type.Object({
  member: Type.String(),
  heldSeq: WHOLE,
  seals: Type.Array(SEAL),
  process: PROCESS,
});
const ENTRY_HEAD = Type.Object({
  count: WHOLE,
  rules: WHOLE,
  claim: WHOLE,
  format: WHOLE,
  hash: Type.String(),
});

/** A value with the fields of the schema; fields that it does not know are passed over. */
export function decode<const Schema extends Type.TObject>(
  schema: Schema,
  text: string,
  place: string,
): Static<Schema> {
  const value: unknown = parsed(text);
  if (Check(schema, value)) return value;
  throw new JournalFault({ kind: 'not_understood', file: place, reason: 'no such record' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One line of JSON, then the payload as it is. */
export function encodeEntry(entry: SharedEntry): string {
  const { count, rules, claim, format, hash, payload } = entry;
  return `${JSON.stringify({ count, rules, claim, format, hash })}\n${payload}`;
}

export function decodeEntry(firstSeq: number, text: string, place: string): SharedEntry {
  const line = text.indexOf('\n');
  const head = decode(ENTRY_HEAD, text.slice(0, Math.max(line, 0)), place);
  return { ...head, firstSeq, payload: text.slice(line + 1) };
}
