/** Money of an account: in, out, locked, and between its own wallets. */

import { refuseSaying } from '#api';
import {
  type AccountId,
  type Amount,
  type Asset,
  type AssetId,
  type BalanceChanged,
  isRefused,
  type LockSet,
  type Refused,
  type Transferred,
  type VenuePort,
  type Wallet,
} from '#domain';
import { formatDecimal } from '#kernel';
import type { OperatorCall } from '../access/calls.ts';
import { carryOut } from '../kit/carry-out.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TRANSFER_ID } from '../kit/examples.ts';
import { shown } from '../kit/fields.ts';
import { formatId } from '../kit/ids.ts';
import { CONTRACT_SYMBOL, walletNamed } from '../kit/markets.ts';
import { clientId, type Named, optionalText, requiredText } from '../kit/request.ts';
import { type Column, decimal, id, row, text } from '../kit/row.ts';
import { movedByOperator } from './approvals.ts';
import { ACCOUNT_PATH, type AdminContext, onAccount } from './context.ts';
import { AMOUNT, required, type ScaledAmount } from './fields.ts';
import { resultBefore, submitOnce } from './money-once.ts';
import { onOpenAccount, refuseHandMoved } from './payment-accounts.ts';

/** What happened to money, and the coin it is of. */
export interface OfCoin<E> {
  readonly event: E;
  readonly coin: Asset;
}

type OfAccount = OfCoin<{ readonly accountId: AccountId }>;

const OWNER: Column<OfAccount, string> = text('Account id', '1', ({ event }) =>
  String(event.accountId),
);
export const COIN: Column<OfCoin<unknown>, string> = text('Coin', 'USDT', ({ coin }) => coin.code);

export function coinAmount<E>(
  description: string,
  example: string,
  of: (event: E) => Amount,
): Column<OfCoin<E>, string> {
  return decimal(description, example, ({ event, coin }) => formatDecimal(of(event), coin.scale));
}

export const MOVEMENT = row<OfCoin<BalanceChanged>>()({
  billId: id('The entry in the account history', formatId(12), ({ event }) =>
    formatId(event.billId),
  ),
  accountId: OWNER,
  wallet: text('Wallet', 'spot', ({ event }) => event.wallet),
  coin: COIN,
  amount: coinAmount('Signed: negative leaves the wallet', '250.00000000', ({ delta }) => delta),
  balance: coinAmount(
    'Balance after it',
    '1000250.00000000',
    ({ balanceBefore, delta }) => balanceBefore + delta,
  ),
});

const LOCK = row<OfCoin<LockSet>>()({
  accountId: OWNER,
  coin: COIN,
  lock: coinAmount('What is now locked', '250.00000000', ({ amount }) => amount),
});

interface TransferAsked extends OfCoin<Transferred> {
  readonly clientOid: string;
}

const TRANSFERRED = row<TransferAsked>()({
  transferId: id('The transfer', TRANSFER_ID, ({ event }) => formatId(event.transferId)),
  accountId: OWNER,
  coin: COIN,
  amount: coinAmount('Amount', '250.00000000', ({ amount }) => amount),
  from: text('Wallet', 'spot', ({ event }) => event.from),
  to: text('Wallet', CONTRACT_SYMBOL, ({ event }) => event.to),
  clientOid: text('Id given by the caller; may be empty', 'ticket-4711', (one) => one.clientOid),
});

/** A coin by its code, in any case. */
export const LISTED_COIN: Named<string, Asset> = {
  ...requiredText('Coin, as in USDT'),
  find: (given, listings) => {
    const code = given.toUpperCase();
    return listings.assetByCode(code) ?? refuseSaying('coin_unknown', shown(code));
  },
};

export const MONEY = {
  coin: LISTED_COIN,
  amount: required(AMOUNT, 'Decimal amount, no finer than the coin'),
};

const WALLET: Named<string, Wallet> = {
  ...requiredText('Wallet'),
  find: (given, listings) => walletNamed(listings, given),
};

const WALLET_OR_SPOT: Named<string, Wallet> = {
  ...optionalText(`spot (default), margin or a contract, as in ${CONTRACT_SYMBOL}`),
  find: (given, listings) => walletNamed(listings, given || 'spot'),
};

/** So much of a coin. */
export interface Money {
  readonly coin: Asset;
  readonly amount: ScaledAmount;
}

/** Of a call that moves money: sent again, because its answer was lost, it moves none. */
export const CLIENT_OID = clientId(
  'Your own id for it, new for each: the same call again within 30 days answers the first result',
);

export const FUNDS = {
  wallet: WALLET_OR_SPOT,
  ...MONEY,
  clientOid: CLIENT_OID,
};

const FUNDED = { coin: 'USDT', amount: '250' };
const FUNDED_ONCE = { ...FUNDED, clientOid: 'ticket-4711' };

export const MONEY_ENDPOINTS = {
  deposit: operatorEndpoint({
    method: 'POST',
    path: `${ACCOUNT_PATH}/deposits`,
    duty: 'run',
    summary: 'Credit money that came in',
    request: FUNDS,
    response: MOVEMENT,
    example: { request: FUNDED_ONCE },
    answer: (context: AdminContext, asked, call) => fundByOperator(context, 'deposit', asked, call),
  }),
  withdraw: operatorEndpoint({
    method: 'POST',
    path: `${ACCOUNT_PATH}/withdrawals`,
    duty: 'run',
    summary: 'Debit money that goes out; only what is available',
    request: FUNDS,
    response: MOVEMENT,
    example: {
      request: FUNDED_ONCE,
      data: { ...MOVEMENT.example, amount: '-250.00000000', balance: '1000000.00000000' },
    },
    answer: (context: AdminContext, asked, call) =>
      fundByOperator(context, 'withdraw', asked, call),
  }),
  lock: operatorEndpoint({
    method: 'POST',
    path: `${ACCOUNT_PATH}/locks`,
    duty: 'run',
    summary: 'Set how much of a spot balance the owner may not use; 0 unlocks',
    request: MONEY,
    response: LOCK,
    example: { request: FUNDED },
    answer: async ({ venue }: AdminContext, asked, { path }) => {
      const { coin } = asked;
      const money = moneyOf(asked);
      if (isRefused(money)) return money;
      const event = await carryOut(venue, 'lock_set', (state) =>
        onOpenAccount(state, path.account, ({ accountId }) => {
          return { kind: 'set_lock', accountId, ...money };
        }),
      );
      return isRefused(event) ? event : LOCK.write({ event, coin });
    },
  }),
  transfer: operatorEndpoint({
    method: 'POST',
    path: `${ACCOUNT_PATH}/transfers`,
    duty: 'run',
    summary: "Move money between two of an account's wallets",
    request: {
      ...MONEY,
      from: WALLET,
      to: WALLET,
      clientOid: CLIENT_OID,
    },
    response: TRANSFERRED,
    example: { request: { ...FUNDED_ONCE, from: 'spot', to: CONTRACT_SYMBOL } },
    answer: async ({ venue }: AdminContext, asked, { path }) => {
      const { coin, from, to, clientOid: operatorOid } = asked;
      const money = moneyOf(asked);
      if (isRefused(money)) return money;
      const command = await venue.read((state) =>
        onOpenAccount(state, path.account, ({ accountId }) => {
          return { kind: 'transfer', accountId, ...money, from, to, operatorOid } as const;
        }),
      );
      if (isRefused(command)) return command;
      const event = await submitOnce(venue, 'transferred', command);
      if (isRefused(event)) return event;
      return TRANSFERRED.write({ event, coin, clientOid: operatorOid ?? '' });
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

/** Money in the units of its coin. */
export function moneyOf({
  coin,
  amount,
}: Money): { readonly assetId: AssetId; readonly amount: Amount } | Refused {
  const units = amount(coin.scale);
  return isRefused(units) ? units : { assetId: coin.assetId, amount: units };
}

/** Money of an account that is to be put in or taken out. */
interface FundsAsked extends Money {
  readonly wallet: Wallet;
  readonly clientOid: string | undefined;
}

/** As fund, or kept for a second operator where it is that much. */
async function fundByOperator(
  context: AdminContext,
  kind: 'deposit' | 'withdraw',
  asked: FundsAsked,
  call: OperatorCall,
): Promise<string | Refused> {
  const { coin, wallet, clientOid: operatorOid } = asked;
  const { account } = call.path;
  const money = moneyOf(asked);
  if (isRefused(money)) return money;
  const owner = await context.venue.read((state) => onAccount(state, account, (one) => one));
  if (isRefused(owner)) return owner;
  const { accountId, name } = owner;
  const command = { kind, accountId, wallet, ...money, operatorOid };
  const before = await resultBefore(context.venue, 'balance_changed', command);
  if (before !== undefined)
    return isRefused(before) ? before : MOVEMENT.write({ event: before, coin });
  const reserved = { kind, name, coin, amount: money.amount };
  const refused = await refuseHandMoved(context.payments, reserved);
  if (refused !== undefined) return refused;
  const at = { accountId, wallet };
  const movement = { kind, coin, amount: money.amount, at, clientOid: operatorOid };
  return movedByOperator(context, call, movement, () =>
    fund(context.venue, kind, String(accountId), asked),
  );
}

/** Puts money into a wallet, or takes it out; once, where it is asked for under an id. */
export async function fund(
  venue: VenuePort,
  kind: 'deposit' | 'withdraw',
  account: string | undefined,
  asked: FundsAsked,
): Promise<string | Refused> {
  const { coin, wallet, clientOid: operatorOid } = asked;
  const money = moneyOf(asked);
  if (isRefused(money)) return money;
  const find = kind === 'deposit' ? onOpenAccount : onAccount;
  const command = await venue.read((state) =>
    find(state, account, ({ accountId }) => ({ kind, accountId, wallet, ...money, operatorOid })),
  );
  if (isRefused(command)) return command;
  const event = await submitOnce(venue, 'balance_changed', command);
  return isRefused(event) ? event : MOVEMENT.write({ event, coin });
}
