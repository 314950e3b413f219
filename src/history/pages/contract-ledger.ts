/**
 * Pages of the ledger of contract wallets. One index range for each kind that is asked for, of one
 * contract or of one coin; a page is their merge, newest first.
 */
import type { Kysely } from 'kysely';
import type { AccountId, AssetId, InstrumentId, Wallet } from '#domain';
import {
  LEDGER_KINDS,
  type LedgerEntry,
  type LedgerKind,
  type LedgerQuery,
} from '../ledger-port.ts';
import type { HistoryReader } from '../port.ts';
import { assertLimit } from '../range.ts';
import { CONTRACT_LEDGER } from '../tables/ledger-tables.ts';
import type { Database } from '../tables/schema.ts';
import type { RowOf } from '../tables/table.ts';
import type { Planner } from './planner.ts';

type EntryRow = RowOf<typeof CONTRACT_LEDGER>;

/** Ranges in one statement, below the 500 that SQLite joins into one. */
const RANGES_PER_QUERY = 64;

export function contractLedgerPages(
  db: Kysely<Database>,
  planner: Planner,
): Pick<HistoryReader, 'ledger'> {
  return {
    ledger: async (query) => {
      assertLimit(query.limit);
      const rows = await newestEntries(db, planner, query);
      const entries = rows.map((row) => {
        const { seq, ...entry } = CONTRACT_LEDGER.read(row);
        return entry;
      });
      return withoutMoneyOf(db, query, entries);
    },
  };
}

/** A page costs its rows and a step along an index for each kind and coin. */
async function newestEntries(
  db: Kysely<Database>,
  planner: Planner,
  query: LedgerQuery,
): Promise<EntryRow[]> {
  const ranges = await rangesOf(db, query);
  const bounds = await boundsOf(db, query);
  const rows: EntryRow[] = [];
  for (let from = 0; from < ranges.length; from += RANGES_PER_QUERY) {
    const some = ranges.slice(from, from + RANGES_PER_QUERY);
    const merged = some
      .map((range) => entriesIn(db, planner, query, range, bounds))
      .reduce((earlier, later) => earlier.unionAll(later))
      .orderBy('time_ms', 'desc')
      .orderBy('entry_id', 'desc')
      .limit(query.limit);
    rows.push(...(await merged.execute()));
  }
  rows.sort((one, other) => other.entry_id - one.entry_id);
  return rows.slice(0, query.limit);
}

type EntryRange = { readonly kind: LedgerKind } & (
  | { readonly asset_id: AssetId }
  | { readonly instrument_id: InstrumentId }
);

/** Each row with the balance of its coin less what the wallets left out had at that moment. */
async function withoutMoneyOf(
  db: Kysely<Database>,
  { accountId, except }: LedgerQuery,
  entries: readonly LedgerEntry[],
): Promise<LedgerEntry[]> {
  let shown = [...entries];
  for (const wallet of except?.wallets ?? [])
    shown = await withoutOne(db, accountId, wallet, shown);
  return shown;
}

/** Its newest row is looked for again only when the page has gone on past it. */
async function withoutOne(
  db: Kysely<Database>,
  accountId: AccountId,
  wallet: Wallet,
  entries: readonly LedgerEntry[],
): Promise<LedgerEntry[]> {
  const newest = new Map<AssetId, Pick<LedgerEntry, 'entryId' | 'balance'>>();
  const shown: LedgerEntry[] = [];
  for (const entry of entries) {
    let found = newest.get(entry.assetId);
    if (found === undefined || found.entryId > entry.entryId) {
      found = await balanceBefore(db, accountId, wallet, entry);
      newest.set(entry.assetId, found);
    }
    shown.push({ ...entry, coinBalance: entry.coinBalance - found.balance });
  }
  return shown;
}

async function balanceBefore(
  db: Kysely<Database>,
  account: AccountId,
  wallet: Wallet,
  { assetId, entryId, timeMs }: LedgerEntry,
): Promise<Pick<LedgerEntry, 'entryId' | 'balance'>> {
  const row = await LEDGER_KINDS.map((kind) =>
    db
      .selectFrom('contract_ledger')
      .select(['entry_id', 'time_ms', 'balance'])
      .where((one) => one.and({ account_id: account, asset_id: assetId, kind, wallet }))
      .where('time_ms', '<=', timeMs)
      .where('entry_id', '<', entryId),
  )
    .reduce((earlier, later) => earlier.unionAll(later))
    .orderBy('time_ms', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return { entryId: 0, balance: 0n };
  return { entryId: row.entry_id, balance: CONTRACT_LEDGER.columns.balance.read(row.balance) };
}

async function rangesOf(db: Kysely<Database>, query: LedgerQuery): Promise<EntryRange[]> {
  const { accountId, assetId, instrumentId, kinds = LEDGER_KINDS } = query;
  if (instrumentId !== undefined) {
    const isOther = assetId !== undefined && assetId !== (await coinOf(db, query));
    return isOther ? [] : kinds.map((kind) => ({ kind, instrument_id: instrumentId }));
  }
  const assets = assetId === undefined ? await coinsOf(db, accountId) : [assetId];
  const wanted = assets.filter((asset) => !query.except?.assetIds.includes(asset));
  return wanted.flatMap((asset) => kinds.map((kind) => ({ kind, asset_id: asset })));
}

/** The margin coin of an account's contract; undefined when it has no row there. */
async function coinOf(
  db: Kysely<Database>,
  { accountId, instrumentId }: LedgerQuery,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('contract_ledger')
    .select('asset_id')
    .where((row) =>
      row.and({
        account_id: accountId,
        ...(instrumentId !== undefined && { instrument_id: instrumentId }),
      }),
    )
    .limit(1)
    .executeTakeFirst();
  return row?.asset_id;
}

/** The coins of an account's rows, each found by one step along the index. */
async function coinsOf(db: Kysely<Database>, account: AccountId): Promise<AssetId[]> {
  const found: AssetId[] = [];
  for (;;) {
    const row = await db
      .selectFrom('contract_ledger')
      .select('asset_id')
      .where('account_id', '=', account)
      .where('asset_id', '>', found.at(-1) ?? -1)
      .orderBy('asset_id')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return found;
    found.push(CONTRACT_LEDGER.columns.asset_id.read(row.asset_id));
  }
}

interface Bounds {
  readonly fromMs: number;
  readonly toMs: number;
  readonly below: number;
}

/** Entries rise with time: none before another one is later than it. */
async function boundsOf(db: Kysely<Database>, query: LedgerQuery): Promise<Bounds> {
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, before } = query;
  if (before === undefined) return { fromMs, toMs, below: Number.MAX_SAFE_INTEGER };
  const row = await db
    .selectFrom('contract_ledger')
    .select('time_ms')
    .where('entry_id', '<', before)
    .orderBy('entry_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { fromMs, toMs: Math.min(toMs, row?.time_ms ?? -1), below: before };
}

function entriesIn(
  db: Kysely<Database>,
  planner: Planner,
  { accountId, wallet, except }: LedgerQuery,
  range: EntryRange,
  { fromMs, toMs, below }: Bounds,
) {
  const leftOut: readonly Wallet[] = ['spot', ...(except?.wallets ?? [])];
  const walletOf = planner.rowByRow<Wallet>('wallet');
  const rows = db
    .selectFrom('contract_ledger')
    .selectAll()
    .where((row) => row.and({ account_id: accountId, ...range }))
    .where('time_ms', '>=', fromMs)
    .where('time_ms', '<=', toMs)
    .where(planner.rowByRow<number>('entry_id'), '<', below)
    .where(walletOf, 'not in', leftOut);
  return wallet === undefined ? rows : rows.where(walletOf, '=', wallet);
}
