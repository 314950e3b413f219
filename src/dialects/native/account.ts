/** What an account has: coins in its wallets, and positions. */
import type { Services } from '#api';
import type { AccountId, Asset, BalanceView, StateReader, Wallet } from '#domain';
import { formatTrimmed, present } from '#kernel';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { decimal, jsonList, listedName, listOf, row } from '../kit/row.ts';
import { heldSides, POSITION } from './position-rows.ts';
import { BASE } from './terms.ts';

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
