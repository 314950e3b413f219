/**
 * Judges a cluster by evidence that was gathered of it, and by nothing of the engine: what was
 * acknowledged is in the log exactly once, no order is carried out twice, the chain is whole, all
 * states are equal, the money adds up, and the history says what the log says.
 */
import { createHash } from 'node:crypto';

/** An order of a client. No other order has its price: that tells a repeated one from a new one. */
export interface SentOrder {
  readonly priceCents: number;
  /** What was done to the cluster when it was sent. */
  readonly during: string;
  /** Of an order that was acknowledged; of any other nobody knows. */
  readonly orderId?: string | undefined;
}

/** An entry of the log as a reader of etcd saw it. */
export interface LogEntry {
  readonly firstSeq: number;
  readonly count: number;
  readonly rules: number;
  readonly claim: number;
  readonly payload: string;
  readonly hash: string;
}

/** A command in the log that places an order. */
export interface PlacedOrder {
  readonly seq: number;
  readonly priceCents: number;
}

export interface HistoryOrder {
  readonly orderId: string;
  readonly priceCents: number;
}

/** The hash of a state after a command, and who has taken it. */
export interface Seal {
  readonly by: string;
  readonly seq: number;
  readonly stateHash: string;
}

export interface Evidence {
  readonly sent: readonly SentOrder[];
  /** Answers that no client could expect. */
  readonly odd: readonly string[];
  /** From the first one on. */
  readonly entries: readonly LogEntry[];
  /** What the first entry follows. */
  readonly genesisHash: string;
  readonly placed: readonly PlacedOrder[];
  /** Every order that is over, as all of them are. */
  readonly history: readonly HistoryOrder[];
  readonly seals: readonly Seal[];
  /** Each of these has sealed one and the same state after the last fault. */
  readonly sealers: readonly string[];
  readonly lastFaultSeq: number;
  /** By process: what its audit says beyond zero; nothing when all is well. */
  readonly audits: Readonly<Record<string, string>>;
  /** By place: what is wrong with a history when it is compared row by row with a log. */
  readonly histories: Readonly<Record<string, string>>;
}

export type Judgement =
  | 'answers'
  | 'lost'
  | 'twice'
  | 'foreign'
  | 'chain'
  | 'states'
  | 'audit'
  | 'history';

export interface Violation {
  readonly judgement: Judgement;
  readonly text: string;
  /** Where it concerns an order. */
  readonly during?: string;
}

/** Empty when all is well. */
export function judge(evidence: Evidence): Violation[] {
  return [
    ...evidence.odd.map((text) => ({ judgement: 'answers', text }) as const),
    ...orders(evidence),
    ...chain(evidence),
    ...states(evidence),
    ...named('audit', evidence.audits),
    ...named('history', evidence.histories),
  ];
}

function* orders({ sent, placed, history }: Evidence): Generator<Violation> {
  const commands = Map.groupBy(placed, ({ priceCents }) => priceCents);
  const closed = Map.groupBy(history, ({ priceCents }) => priceCents);
  const known = new Map(sent.map((order) => [order.priceCents, order]));
  for (const { priceCents, orderId, during } of sent) {
    const inLog = commands.get(priceCents)?.length ?? 0;
    const ids = closed.get(priceCents)?.map((order) => order.orderId) ?? [];
    const name = `the order at ${priceCents}`;
    if (inLog > 1 || ids.length > 1) {
      const text = `${name}: ${inLog} times in the log, carried out as ${ids.join(', ')}`;
      yield { judgement: 'twice', text, during };
    } else if (orderId === undefined) {
      if (inLog === ids.length) continue;
      const text = `${name}: ${inLog} in the log, ${ids.length} in the history`;
      yield { judgement: 'history', text, during };
    } else if (inLog === 0) {
      yield { judgement: 'lost', text: `${name} was acknowledged and is not in the log`, during };
    } else if (!ids.includes(orderId)) {
      const text = `${name} was acknowledged as ${orderId}: the history has ${ids.join(', ')}`;
      yield { judgement: 'lost', text, during };
    }
  }
  for (const priceCents of new Set([...commands.keys(), ...closed.keys()])) {
    if (known.has(priceCents)) continue;
    yield { judgement: 'foreign', text: `no client has sent the order at ${priceCents}` };
  }
}

/** In the words of the format: hash before, first number, count, rules, payload, a line each. */
function* chain({ entries, genesisHash }: Evidence): Generator<Violation> {
  let [nextSeq, hash, claim] = [1, genesisHash, 0];
  for (const entry of entries) {
    const { firstSeq, count, rules, payload } = entry;
    const fault = (text: string): Violation => ({
      judgement: 'chain',
      text: `the entry at ${firstSeq} ${text}`,
    });
    if (firstSeq !== nextSeq) yield fault(`should be at ${nextSeq}`);
    const text = [hash, firstSeq, count, rules, payload].join('\n');
    if (createHash('sha256').update(text).digest('hex') !== entry.hash) yield fault('is changed');
    if (entry.claim < claim) yield fault(`was appended under claim ${entry.claim} after ${claim}`);
    [nextSeq, hash, claim] = [firstSeq + count, entry.hash, Math.max(claim, entry.claim)];
  }
}

function* states({ seals, sealers, lastFaultSeq }: Evidence): Generator<Violation> {
  const bySeq = Map.groupBy(seals, ({ seq }) => seq);
  for (const [seq, same] of bySeq) {
    if (new Set(same.map(({ stateHash }) => stateHash)).size === 1) continue;
    const shown = same.map(({ by, stateHash }) => `${by} ${stateHash}`).join(', ');
    yield { judgement: 'states', text: `after command ${seq}: ${shown}` };
  }
  const isCommon = [...bySeq].some(
    ([seq, same]) => seq > lastFaultSeq && sealers.every((by) => same.some((one) => one.by === by)),
  );
  if (isCommon) return;
  yield { judgement: 'states', text: `no state after ${lastFaultSeq} is sealed by all` };
}

function named(
  judgement: Judgement,
  findings: Readonly<Record<string, string>>,
): readonly Violation[] {
  return Object.entries(findings)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => ({ judgement, text: `${name}: ${text}` }));
}
