/** An account's money: balances, bills and transfers. */
import type { DataJson, Services } from '#api';
import {
  type AccountId,
  type AccountView,
  type Listings,
  refuse,
  type SpotInstrument,
} from '#domain';
import { formatDecimal } from '#kernel';
import { coinOf } from '../kit/coins.ts';
import { type CoinBalance, EncodedBalances } from '../kit/encoded-balances.ts';
import { inOnePiece } from '../kit/encoded-market.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import {
  decimal,
  encoded,
  listedName,
  listOf,
  oneOf,
  row,
  texts,
  truth,
  whole,
} from '../kit/row.ts';
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

/** All that an answer is made of. */
interface Account {
  readonly accountId: AccountId;
  readonly frozen: boolean;
  /** Those of the account, or of the first pair. */
  readonly makerPpm: number;
  readonly takerPpm: number;
  readonly updatedTimeMs: number;
  /** Its balances, encoded. */
  readonly rows: readonly DataJson[];
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
  canTrade: truth('Whether it may trade', true, ({ frozen }) => !frozen),
  canWithdraw: truth('Whether it may withdraw', true, ({ frozen }) => !frozen),
  canDeposit: truth('Whether it may deposit', true, () => true),
  updateTime: whole('When a balance last changed', TIME_MS, ({ updatedTimeMs }) => updatedTimeMs),
  accountType: oneOf(['SPOT'], 'Kind of account', 'SPOT', () => 'SPOT'),
  balances: encoded(listOf(BALANCE), ({ rows }) => `[${rows.join(',')}]`),
  permissions: texts('What it may trade', ['SPOT'], () => ['SPOT']),
  uid: whole('Account id', 1, ({ accountId }) => accountId),
});

/** Balances of all answers kept; with more all are forgotten, which costs encoding them again. */
const KEPT_ROWS_MAX = 16_384;

/** Answers encoded once per change, as their balances are: that is a tenth of what one costs. */
class EncodedAccounts {
  readonly #known = new Map<AccountId, { readonly of: Account; readonly json: DataJson }>();
  #rowsCount = 0;

  json(account: Account): DataJson {
    const { accountId } = account;
    const known = this.#known.get(accountId);
    if (known !== undefined && isSame(known.of, account)) return known.json;
    this.#rowsCount += rowsOf(account) - (known === undefined ? 0 : rowsOf(known.of));
    if (this.#rowsCount > KEPT_ROWS_MAX) {
      this.#known.clear();
      this.#rowsCount = rowsOf(account);
    }
    const json = inOnePiece(ACCOUNT.write(account));
    this.#known.set(accountId, { of: account, json });
    return json;
  }
}

/** An answer takes about as much as a balance even if it has none. */
function rowsOf({ rows }: Account): number {
  return rows.length + 1;
}

function isSame(one: Account, other: Account): boolean {
  return (
    one.updatedTimeMs === other.updatedTimeMs &&
    one.frozen === other.frozen &&
    one.makerPpm === other.makerPpm &&
    one.takerPpm === other.takerPpm &&
    one.rows.length === other.rows.length &&
    one.rows.every((row, at) => row === other.rows[at])
  );
}

const ACCOUNTS = new EncodedAccounts();

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
      return ACCOUNTS.json(accountOf(view, state.listings));
    }, accountId),
});

function accountOf(view: AccountView, listings: Listings): Account {
  const { accountId, frozen } = view;
  const rows: DataJson[] = [];
  let updatedTimeMs = view.createdTimeMs;
  for (const balance of view.spotBalances()) {
    rows.push(BALANCES.json(accountId, coinOf(listings, balance), balance));
    if (balance.updatedTimeMs > updatedTimeMs) updatedTimeMs = balance.updatedTimeMs;
  }
  return { accountId, frozen, rows, updatedTimeMs, ...ratesOf(view, listings.spot[0]) };
}

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
