/**
 * Bills: every change of a balance. Those of trades are read off the trades, two for each party;
 * the others have rows of their own. A page merges both, by bill id.
 */

import type { Kysely } from 'kysely';
import type { AccountId, Amount } from '#domain';
import {
  BILL_GROUPS,
  type Bill,
  type BillBiz,
  type BillsQuery,
  type HistoryReader,
} from '../port.ts';
import { assertLimit, type Range, rangeOf } from '../range.ts';
import type { Database } from '../tables/schema.ts';
import { BALANCE_CHANGES, TRADES } from '../tables/spot-tables.ts';
import type { RowOf } from '../tables/table.ts';
import { withinTime } from './id-bounds.ts';
import {
  type HistoryInstruments,
  instrumentOf,
  type PairsById,
  quoteCoins,
} from './instruments.ts';
import { mergedTrades, type Party, type PartyTrade, type TradeStream } from './trade-streams.ts';
import { wholePage } from './whole-page.ts';

const EVERY_BIZ: readonly BillBiz[] = [
  'deposit',
  'withdraw',
  'transfer_in',
  'transfer_out',
  'buy',
  'sell',
  'funding',
];
/** A trade's bills are numbered from its own id: buyer base, buyer quote, seller base and quote. */
const BILLS_PER_TRADE = 4;
/** At either end of a page both parties' rows of one trade may hold no bill of the page. */
const SPARE_ROWS = 3;

/**
 * A page costs its limit plus one index look-up per coin that serves as quote and per pair of the
 * coin asked for, never more with a longer history.
 */
export function billPages(
  db: Kysely<Database>,
  instruments: HistoryInstruments,
): Pick<HistoryReader, 'bills'> {
  return {
    bills: async (query) => {
      assertLimit(query.limit);
      const pairs = await instruments.all();
      const range = rangeOf(query.afterId, query.beforeId);
      const sign = range.direction === 'asc' ? 1 : -1;
      const read = async (limit: number) => {
        const page = { ...query, limit };
        const bills = [
          ...(await otherBills(db, page, range)),
          ...(await tradeBills(db, pairs, page, range)),
        ];
        return bills.sort((one, other) => sign * (one.billId - other.billId)).slice(0, limit);
      };
      return [...(await wholePage(query, read, ({ billId: id, timeMs }) => ({ id, timeMs })))];
    },
  };
}

/** Which kinds of bill the two filters leave. */
function bizAskedFor(query: BillsQuery): BillBiz[] {
  return EVERY_BIZ.filter(
    (biz) =>
      (query.biz === undefined || query.biz === biz) &&
      (query.group === undefined || query.group === BILL_GROUPS[biz]),
  );
}

async function otherBills(db: Kysely<Database>, query: BillsQuery, range: Range): Promise<Bill[]> {
  if (query.tradeSide !== undefined || query.instrumentId !== undefined) return [];
  const asked = bizAskedFor(query).filter((biz) => BILL_GROUPS[biz] !== 'transaction');
  if (asked.length === 0) return [];
  const filtered = query.biz !== undefined || query.group !== undefined;
  const within = await withinTime(db, 'balance_changes', range, query);
  const rows = await (filtered ? asked : [undefined])
    .map((biz) => changesQuery(db, query, biz, within))
    .reduce((merged, next) => merged.unionAll(next))
    .orderBy('bill_id', range.direction)
    .limit(query.limit)
    .execute();
  return rows.map(otherBill);
}

function changesQuery(
  db: Kysely<Database>,
  query: BillsQuery,
  biz: BillBiz | undefined,
  range: Range,
) {
  return db
    .selectFrom('balance_changes')
    .selectAll()
    .where((row) =>
      row.and({
        account_id: query.accountId,
        wallet: query.wallet,
        ...(query.assetId !== undefined && { asset_id: query.assetId }),
        ...(biz !== undefined && { biz }),
      }),
    )
    .where('bill_id', '>', range.above)
    .where('bill_id', '<', range.below);
}

async function tradeBills(
  db: Kysely<Database>,
  pairs: PairsById,
  query: BillsQuery,
  range: Range,
): Promise<Bill[]> {
  const streams = billStreams(pairs, query);
  if (streams.length === 0) return [];
  const asked = { ...range, above: range.above - BILLS_PER_TRADE };
  const trades = await withinTime(db, 'trades', asked, query);
  const rows = await mergedTrades(db, streams, trades, query.limit + SPARE_ROWS);
  return rows
    .flatMap((row) => billsOf(row, pairs))
    .filter((bill) => bill.billId > range.above && bill.billId < range.below)
    .filter((bill) => query.assetId === undefined || bill.assetId === query.assetId)
    .filter(({ delta }) => query.tradeSide === undefined || sideOf(delta) === query.tradeSide);
}

/** The trades whose bills are asked for: those of pairs, which move spot wallets only. */
function billStreams(pairs: PairsById, query: BillsQuery): TradeStream[] {
  if (query.wallet !== 'spot') return [];
  return bizAskedFor(query)
    .flatMap((biz) =>
      biz === 'buy' ? ['buyer' as const] : biz === 'sell' ? ['seller' as const] : [],
    )
    .flatMap((party) => partyStreams(pairs, query, party));
}

function sideOf(delta: Amount): BillsQuery['tradeSide'] {
  return delta < 0n ? 'given' : 'received';
}

/** What a buyer does with base and quote coin. */
const SIDES = ['received', 'given'] as const;

/** Each trade of a stream has a bill of the page: of one coin, a party only receives or gives. */
function partyStreams(pairs: PairsById, query: BillsQuery, party: Party): TradeStream[] {
  const account: AccountId = query.accountId;
  const { tradeSide, assetId: asset, instrumentId: only } = query;
  const isWanted = (side: BillsQuery['tradeSide']): boolean =>
    asset === undefined || tradeSide === undefined || tradeSide === side;
  const [ofBase, ofQuote] = party === 'buyer' ? SIDES : SIDES.toReversed();
  if (only !== undefined) {
    const { baseAssetId, quoteAssetId } = instrumentOf(pairs, only);
    const has =
      asset === undefined ||
      (asset === baseAssetId && isWanted(ofBase)) ||
      (asset === quoteAssetId && isWanted(ofQuote));
    return has ? [{ by: 'instrument', party, accountId: account, instrumentId: only }] : [];
  }
  const asQuote = quoteCoins(pairs)
    .filter((quote) => asset === undefined || quote === asset)
    .filter(() => isWanted(ofQuote))
    .map((quoteAssetId) => ({ by: 'quote' as const, party, accountId: account, quoteAssetId }));
  const asBase = [...pairs.values()]
    .filter((pair) => pair.baseAssetId === asset)
    .filter(() => isWanted(ofBase))
    .map(({ instrumentId }) => ({
      by: 'instrument' as const,
      party,
      accountId: account,
      instrumentId,
    }));
  return [...asQuote, ...asBase];
}

/** The base bill and the quote bill of one party. */
function billsOf(row: PartyTrade, pairs: PairsById): Bill[] {
  const instrument = instrumentOf(pairs, row.instrument_id);
  const trade = TRADES.read(row);
  const { tradeId, timeMs, quoteAmount: amount } = trade;
  const buys = row.party === 'buyer';
  const size = BigInt(trade.sizeLots) * instrument.baseUnitsPerLot;
  const orderId = buys ? trade.buyerOrderId : trade.sellerOrderId;
  const party = {
    accountId: buys ? trade.buyerAccountId : trade.sellerAccountId,
    wallet: 'spot' as const,
    group: 'transaction' as const,
    biz: buys ? ('buy' as const) : ('sell' as const),
    traded: { instrumentId: trade.instrumentId, tradeId, orderId, base: size, quote: amount },
    timeMs,
  };
  return [
    {
      ...party,
      billId: tradeId + (buys ? 1 : 3),
      assetId: instrument.baseAssetId,
      delta: buys ? size : -size,
      fee: buys ? trade.buyerFee : 0n,
      balanceBefore: buys ? trade.buyerBaseBefore : trade.sellerBaseBefore,
    },
    {
      ...party,
      billId: tradeId + (buys ? 2 : 4),
      assetId: instrument.quoteAssetId,
      delta: buys ? -amount : amount,
      fee: buys ? 0n : trade.sellerFee,
      balanceBefore: buys ? trade.buyerQuoteBefore : trade.sellerQuoteBefore,
    },
  ];
}

function otherBill(row: RowOf<typeof BALANCE_CHANGES>): Bill {
  return { ...BALANCE_CHANGES.read(row), group: BILL_GROUPS[row.biz], fee: 0n, traded: undefined };
}
