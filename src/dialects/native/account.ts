/** What an account has: coins in its wallets, and positions. */
import type { Services } from '#api';
import {
  type AccountId,
  type Asset,
  AVERAGE_EXTRA_SCALE,
  type BalanceView,
  type Contract,
  HOLD_SIDES,
  type MarginAccountView,
  type PositionView,
  type StateReader,
  type Wallet,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { priceText } from '../kit/amounts.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { decimal, jsonList, listedName, listOf, oneOf, row, whole } from '../kit/row.ts';
import { BASE, sizeText } from './terms.ts';

const RATE = { limit: 100, windowMs: 1_000 };

export interface Held {
  readonly wallet: Wallet;
  readonly coin: Pick<Asset, 'code' | 'scale'>;
  readonly balance: BalanceView;
}

function amount(description: string, example: string, of: (balance: BalanceView) => bigint) {
  return decimal<Held>(description, example, ({ coin, balance }) =>
    formatTrimmed(of(balance), coin.scale),
  );
}

export const BALANCE = row<Held>()({
  wallet: listedName(
    'spot, margin, or the contract whose wallet it is',
    'spot',
    ({ wallet }) => wallet,
  ),
  coin: listedName('Coin', 'USDT', ({ coin }) => coin.code),
  balance: amount('All of it', '1000', ({ balance }) => balance),
  available: amount('What can be spent or moved', '985.3', ({ available }) => available),
  held: amount('Reserved by open orders', '14.7', ({ held }) => held),
  locked: amount('Locked by the operator', '0', ({ locked }) => locked),
});

interface Position {
  readonly contract: Contract;
  readonly account: MarginAccountView;
  readonly position: PositionView;
}

function money(description: string, example: string, of: (position: PositionView) => bigint) {
  return decimal<Position>(description, example, ({ contract, position }) =>
    formatTrimmed(of(position), contract.margin.scale),
  );
}

export const POSITION = row<Position>()({
  symbol: listedName('Contract', 'BTC-USDT-PERP', ({ contract }) => contract.symbol),
  side: oneOf(HOLD_SIDES, 'Side', 'long', ({ position }) => position.side),
  size: decimal('Contracts', '10', ({ contract, position }) => sizeText(position.lots, contract)),
  entry: decimal('Average price of entry', '30000', ({ contract, position }) =>
    formatTrimmed(position.averageEntry, contract.priceScale + AVERAGE_EXTRA_SCALE),
  ),
  marginMode: oneOf(
    ['isolated', 'cross'],
    'How it is margined',
    'isolated',
    ({ account }) => account.marginMode,
  ),
  leverage: whole('Leverage', 20, ({ position }) => position.leverage),
  margin: money('Margin in use, in the money of the contract', '15', ({ margin }) => margin),
  unrealizedPnl: money('At the mark price', '-0.01', ({ unrealizedPnl }) => unrealizedPnl),
  realizedPnl: money('Since it was opened', '0', ({ realizedPnl }) => realizedPnl),
  liquidation: decimal(
    'Estimated price that liquidates it; 0 for none',
    '28652.1',
    ({ contract, position }) => priceText(position.liquidationTicks, contract),
  ),
});

export const ACCOUNT = {
  balances: signedEndpoint({
    method: 'GET',
    path: `${BASE}/balances`,
    rate: RATE,
    permission: 'read',
    summary: 'Every coin in every wallet that the account has ever touched',
    request: {},
    response: listOf(BALANCE),
    answer: ({ venue }: Services, _values, { accountId }) =>
      venue.read((state) => jsonList(balancesOf(state, accountId), BALANCE.write), accountId),
  }),
  positions: signedEndpoint({
    method: 'GET',
    path: `${BASE}/positions`,
    rate: RATE,
    permission: 'read',
    summary: 'Positions that are held, contract by contract, long before short',
    request: {},
    response: listOf(POSITION),
    answer: ({ venue }: Services, _values, { accountId }) =>
      venue.read((state) => jsonList(heldSides(state, accountId), POSITION.write), accountId),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

export function balancesOf(state: StateReader, accountId: AccountId): readonly Held[] {
  const account = present(state.account(accountId), 'account of a key');
  const held = (wallet: Wallet, balance: BalanceView): Held => ({
    wallet,
    coin: present(state.listings.asset(balance.assetId), 'coin of a balance'),
    balance,
  });
  return [
    ...Array.from(account.spotBalances(), (balance) => held('spot', balance)),
    ...Array.from(account.contractBalances(), ([wallet, balance]) => held(wallet, balance)),
  ];
}

/** Sides that are held, contract by contract, long before short. */
export function heldSides(state: StateReader, accountId: AccountId): readonly Position[] {
  return [...state.listings.contracts.values()].flatMap((contract) => {
    const account = state.marginAccount(accountId, contract.instrumentId);
    if (account === undefined) return [];
    const sides = HOLD_SIDES.map((side) => account[side]).filter(({ lots }) => lots > 0);
    return sides.map((position) => ({ contract, account, position }));
  });
}
