/**
 * What happened between the last sample that was kept and the moment at which a process takes a
 * round up: trades and payments as the history has them. It is read once, after a crash or on the
 * next leader; from then on steps are counted as they come.
 */
import type { AccountId, Amount, AssetId } from '#domain';

/** Ids above afterId up to throughId, in their order. */
export interface PastPage {
  readonly afterId: number;
  readonly throughId: number;
  readonly limit: number;
}

export interface PastTrade {
  readonly tradeId: number;
  readonly parties: readonly [AccountId, AccountId];
}

/** A change of a balance that no trade made. */
export interface PastChange {
  readonly billId: number;
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly biz: string;
  readonly delta: Amount;
}

/** Where the past is read; what was released before the call is in it. */
export interface Past {
  tradeParties(product: 'spot' | 'contract', page: PastPage): Promise<readonly PastTrade[]>;
  balanceChanges(page: PastPage): Promise<readonly PastChange[]>;
}

/** From the last sample to when the round was taken up. */
export type PastSpan = Omit<PastPage, 'limit'>;

/** What is to be added to the figures of accounts. */
export interface PastActivity {
  readonly trades: ReadonlyMap<AccountId, number>;
  readonly payments: readonly Pick<PastChange, 'accountId' | 'assetId' | 'delta'>[];
}

const PAGE_ROWS = 500;

/** Of these accounts. Others come in between two pages. */
export async function activityIn(
  past: Past,
  span: PastSpan,
  accounts: ReadonlySet<AccountId>,
): Promise<PastActivity> {
  const trades = new Map<AccountId, number>();
  for (const product of ['spot', 'contract'] as const) {
    const pages = pagesOf(span, (page) => past.tradeParties(product, page), tradeIdOf);
    for await (const { parties } of pages) {
      for (const account of new Set(parties)) {
        if (accounts.has(account)) trades.set(account, (trades.get(account) ?? 0) + 1);
      }
    }
  }
  const payments: PastChange[] = [];
  const changes = pagesOf(span, (page) => past.balanceChanges(page), billIdOf);
  for await (const change of changes) {
    if (change.biz !== 'funding' && accounts.has(change.accountId)) payments.push(change);
  }
  return { trades, payments };
}

function tradeIdOf({ tradeId }: PastTrade): number {
  return tradeId;
}

function billIdOf({ billId }: PastChange): number {
  return billId;
}

async function* pagesOf<Row>(
  { afterId, throughId }: PastSpan,
  read: (page: PastPage) => Promise<readonly Row[]>,
  idOf: (row: Row) => number,
): AsyncIterable<Row> {
  let from = afterId;
  for (;;) {
    const rows = await read({ afterId: from, throughId, limit: PAGE_ROWS });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    from = idOf(last);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
