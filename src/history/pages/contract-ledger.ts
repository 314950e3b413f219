/**
 * Pages of the ledger of contract wallets. One index range for each kind that is asked for, of one
 * contract or of one coin; a page is their merge, newest first.
 */
import type { Kysely } from 'kysely';
import type { AccountId, AssetId, InstrumentId } from '#domain';
import { LEDGER_KINDS, type LedgerKind, type LedgerQuery } from '../ledger-port.ts';
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
      return rows.map((row) => {
        const { seq, ...entry } = CONTRACT_LEDGER.read(row);
        return entry;
      });
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

async function rangesOf(db: Kysely<Database>, query: LedgerQuery): Promise<EntryRange[]> {
  const { accountId, assetId, instrumentId, kinds = LEDGER_KINDS } = query;
  if (instrumentId !== undefined) {
    const isOther = assetId !== undefined && assetId !== (await coinOf(db, query));
    return isOther ? [] : kinds.map((kind) => ({ kind, instrument_id: instrumentId }));
  }
  const assets = assetId === undefined ? await coinsOf(db, accountId) : [assetId];
  return assets.flatMap((asset) => kinds.map((kind) => ({ kind, asset_id: asset })));
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
  { accountId }: LedgerQuery,
  range: EntryRange,
  { fromMs, toMs, below }: Bounds,
) {
  return db
    .selectFrom('contract_ledger')
    .selectAll()
    .where((row) => row.and({ account_id: accountId, ...range }))
    .where('time_ms', '>=', fromMs)
    .where('time_ms', '<=', toMs)
    .where(planner.rowByRow<number>('entry_id'), '<', below);
}
