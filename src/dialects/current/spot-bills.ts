/** What has changed an account's money: bills of the spot wallet, and transfers. */
import type { Services } from '#api';
import { type Asset, isRefused, type Listings, type Wallet } from '#domain';
import { type Bill, netOfBill, type TransferRecord, type WalletKind } from '#history';
import { assert, formatDecimal, formatTrimmed, present } from '#kernel';
import { COIN_ID, coinOf } from '../kit/coins.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { formatId } from '../kit/ids.ts';
import { ENDS_BY_TIME, TRANSFERS_END } from '../kit/page-ends.ts';
import { optionalChoice } from '../kit/request.ts';
import {
  decimal,
  id,
  jsonList,
  listedName,
  listOf,
  oneOf,
  row,
  rows,
  text,
  timeMs,
  truth,
  whole,
} from '../kit/row.ts';
import { costs } from './costs.ts';
import { BEFORE_BILL, BEYOND, ownRowsWanted, pageFrom } from './parameters.ts';
import { SPOT_BASE, TIME_MS } from './spot-terms.ts';
import { END_TIME, rangeOf, START_TIME, timeMsField } from './time-range.ts';

const BILLS_DEFAULT = 10;
const ROWS_MAX = 100;
const FIRST_PAGE = 1;

const BIZ_WORDS = [
  ...['deposit', 'withdraw', 'transfer_in', 'transfer_out'],
  ...['trade_in', 'trade_out'],
] as const;

/** What a business is in the history, which knows one of a trade by what was given. */
interface Business {
  readonly biz?: Bill['biz'];
  readonly tradeSide?: 'received' | 'given';
}

const BUSINESS: ReadonlyMap<string, Business | undefined> = new Map<string, Business>([
  ['deposit', { biz: 'deposit' }],
  ['withdraw', { biz: 'withdraw' }],
  ['transfer_in', { biz: 'transfer_in' }],
  ['transfer_out', { biz: 'transfer_out' }],
  ['trade_in', { tradeSide: 'received' }],
  ['trade_out', { tradeSide: 'given' }],
]);

interface CoinBill {
  readonly listings: Listings;
  readonly coin: Asset;
  readonly bill: Bill;
}

const BILL = row<CoinBill>()({
  billId: id('Bill id', formatId(33), ({ bill }) => formatId(bill.billId)),
  coinId: whole('Number of the coin', 2, ({ coin }) => coin.coinId),
  coinName: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  bizType: oneOf(BIZ_WORDS, 'trade_in was received, trade_out was given', 'trade_out', bizOf),
  fillSize: decimal('Base coin of the trade; 0 for none', '0.0005', (shown) =>
    tradedText(shown, 'base'),
  ),
  fillValue: decimal('Quote coin of the trade; 0 for none', '15.005', (shown) =>
    tradedText(shown, 'quote'),
  ),
  deltaAmount: decimal(
    'Change after the fee; negative leaves the account',
    '-15.00500000',
    (both) => formatDecimal(netOfBill(both.bill), both.coin.scale),
  ),
  afterAmount: decimal('What the account held afterwards', '999984.99500000', ({ coin, bill }) =>
    formatDecimal(bill.balanceBefore + netOfBill(bill), coin.scale),
  ),
  fees: decimal('Fee that the change contains', '0.00000000', ({ coin, bill }) =>
    formatDecimal(bill.fee, coin.scale),
  ),
  cTime: timeMs('When it happened', TIME_MS, ({ bill }) => bill.timeMs),
});

function bizOf({ bill }: CoinBill): (typeof BIZ_WORDS)[number] {
  const { biz } = bill;
  if (biz === 'buy' || biz === 'sell') return bill.delta > 0n ? 'trade_in' : 'trade_out';
  assert(biz !== 'funding', 'no funding is paid from a spot wallet');
  return biz;
}

function tradedText({ listings, bill: { traded } }: CoinBill, side: 'base' | 'quote'): string {
  if (traded === undefined) return '0';
  const pair = present(listings.spotById(traded.instrumentId), 'pair of a bill');
  return formatTrimmed(traded[side], pair[side].scale);
}

const WALLETS = ['SPOT', 'CONTRACT'] as const;

interface CoinTransfer {
  readonly coin: Asset;
  readonly transfer: TransferRecord;
}

const TRANSFER = row<CoinTransfer>()({
  coinName: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  status: oneOf(['Successful'], 'A transfer is done at once', 'Successful', () => 'Successful'),
  toType: oneOf(WALLETS, 'Where to', 'CONTRACT', ({ transfer }) => walletWord(transfer.to)),
  toSymbol: text('Always empty', '', () => ''),
  fromType: oneOf(WALLETS, 'Where from', 'SPOT', ({ transfer }) => walletWord(transfer.from)),
  fromSymbol: text('Always empty', '', () => ''),
  amount: decimal('Amount in coins', '250.00000000', ({ coin, transfer }) =>
    formatDecimal(transfer.amount, coin.scale),
  ),
  tradeTime: timeMs('When it happened', TIME_MS, ({ transfer }) => transfer.timeMs),
});

function walletWord(wallet: Wallet): (typeof WALLETS)[number] {
  return wallet === 'spot' ? 'SPOT' : 'CONTRACT';
}

/** There is no funding wallet: nothing is transferred from it. */
const FROM_TYPES: ReadonlyMap<string, WalletKind | 'funding' | undefined> = new Map<
  string,
  WalletKind | 'funding'
>([
  ['spot', 'spot'],
  ['contract', 'contract'],
  ['funding', 'funding'],
]);

/** A page of a wallet that this venue does not have. */
const FUNDING_PAGE = row<{ readonly page: number; readonly pageSize: number }>()({
  total: whole('Bills of all pages', 0, () => 0),
  pageSize: whole('Bills of a page', BILLS_DEFAULT, ({ pageSize }) => pageSize),
  pages: whole('Pages', 0, () => 0),
  page: whole('This page', FIRST_PAGE, ({ page }) => page),
  hasNextPage: truth('Whether there is another', false, () => false),
  items: rows(BILL, () => [], []),
});

const AFTER = timeMsField('From this time on, in milliseconds');
const BEFORE = timeMsField('Up to this time, in milliseconds');

const BIZ_TYPE = optionalChoice(BIZ_WORDS.join(', '), BUSINESS, undefined, BIZ_WORDS);

export const SPOT_BILLS = {
  bills: signedEndpoint({
    method: 'POST',
    path: `${SPOT_BASE}/account/bills`,
    ...costs(5),
    permission: 'read',
    summary: `Every change of a spot balance, newest first. ${ENDS_BY_TIME}; ${BEYOND}`,
    request: {
      coinId: COIN_ID,
      bizType: BIZ_TYPE,
      after: AFTER,
      before: BEFORE,
      limit: ownRowsWanted(BILLS_DEFAULT, ROWS_MAX),
      beforeId: BEFORE_BILL,
    },
    response: listOf(BILL),
    example: { request: { coinId: 2, limit: 1 } },
    answer: async ({ live, history, historyReady }: Services, asked, { accountId }) => {
      const { coinId, bizType, after, before, limit, beforeId: afterId } = asked;
      const range = rangeOf(after, before);
      if (isRefused(range)) return range;
      await historyReady();
      const query = { accountId, wallet: 'spot', assetId: coinId?.assetId, afterId } as const;
      const page = { limit, whole: 'millisecond' } as const;
      const bills = await history.bills({ ...query, ...bizType, ...range, ...page });
      const { listings } = live;
      return jsonList(bills, (bill) =>
        BILL.write({ listings, coin: coinOf(listings, bill), bill }),
      );
    },
  }),
  fundingBills: signedEndpoint({
    method: 'POST',
    path: `${SPOT_BASE}/account/fundingBills`,
    ...costs(5),
    permission: 'read',
    summary: 'Bills of the funding wallet, which this venue does not have: none',
    request: {
      coinId: COIN_ID,
      bizType: BIZ_TYPE,
      startTime: START_TIME,
      endTime: END_TIME,
      pageIndex: pageFrom(FIRST_PAGE),
      pageSize: ownRowsWanted(BILLS_DEFAULT, ROWS_MAX),
    },
    response: FUNDING_PAGE,
    answer: (_services: Services, { startTime, endTime, pageIndex: page, pageSize }) => {
      const range = rangeOf(startTime, endTime);
      return isRefused(range) ? range : FUNDING_PAGE.write({ page, pageSize });
    },
  }),
  transferRecords: signedEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/account/transferRecords`,
    ...costs(3),
    permission: 'read',
    summary: `Transfers between spot and contracts, newest first. ${TRANSFERS_END}`,
    request: {
      coinId: COIN_ID,
      fromType: optionalChoice('SPOT, CONTRACT or FUNDING', FROM_TYPES, undefined, [
        ...WALLETS,
        'FUNDING',
      ]),
      after: AFTER,
      before: BEFORE,
      limit: ownRowsWanted(ROWS_MAX, ROWS_MAX),
    },
    response: listOf(TRANSFER),
    example: { request: { limit: '1' } },
    answer: async ({ live, history, historyReady }: Services, asked, { accountId, nowMs }) => {
      const { coinId, fromType, after, before, limit } = asked;
      const range = rangeOf(after, before);
      if (isRefused(range)) return range;
      if (fromType === 'funding') return '[]';
      await historyReady();
      const found = await history.transfers({
        accountId,
        assetId: coinId?.assetId,
        fromType,
        // With both bounds, which are no part of the range there, the newest come first.
        afterTimeMs: (range.toMs ?? nowMs) + 1,
        beforeTimeMs: (range.fromMs ?? 0) - 1,
        limit,
        whole: 'millisecond',
      });
      return jsonList(found, (transfer) =>
        TRANSFER.write({ coin: coinOf(live.listings, transfer), transfer }),
      );
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

/** The same rows under the path by which clients ask for what is to be taxed. */
export const OTHER_SPOT_BILLS = {
  taxIncome: { ...SPOT_BILLS.bills, path: `${SPOT_BASE}/tax/income` },
} as const satisfies Record<string, SignedEndpoint<Services>>;
