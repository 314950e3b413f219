/**
 * Money that the configuration gives accounts: to those it names, and in a demo to whoever signs
 * up. It is given once, through the venue like everything else.
 */
import Type from 'typebox';
import {
  type AccountView,
  type Amount,
  type Deposit,
  type StateReader,
  type Wallet,
  walletMeant,
} from '#domain';
import { present } from '#kernel';

const LIST_MAX = 1_000;

export const DEPOSITS_SCHEMA = Type.Array(
  Type.Object(
    {
      wallet: Type.String(),
      coin: Type.String(),
      amount: Type.String({ minLength: 1, maxLength: 64 }),
    },
    { additionalProperties: false },
  ),
  { maxItems: LIST_MAX },
);

export interface DepositConfig {
  readonly wallet: Wallet;
  readonly coin: string;
  readonly amount: Amount;
}

/** Those of an account, one for each wallet and coin: several contracts may stand on one. */
export function depositsOf(
  configured: readonly DepositConfig[],
  account: AccountView,
  { listings }: StateReader,
): Deposit[] {
  const found = new Map<string, Deposit>();
  for (const { wallet: named, coin, amount } of configured) {
    const { assetId } = present(listings.assetByCode(coin), `coin ${coin}`);
    const wallet = walletMeant(account, named, listings);
    const key = `${wallet} ${assetId}`;
    const sum = (found.get(key)?.amount ?? 0n) + amount;
    const { accountId } = account;
    found.set(key, { kind: 'deposit', accountId, wallet, assetId, amount: sum });
  }
  return [...found.values()];
}

/**
 * A deposit is due while its wallet has never held the coin. That makes it once only, and it
 * survives a crash between opening the account and funding it.
 */
export function isDue({ wallet, assetId }: Deposit, account: AccountView): boolean {
  return account.balance(wallet, assetId) === undefined;
}
