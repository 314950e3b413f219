/**
 * What makes an account flat and equal to the others, as ordinary commands of the venue. Each list
 * is worked out from the state alone, towards what the account is to have: to do it again after a
 * crash does nothing twice.
 */
import {
  type AccountId,
  type AccountView,
  type Amount,
  type AssetId,
  type BalanceView,
  type Command,
  type Contract,
  HOLD_SIDES,
  type HoldSide,
  type Listings,
  type StateReader,
  type Ticks,
  ticks,
  type Wallet,
  walletMeant,
} from '#domain';
import { parseDecimal } from '#kernel';
import type { Round, StartingMoney } from './port.ts';

/** What an account is to have, by wallet and coin. */
export interface Target {
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

/** Why an account is not ready; empty when it is. */
export type NotReady =
  | ''
  | 'no account'
  | 'not held'
  | 'not frozen'
  | 'orders'
  | 'positions'
  | 'money';

/** Starting money in the units of its coins; undefined where a coin or an amount is none. */
export function targetsOf(
  money: readonly StartingMoney[],
  listings: Listings,
): readonly Target[] | undefined {
  const targets: Target[] = [];
  for (const { coin, wallet, amount } of money) {
    const asset = listings.assetByCode(coin);
    const units = asset && parseDecimal(amount, asset.scale);
    if (asset === undefined || typeof units !== 'bigint' || units <= 0n) return undefined;
    targets.push({ wallet: walletNamed(wallet), assetId: asset.assetId, amount: units });
  }
  return targets;
}

/** Starting money is in the spot wallet or in the margin wallet of its coin. */
function walletNamed(wallet: string): Wallet {
  return wallet === 'margin' ? 'margin' : 'spot';
}

export function setFrozen(accountId: AccountId, frozen: boolean): Command {
  return { kind: 'update_account', accountId, changes: { frozen } };
}

/** What holds money of accounts for a round, as operators see it. */
export function holderOf({
  competitionId,
  number,
}: Pick<Round, 'competitionId' | 'number'>): string {
  return `${competitionId}/${number}`;
}

/** Nothing when it is held, or not, as it is to be. */
export function holdOf(
  state: StateReader,
  accountId: AccountId,
  holder: string,
): readonly Command[] {
  const isHeld = state.account(accountId)?.moneyHolder === holder;
  return isHeld ? [] : [{ kind: 'hold_money', accountId, holder, isHeld: true }];
}

/** Takes every order of the account off the books. */
export function cancelsOf(state: StateReader, accountId: AccountId): readonly Command[] {
  const account = state.account(accountId);
  if (account === undefined || !hasOrders(state, account)) return [];
  return [
    { kind: 'cancel_all_spot_orders', accountId },
    { kind: 'cancel_all_contract_orders', accountId },
  ];
}

/** Closes every position at the market. A frozen account is unfrozen for no longer than that. */
export function closesOf(state: StateReader, accountId: AccountId): readonly Command[] {
  const closes = heldSides(state, accountId).map(
    ({ contract: { instrumentId }, side }): Command => {
      return { kind: 'close_position', accountId, instrumentId, side };
    },
  );
  return unfrozenFor(state, accountId, closes);
}

/** What the market did not take is offered at the mark price, where accounts of both sides meet. */
export function offersOf(state: StateReader, accountId: AccountId): readonly Command[] {
  const offers = heldSides(state, accountId).flatMap(({ contract, side }): Command[] => {
    const { instrumentId, maxLots } = contract;
    const priceTicks = markStep(state, contract);
    const held = state.marginAccount(accountId, instrumentId)?.[side].availableLots ?? 0;
    const sizeLots = held < maxLots ? held : maxLots;
    if (priceTicks === 0 || sizeLots === 0) return [];
    const action = side === 'long' ? 'close_long' : 'close_short';
    const order = { type: 'limit', priceTicks, action, force: 'gtc', sizeLots } as const;
    return [{ kind: 'place_contract_order', accountId, instrumentId, ...order }];
  });
  return unfrozenFor(state, accountId, offers);
}

/** The mark price on the grid of order prices. */
function markStep(state: StateReader, { instrumentId, priceStepTicks }: Contract): Ticks {
  const mark = state.contractPrices(instrumentId)?.markTicks ?? 0;
  return ticks(Math.floor(mark / priceStepTicks) * priceStepTicks);
}

function unfrozenFor(
  state: StateReader,
  accountId: AccountId,
  commands: readonly Command[],
): readonly Command[] {
  if (commands.length === 0 || state.account(accountId)?.frozen !== true) return commands;
  return [setFrozen(accountId, false), ...commands, setFrozen(accountId, true)];
}

/** Deposits what is missing and withdraws what is more than the targets. */
export function paymentsOf(
  state: StateReader,
  accountId: AccountId,
  targets: readonly Target[],
  holder: string,
): readonly Command[] {
  const account = state.account(accountId);
  if (account === undefined) return [];
  const commands: Command[] = [];
  for (const gap of gapsOf(state, account, targets)) {
    const { wallet, assetId, missing, available } = gap;
    const take = -missing < available ? -missing : available;
    if (missing > 0n) {
      commands.push({ kind: 'deposit', accountId, wallet, assetId, amount: missing, holder });
    } else if (take > 0n) {
      commands.push({ kind: 'withdraw', accountId, wallet, assetId, amount: take, holder });
    }
  }
  return commands;
}

export function notReady(
  state: StateReader,
  accountId: AccountId,
  targets: readonly Target[],
  holder: string,
): NotReady {
  const account = state.account(accountId);
  if (account === undefined) return 'no account';
  if (account.moneyHolder !== holder) return 'not held';
  if (!account.frozen) return 'not frozen';
  if (hasOrders(state, account)) return 'orders';
  if (heldSides(state, accountId).length > 0) return 'positions';
  return gapsOf(state, account, targets).length > 0 ? 'money' : '';
}

interface Gap {
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  /** Below zero for what is too much. */
  readonly missing: Amount;
  readonly available: Amount;
}

/** Every balance that is not as it is to be. */
function gapsOf(
  state: StateReader,
  account: AccountView,
  targets: readonly Target[],
): readonly Gap[] {
  const wanted = new Map<string, Target>();
  for (const target of targets) {
    const wallet = walletMeant(account, target.wallet, state.listings);
    wanted.set(`${wallet} ${target.assetId}`, { ...target, wallet });
  }
  const gaps: Gap[] = [];
  for (const [wallet, { assetId, balance, available }] of balancesOf(account)) {
    const name = `${wallet} ${assetId}`;
    const missing = (wanted.get(name)?.amount ?? 0n) - balance;
    wanted.delete(name);
    if (missing !== 0n) gaps.push({ wallet, assetId, missing, available });
  }
  for (const { wallet, assetId, amount } of wanted.values()) {
    gaps.push({ wallet, assetId, missing: amount, available: 0n });
  }
  return gaps;
}

function* balancesOf(account: AccountView): Iterable<readonly [Wallet, BalanceView]> {
  for (const balance of account.spotBalances()) yield ['spot', balance];
  yield* account.contractBalances();
}

function hasOrders(state: StateReader, { accountId, openOrdersCount }: AccountView): boolean {
  if (openOrdersCount > 0) return true;
  for (const _ of state.openOrders(accountId)) return true;
  for (const _ of state.openContractOrders(accountId)) return true;
  for (const _ of state.waitingTriggers(accountId)) return true;
  return false;
}

function heldSides(
  state: StateReader,
  accountId: AccountId,
): readonly { readonly contract: Contract; readonly side: HoldSide }[] {
  return [...state.listings.contracts.values()].flatMap((contract) => {
    const margin = state.marginAccount(accountId, contract.instrumentId);
    if (margin === undefined) return [];
    return HOLD_SIDES.filter((side) => margin[side].lots > 0).map((side) => ({ contract, side }));
  });
}
