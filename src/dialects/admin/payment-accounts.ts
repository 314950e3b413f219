/** The two accounts that money of payments passes through, and what operators may do to them. */
import {
  type AccountView,
  type Amount,
  type Asset,
  type Refused,
  refuse,
  type StateReader,
} from '#domain';
import { FEES_ACCOUNT, HOLDING_ACCOUNT, heldByCoin, isOfPayments, type Payments } from '#people';
import { onAccount } from './context.ts';

/** As onAccount; payments alone use the accounts that they have. */
export function onOpenAccount<T>(
  state: StateReader,
  named: string | undefined,
  use: (account: AccountView) => T | Refused,
): T | Refused {
  return onAccount(state, named, (account) =>
    isOfPayments(account.name) ? refuse('account_reserved') : use(account),
  );
}

/** Money that an operator moves by hand. */
export interface HandMoved {
  readonly kind: 'deposit' | 'withdraw';
  readonly name: string;
  readonly coin: Asset;
  readonly amount: Amount;
}

/**
 * Fees may be taken out, and what is held for no request, as a backup may leave it. Nothing else of
 * these accounts is moved by hand: a request would find its money gone.
 */
export async function refuseHandMoved(
  payments: Payments | undefined,
  { kind, name, coin, amount }: HandMoved,
): Promise<Refused | undefined> {
  if (!isOfPayments(name)) return undefined;
  if (kind === 'withdraw' && name === FEES_ACCOUNT) return undefined;
  if (kind === 'withdraw' && amount <= (await spareOf(payments, coin))) return undefined;
  return refuse('account_reserved');
}

/** What is held of a coin and kept apart for no withdrawal. */
async function spareOf(payments: Payments | undefined, { code }: Asset): Promise<Amount> {
  if (payments === undefined) return 0n;
  const found = (await heldByCoin(payments)).find(({ coin }) => coin === code);
  return found === undefined ? 0n : found.held - found.locked - found.moving;
}

/** What both accounts have of a coin. */
export interface OfPayments {
  readonly holding: Amount;
  readonly fees: Amount;
}

export function ofPayments(state: StateReader, { assetId }: Asset): OfPayments {
  const [holding = 0n, fees = 0n] = [HOLDING_ACCOUNT, FEES_ACCOUNT].map(
    (name) => state.accountByName(name)?.balance('spot', assetId)?.balance,
  );
  return { holding, fees };
}
