/** An account's money: balances, bills and transfers. */
import type { Services } from '#api';
import {
  type AccountView,
  type BalanceView,
  type Listings,
  refuse,
  type SpotInstrument,
} from '#domain';
import { formatDecimal } from '#kernel';
import { coinOf } from '../coins.ts';
import { type CoinBalance, EncodedBalances } from '../encoded-balances.ts';
import { type SignedEndpoint, signedEndpoint } from '../endpoint.ts';
import {
  decimal,
  encoded,
  jsonList,
  listedName,
  listOf,
  oneOf,
  row,
  texts,
  truth,
  whole,
} from '../row.ts';
import { ratioText } from './amounts.ts';
import { costs } from './costs.ts';
import { SPOT_BASE, TIME_MS } from './spot-terms.ts';

const PPM_PER_BASIS_POINT = 100;

const BALANCE = row<CoinBalance>()({
  asset: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  free: decimal('Free to spend', '999970.60000000', ({ coin, balance }) =>
    formatDecimal(balance.available, coin.scale),
  ),
  locked: decimal('Reserved by orders or kept back by the operator', '29.40000000', (both) =>
    formatDecimal(both.balance.held + both.balance.locked, both.coin.scale),
  ),
});

const BALANCES = new EncodedBalances(BALANCE.write);

interface Account {
  readonly view: AccountView;
  readonly listings: Listings;
  /** Those of the account, or of the first pair. */
  readonly makerPpm: number;
  readonly takerPpm: number;
  readonly balances: readonly BalanceView[];
}

const RATES = row<Account>()({
  maker: decimal('Fee rate of the order that rests', '0.001', ({ makerPpm }) =>
    ratioText(makerPpm),
  ),
  taker: decimal('Fee rate of the order that takes', '0.001', ({ takerPpm }) =>
    ratioText(takerPpm),
  ),
});

const ACCOUNT = row<Account>()({
  makerCommission: whole('The maker rate in basis points', 10, ({ makerPpm }) =>
    Math.round(makerPpm / PPM_PER_BASIS_POINT),
  ),
  takerCommission: whole('The taker rate in basis points', 10, ({ takerPpm }) =>
    Math.round(takerPpm / PPM_PER_BASIS_POINT),
  ),
  commissionRates: { schema: RATES.schema, example: RATES.example, json: RATES.write },
  canTrade: truth('Whether it may trade', true, ({ view }) => !view.frozen),
  canWithdraw: truth('Whether it may withdraw', true, ({ view }) => !view.frozen),
  canDeposit: truth('Whether it may deposit', true, () => true),
  updateTime: whole('When a balance last changed', TIME_MS, ({ view, balances }) =>
    Math.max(view.createdTimeMs, ...balances.map(({ updatedTimeMs }) => updatedTimeMs)),
  ),
  accountType: oneOf(['SPOT'], 'Kind of account', 'SPOT', () => 'SPOT'),
  balances: encoded(listOf(BALANCE), ({ view, listings, balances }) =>
    jsonList(balances, (balance) =>
      BALANCES.json(view.accountId, coinOf(listings, balance), balance),
    ),
  ),
  permissions: texts('What it may trade', ['SPOT'], () => ['SPOT']),
  uid: whole('Account id', 1, ({ view }) => view.accountId),
});

const account = signedEndpoint({
  method: 'GET',
  path: `${SPOT_BASE}/account/`,
  ...costs(5),
  permission: 'read',
  summary: 'Balances and fee rates of the spot account',
  request: {},
  response: ACCOUNT,
  answer: ({ venue }: Services, _values, { accountId }) =>
    venue.read((state) => {
      const view = state.account(accountId);
      if (view === undefined) return refuse('account_unknown');
      const { listings } = state;
      const balances = [...view.spotBalances()];
      return ACCOUNT.write({ view, listings, balances, ...ratesOf(view, listings.spot[0]) });
    }, accountId),
});

function ratesOf(view: AccountView, pair: SpotInstrument | undefined) {
  return {
    makerPpm: view.makerFeePpm ?? pair?.makerFeePpm ?? 0,
    takerPpm: view.takerFeePpm ?? pair?.takerFeePpm ?? 0,
  };
}

export const SPOT_ACCOUNT = { account } as const satisfies Record<string, SignedEndpoint<Services>>;

/** The same under the spelling that some clients sign. */
export const OTHER_SPOT_ACCOUNT = {
  account: { ...account, path: `${SPOT_BASE}/account` },
} as const satisfies Record<string, SignedEndpoint<Services>>;
