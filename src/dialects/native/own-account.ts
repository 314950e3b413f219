/** The account of who asks: what this key or session may do, how it trades, and what it pays. */
import type { Services } from '#api';
import {
  type AccountView,
  PERMISSIONS,
  type Permission,
  refuse,
  SELF_TRADE_PREVENTIONS,
  WALLET_SCOPES,
} from '#domain';
import { formatRate } from '../kit/contract-figures.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import {
  type Column,
  decimal,
  jsonList,
  listOf,
  oneOf,
  row,
  text,
  texts,
  whole,
} from '../kit/row.ts';
import { BASE, marketsOf, type OfMarket, ONE_OR_ALL, SYMBOL } from './terms.ts';

const RATE = { limit: 20, windowMs: 1_000 };

interface Own {
  readonly account: AccountView;
  readonly permissions: readonly Permission[];
}

const OWN_ACCOUNT = row<Own>()({
  id: text('Account', '1', ({ account }) => String(account.accountId)),
  name: text('Its name', 'ada', ({ account }) => account.name),
  permissions: texts(
    'What this key or session may do: read, trade, transfer. A frozen account may only be read',
    PERMISSIONS,
    ({ account, permissions }) =>
      account.frozen ? permissions.filter((permission) => permission === 'read') : permissions,
  ),
  status: oneOf(
    ['active', 'frozen'],
    'frozen: the operator keeps it from changing anything',
    'active',
    ({ account }) => (account.frozen ? 'frozen' : 'active'),
  ),
  selfTradePrevention: oneOf(
    SELF_TRADE_PREVENTIONS,
    'What becomes of its orders that would meet each other',
    'cancel_taker',
    ({ account }) => account.selfTradePrevention,
  ),
  wallets: oneOf(
    WALLET_SCOPES,
    'coin: the linear contracts of a coin share the wallet margin; contract: each has its own. ' +
      '/v1/margin names that of each contract',
    'coin',
    ({ account }) => account.wallets,
  ),
  openOrdersMax: whole(
    'How many orders of pairs may be open at once',
    200,
    ({ account }) => account.openOrdersMax,
  ),
  time: whole(
    'When it was opened, in Unix milliseconds',
    TIME_MS,
    ({ account }) => account.createdTimeMs,
  ),
});

interface Fees extends OfMarket {
  readonly account: Pick<AccountView, 'takerFeePpm' | 'makerFeePpm'>;
}

function fee(
  description: string,
  example: string,
  rate: 'takerFeePpm' | 'makerFeePpm',
): Column<Fees, string> {
  return decimal(description, example, ({ market, account }) =>
    formatRate(account[rate] ?? market[rate]),
  );
}

const FEES = row<Fees>()({
  symbol: SYMBOL,
  takerFee: fee('Of what is traded, as a fraction', '0.001', 'takerFeePpm'),
  makerFee: fee('The same for resting orders', '0.001', 'makerFeePpm'),
});

export const OWN_ACCOUNT_ENDPOINTS = {
  account: signedEndpoint({
    method: 'GET',
    path: `${BASE}/account`,
    rate: RATE,
    permission: 'read',
    summary: 'The account of the key or session that asks, and what that may do',
    request: {},
    response: OWN_ACCOUNT,
    answer: ({ venue }: Services, _values, { accountId, caller: { permissions } }) =>
      venue.read((state) => {
        const account = state.account(accountId);
        if (account === undefined) return refuse('account_unknown');
        return OWN_ACCOUNT.write({ account, permissions });
      }, accountId),
  }),
  fees: signedEndpoint({
    method: 'GET',
    path: `${BASE}/fees`,
    rate: RATE,
    permission: 'read',
    summary: 'What the account pays in one market or in all: its own rates where it has any',
    request: { symbol: ONE_OR_ALL },
    response: listOf(FEES),
    answer: ({ venue }: Services, { symbol }, { accountId }) =>
      venue.read((state) => {
        const account = state.account(accountId);
        if (account === undefined) return refuse('account_unknown');
        const markets = symbol === undefined ? marketsOf(state.listings) : [symbol];
        return jsonList(markets, (market) => FEES.write({ market, account }));
      }, accountId),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
