/** Accounts: listed, opened, changed, and their orders cancelled. */
import {
  type AccountChanges,
  type AccountId,
  type AccountSettings,
  type AccountView,
  accountId,
  type BalanceView,
  isRefused,
  LIMITS,
  type Listings,
  type Refused,
  refuse,
  SELF_TRADE_PREVENTIONS,
  type VenuePort,
  WALLET_SCOPES,
  WALLETS_DEFAULT,
  type Wallet,
} from '#domain';
import { formatDecimal, present } from '#kernel';
import { looksLikePayments } from '#people';
import { carryOut, submit, workDone } from '../kit/carry-out.ts';
import { formatRate } from '../kit/contract-figures.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { optionalText, pageLimit, requiredText, type Values, wholeNumber } from '../kit/request.ts';
import {
  type Column,
  columnsOf,
  decimal,
  jsonList,
  listOf,
  nullOr,
  oneOf,
  row,
  rows,
  text,
  timeMs,
  truth,
  whole,
} from '../kit/row.ts';
import { ACCOUNT_PATH, type AdminContext, BASE, onAccount } from './context.ts';
import { flag, given, optional, rateOrNull, WHOLE, word } from './fields.ts';
import { onOpenAccount } from './payment-accounts.ts';

function ownRate(of: (account: AccountView) => number | null): Column<AccountView, string | null> {
  const rate = decimal('Rate as a fraction: 0.001 is 0.1 %', '0.001', (account: AccountView) =>
    formatRate(of(account) ?? 0),
  );
  return { ...nullOr("null for the pair's", rate, (one) => of(one) === null), example: null };
}

const ACCOUNT = row<AccountView>()({
  accountId: text('Account id', '1', (account) => String(account.accountId)),
  name: text('Account name', 'demo', ({ name }) => name),
  frozen: truth('Refused orders, cancels and transfers; reads work', false, ({ frozen }) => frozen),
  moneyHolder: text(
    'Competition and round that hold its money: nothing comes in or goes out; empty for none',
    '',
    ({ moneyHolder }) => moneyHolder,
  ),
  selfTradePrevention: oneOf(
    SELF_TRADE_PREVENTIONS,
    'What happens when it meets itself',
    'cancel_maker',
    ({ selfTradePrevention }) => selfTradePrevention,
  ),
  openOrdersMax: whole('Open orders at a time', 1000, ({ openOrdersMax }) => openOrdersMax),
  takerFee: ownRate(({ takerFeePpm }) => takerFeePpm),
  makerFee: ownRate(({ makerFeePpm }) => makerFeePpm),
  wallets: oneOf(
    WALLET_SCOPES,
    'What has a margin wallet of its own; coin: all linear contracts of a coin share one',
    WALLETS_DEFAULT,
    ({ wallets }) => wallets,
  ),
  openOrders: whole('Open orders now', 0, ({ openOrdersCount }) => openOrdersCount),
  cTime: timeMs('When it was created', TIME_MS, ({ createdTimeMs }) => createdTimeMs),
});

interface WalletBalance {
  readonly wallet: Wallet;
  readonly balance: BalanceView;
  readonly listings: Listings;
}

function walletAmount(
  description: string,
  example: string,
  of: (balance: BalanceView) => bigint,
): Column<WalletBalance, string> {
  return decimal(description, example, ({ balance, listings }) =>
    formatDecimal(of(balance), coinOf(balance, listings).scale),
  );
}

const BALANCE = row<WalletBalance>()({
  wallet: text(
    'spot, the contract whose margin it is, or margin for all of the coin',
    'spot',
    ({ wallet }) => wallet,
  ),
  coin: text('Coin', 'USDT', ({ balance, listings }) => coinOf(balance, listings).code),
  balance: walletAmount('All of it', '1000000.00000000', ({ balance }) => balance),
  available: walletAmount(
    'What can be spent, withdrawn or transferred',
    '1000000.00000000',
    ({ available }) => available,
  ),
  frozen: walletAmount('Reserved by open orders', '0.00000000', ({ held }) => held),
  lock: walletAmount('Locked by the operator', '0.00000000', ({ locked }) => locked),
});

interface ListedAccount {
  readonly account: AccountView;
  readonly listings: Listings;
}

const ACCOUNT_WITH_BALANCES = row<ListedAccount>()({
  ...columnsOf(ACCOUNT, ({ account }: ListedAccount) => account),
  balances: rows(BALANCE, balancesOf),
});

const CANCELLED = row<{ readonly accountId: AccountId; readonly cancelled: number }>()({
  accountId: text('Account id', '1', (done) => String(done.accountId)),
  cancelled: whole('Open orders, plan orders not counted', 12, ({ cancelled }) => cancelled),
});

const SETTINGS = {
  frozen: flag('Refuse orders, cancels and transfers'),
  selfTradePrevention: optional(
    word(SELF_TRADE_PREVENTIONS, 'cancel_maker'),
    'cancel_maker (default), cancel_taker, cancel_both or none',
  ),
  openOrdersMax: optional(WHOLE, 'Open orders at a time (1000 by default)'),
  takerFee: rateOrNull("Taker fee instead of the pair's, as a fraction; null to go back"),
  makerFee: rateOrNull("Maker fee instead of the pair's, as a fraction; null to go back"),
};

const WALLETS_TEXT =
  'coin (default): one margin wallet for all linear contracts of a coin, cross to begin with; ' +
  'contract: one for each contract, isolated to begin with. It cannot be changed later';

export const ACCOUNT_ENDPOINTS = {
  accounts: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/accounts`,
    summary: 'Accounts by id, page by page (100 by default, up to 500)',
    request: {
      after: wholeNumber('Account id: accounts behind it'),
      limit: pageLimit('Rows wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
    },
    response: listOf(ACCOUNT),
    example: { request: { limit: '1' } },
    // Ids have no gaps, so a page costs what it shows and not what lies before it.
    answer: ({ venue }: AdminContext, { after = 0, limit }) =>
      venue.read((state) => {
        const found: AccountView[] = [];
        for (let id = after + 1; id <= state.accountsCount && found.length < limit; id += 1) {
          found.push(present(state.account(accountId(id)), `account ${id}`));
        }
        return jsonList(found, ACCOUNT.write);
      }),
  }),
  createAccount: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/accounts`,
    duty: 'run',
    summary: 'Open an account',
    request: {
      name: requiredText('Letters, digits, dot, dash, underscore'),
      ...SETTINGS,
      wallets: optional(word(WALLET_SCOPES, WALLETS_DEFAULT), WALLETS_TEXT),
    },
    response: ACCOUNT,
    example: { request: { name: 'demo' } },
    answer: async ({ venue }: AdminContext, asked) => {
      const { name, wallets = WALLETS_DEFAULT } = asked;
      if (looksLikePayments(name)) return refuse('account_reserved');
      const settings = { ...UNSAID_SETTINGS, name, wallets, ...changesOf(asked) };
      const event = await submit(venue, 'account_created', { kind: 'create_account', settings });
      return isRefused(event) ? event : readBack(venue, event.accountId);
    },
  }),
  account: operatorEndpoint({
    method: 'GET',
    path: ACCOUNT_PATH,
    summary: 'One account, by id or name, with its balances',
    request: {},
    response: ACCOUNT_WITH_BALANCES,
    answer: ({ venue }: AdminContext, _asked, { path }) =>
      venue.read((state) =>
        onAccount(state, path.account, (account) =>
          ACCOUNT_WITH_BALANCES.write({ account, listings: state.listings }),
        ),
      ),
  }),
  updateAccount: operatorEndpoint({
    method: 'PATCH',
    path: ACCOUNT_PATH,
    duty: 'run',
    summary: 'Change the settings that are given; freeze and unfreeze',
    request: { name: optionalText('New name'), ...SETTINGS },
    response: ACCOUNT,
    example: { request: { frozen: true }, data: { ...ACCOUNT.example, frozen: true } },
    answer: async ({ venue }: AdminContext, { name, ...asked }, { path }) => {
      const changes = { ...(name === '' ? {} : { name }), ...changesOf(asked) };
      if (looksLikePayments(name)) return refuse('account_reserved');
      const event = await carryOut(venue, 'account_updated', (state) =>
        onOpenAccount(state, path.account, ({ accountId }) => ({
          kind: 'update_account',
          accountId,
          changes,
        })),
      );
      return isRefused(event) ? event : readBack(venue, event.accountId);
    },
  }),
  cancelOrders: operatorEndpoint({
    method: 'POST',
    path: `${ACCOUNT_PATH}/cancel-orders`,
    duty: 'run',
    summary: 'Cancel every open order of an account, plan orders too',
    request: {},
    response: CANCELLED,
    answer: async ({ venue }: AdminContext, _asked, { path }) => {
      const owner = await venue.read((state) =>
        onOpenAccount(state, path.account, (account) => account),
      );
      return isRefused(owner) ? owner : cancelOrders(venue, owner.accountId);
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

/** What a new account has unless more is said. */
export const UNSAID_SETTINGS: Omit<AccountSettings, 'name' | 'wallets'> = {
  frozen: false,
  selfTradePrevention: 'cancel_maker',
  openOrdersMax: LIMITS.accountOpenOrdersMax,
  takerFeePpm: null,
  makerFeePpm: null,
};

/** Only what is given: the rest stays as it is. */
function changesOf(asked: Values<typeof SETTINGS>): Omit<AccountChanges, 'name'> {
  const { frozen, selfTradePrevention, openOrdersMax } = asked;
  const fees = { takerFeePpm: asked.takerFee, makerFeePpm: asked.makerFee };
  return given({ frozen, selfTradePrevention, openOrdersMax, ...fees });
}

function coinOf({ assetId }: BalanceView, listings: Listings) {
  return present(listings.asset(assetId), 'asset of a balance');
}

/** Every balance the account ever had, the spot wallet first. */
function* balancesOf({ account, listings }: ListedAccount): Iterable<WalletBalance> {
  for (const balance of account.spotBalances()) yield { wallet: 'spot', balance, listings };
  for (const [wallet, balance] of account.contractBalances()) yield { wallet, balance, listings };
}

function readBack(venue: VenuePort, id: AccountId): Promise<string> {
  return venue.read((state) => ACCOUNT.write(present(state.account(id), `account ${id}`)));
}

async function cancelOrders(venue: VenuePort, accountId: AccountId): Promise<string | Refused> {
  const [spot, contracts] = await Promise.all([
    submit(venue, 'orders_cancelled', { kind: 'cancel_all_spot_orders', accountId }),
    submit(venue, 'orders_cancelled', { kind: 'cancel_all_contract_orders', accountId }),
  ]);
  if (isRefused(spot)) return spot;
  if (isRefused(contracts)) return contracts;
  await workDone(venue);
  return CANCELLED.write({ accountId, cancelled: spot.ordersCount + contracts.ordersCount });
}
