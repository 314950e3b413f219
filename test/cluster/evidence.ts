/**
 * Gathers what the checker judges: the log as a reader of its own follows it from the start, what
 * members seal meanwhile, and in the end audits, histories and a replay.
 */
import { createHash } from 'node:crypto';
import { formatId } from '#dialects';
import { decodeEntry, orderId } from '#domain';
import { Engine } from '#engine';
import type { SharedEntry, SharedLog } from '#log';
import { sharedLogAt } from '#log/testing';
import { stateHash } from '#venue';
import type { ClusterHere, ClusterProcess } from '../../tools/cluster/processes.ts';
import { gauge } from '../support/http-trader.ts';
import { operatorClient } from '../support/operator-client.ts';
import { execute } from '../support/postgres.ts';
import { Program } from '../support/program.ts';
import { until } from '../support/until.ts';
import type { Evidence, HistoryOrder, PlacedOrder, Seal } from './checker.ts';
import type { Notes } from './traders.ts';

const GENESIS_HASH = createHash('sha256').update('outcry journal 1').digest('hex');

/** Reads along from the first entry on: what is trimmed later, it has. */
export class Witness {
  readonly log: SharedLog;
  readonly entries: SharedEntry[] = [];
  readonly #seals = new Map<string, Seal>();
  readonly #closing = new AbortController();
  readonly #reading: Promise<unknown>;

  constructor(endpoints: readonly string[]) {
    this.log = sharedLogAt({ kind: 'etcd', venue: 'local', shard: 'main', endpoints });
    this.#reading = Promise.all([this.#follow(), this.#watch()]);
    this.#reading.catch(() => undefined);
  }

  get seals(): readonly Seal[] {
    return [...this.#seals.values()];
  }

  get lastSeq(): number {
    const last = this.entries.at(-1);
    return last === undefined ? 0 : last.firstSeq + last.count - 1;
  }

  /** Rejects when it could not read along. */
  async close(): Promise<void> {
    this.#closing.abort();
    try {
      await this.#reading;
    } finally {
      await this.log.close();
    }
  }

  #note(seal: Seal): void {
    this.#seals.set(`${seal.by} ${seal.seq} ${seal.stateHash}`, seal);
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    for await (const entries of this.log.follow({ fromSeq: 1, signal })) {
      this.entries.push(...entries);
    }
  }

  async #watch(): Promise<void> {
    for await (const reports of this.log.watchReports(this.#closing.signal)) {
      for (const { member, seals } of reports) {
        for (const { seq, stateHash } of seals) {
          this.#note({ by: member, seq, stateHash: bare(stateHash) });
        }
      }
    }
  }
}

function bare(signed: string): string {
  return signed.slice(signed.lastIndexOf(':') + 1);
}

/** What the log says by itself: its orders, and the states that an engine of our own comes to. */
function replayed(
  entries: readonly SharedEntry[],
  seals: readonly Seal[],
): { readonly placed: readonly PlacedOrder[]; readonly seals: readonly Seal[] } {
  const sealed = new Set(seals.map(({ seq }) => seq));
  const placed: PlacedOrder[] = [];
  const own: Seal[] = [];
  const engine = Engine.empty();
  for (const { payload, rules } of entries) {
    for (const { command, timeMs, origin } of decodeEntry(payload)) {
      engine.apply(command, timeMs, rules, origin);
      const { seq } = engine;
      if (sealed.has(seq)) own.push({ by: 'a replay', seq, stateHash: stateHash(engine) });
      if (command.kind !== 'place_spot_order' || command.type !== 'limit') continue;
      placed.push({ seq, priceCents: command.priceTicks });
    }
  }
  return { placed, seals: own };
}

export interface Scene {
  readonly cluster: ClusterHere;
  readonly witness: Witness;
  readonly historyUrl: string;
}

/** While the cluster runs, and its clients have stopped. */
export async function gather(
  { cluster, witness, historyUrl }: Scene,
  { sent, odd }: Notes,
  lastFaultSeq: number,
): Promise<Omit<Evidence, 'histories'>> {
  const { lastSeq } = await witness.log.head();
  await until('the witness has all of the log', () => witness.lastSeq >= lastSeq);
  const audits: Record<string, string> = {};
  for (const one of cluster.processes) audits[one.name] = await audited(cluster, one);
  for (const { name, url } of cluster.members) {
    const lag = () => gauge(url, 'outcry_reports_lag_commands', cluster.adminToken);
    await until(`reports of ${name}`, async () => (await lag()) === 0);
  }
  const { entries } = witness;
  const seals = [...witness.seals, ...(await shownSeals(cluster))];
  const { placed, seals: own } = replayed(entries, seals);
  return {
    sent,
    odd,
    entries,
    genesisHash: GENESIS_HASH,
    placed,
    history: await closedOrders(historyUrl),
    seals: [...seals, ...own],
    sealers: cluster.members.map(({ name }) => name),
    lastFaultSeq,
    audits,
  };
}

/** Nothing when all is well. */
async function audited({ adminToken }: ClusterHere, { url }: ClusterProcess): Promise<string> {
  const report = await operatorClient(url, adminToken).admin.audit();
  const { balanced, mismatchedContracts, uncoveredWallets, coins } = report;
  const off = coins.filter(({ imbalance }) => Number(imbalance) !== 0);
  if (balanced && [...mismatchedContracts, ...uncoveredWallets, ...off].length === 0) return '';
  return JSON.stringify({ balanced, mismatchedContracts, uncoveredWallets, off });
}

/** What gateways say of themselves, too. */
async function shownSeals({ processes }: ClusterHere): Promise<Seal[]> {
  const shown = await Promise.all(
    processes.map(async (one) => ({ by: one.name, status: await one.status() })),
  );
  return shown.flatMap(({ by, status }) => {
    const { sealedSeq, stateHash } = status ?? {};
    if (typeof sealedSeq !== 'number' || typeof stateHash !== 'string') return [];
    return [{ by, seq: sealedSeq, stateHash: bare(stateHash) }];
  });
}

async function closedOrders(historyUrl: string): Promise<HistoryOrder[]> {
  const sql = "select order_id, price from outcry.closed_orders where type = 'limit'";
  const rows = await execute(historyUrl, sql);
  return rows.map(({ order_id: id, price }) => {
    return { orderId: formatId(orderId(Number(id))), priceCents: Math.round(Number(price) * 100) };
  });
}

/** Compares a process's own history, and the shared one, with its copy of the log, row by row. */
export async function verifiedHistories(
  { historyUrl }: Scene,
  { name, directory }: ClusterProcess,
): Promise<Record<string, string>> {
  const findings: Record<string, string> = {};
  for (const [place, url] of [[name, undefined] as const, ['PostgreSQL', historyUrl] as const]) {
    if (url === undefined) delete process.env.OUTCRY_HISTORY;
    else process.env.OUTCRY_HISTORY = url;
    const words = ['verify-history', '--data', directory];
    const { code, output, log } = await new Program(words).ended;
    findings[place] = code === 0 ? '' : output + log;
  }
  delete process.env.OUTCRY_HISTORY;
  return findings;
}
