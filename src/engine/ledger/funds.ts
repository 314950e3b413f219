/** Money in, out, set aside, and moved between wallets of one account or of two. */
import {
  type AccountId,
  type Amount,
  type Asset,
  type AssetId,
  type BalanceChanged,
  type Deposit,
  dueTo,
  type HoldMoney,
  LIMITS,
  linearContractsOf,
  ofCoin,
  ofId,
  ofMarket,
  refuse,
  type SetLock,
  type Transfer,
  type TransferBetweenAccounts,
  type Wallet,
  type Withdraw,
  walletMeant,
} from '#domain';
import { MarginWallet } from '../margin/margin-wallet.ts';
import type { Refusal, State } from '../state.ts';
import type { Account } from './account.ts';
import type { Balance } from './balance.ts';

interface Purse {
  readonly account: Account;
  /** Of the coin. */
  readonly code: string;
  /** The one that is meant: all linear contracts of a coin may have one. */
  readonly wallet: Wallet;
  readonly balance: Balance;
}

export function deposit(state: State, command: Deposit): Refusal {
  const refusal = state.operatorRequests.refusalOf(command, state.timeMs);
  if (refusal !== undefined) return refusal;
  const found = findPurse(state, command.accountId, command.wallet, command.assetId);
  if ('reject' in found) return found;
  if (isHeld(found, command.holder)) return refuse('money_held');
  if (command.amount <= 0n) return refuse('amount_invalid');
  const bill = billOf(state, found, 'deposit', command.amount);
  state.emit(bill);
  state.ledger.deposit(found.balance, command.amount, state.timeMs);
  found.balance.reserve?.balanceMoved();
  state.operatorRequests.keep(command, state.timeMs, bill);
  return undefined;
}

export function withdraw(state: State, command: Withdraw): Refusal {
  const refusal = state.operatorRequests.refusalOf(command, state.timeMs);
  if (refusal !== undefined) return refusal;
  const found = findPurse(state, command.accountId, command.wallet, command.assetId);
  if ('reject' in found) return found;
  if (isHeld(found, command.holder)) return refuse('money_held');
  if (command.amount <= 0n) return refuse('amount_invalid');
  if (isInLiquidation(state, found)) return refuse('in_liquidation');
  if (found.balance.available < command.amount)
    return refuse('balance_insufficient', ofCoin(found.code));
  const bill = billOf(state, found, 'withdraw', -command.amount);
  state.emit(bill);
  state.ledger.withdraw(found.balance, command.amount, state.timeMs);
  found.balance.reserve?.balanceMoved();
  state.operatorRequests.keep(command, state.timeMs, bill);
  return undefined;
}

/** Whoever holds it alone lets it go. */
export function holdMoney(state: State, command: HoldMoney): Refusal {
  const { accountId, holder, isHeld: toBeHeld } = command;
  const account = state.ledger.account(accountId);
  if (account === undefined) return refuse('account_unknown');
  if (holder === '' || holder.length > LIMITS.nameLengthMax) {
    return refuse('settings_invalid');
  }
  const isFree = toBeHeld && account.moneyHolder === '';
  if (!isFree && account.moneyHolder !== holder) return refuse('money_held');
  state.ledger.holdMoney(account, toBeHeld ? holder : '');
  state.emit({ kind: 'money_held', accountId, holder, isHeld: toBeHeld });
  return undefined;
}

/** Nor does a holder pay what it no longer holds. */
function isHeld({ account }: Purse, holder = ''): boolean {
  return account.moneyHolder !== holder;
}

export function setLock(state: State, command: SetLock): Refusal {
  const found = findPurse(state, command.accountId, 'spot', command.assetId);
  if ('reject' in found) return found;
  const { balance } = found;
  if (command.amount < 0n) return refuse('amount_invalid');
  if (balance.held + command.amount > balance.balance) return refuse('balance_insufficient');
  balance.lock(command.amount, state.timeMs);
  const { accountId, assetId, amount } = command;
  state.emit({ kind: 'lock_set', accountId, assetId, amount });
  return undefined;
}

export function transfer(state: State, command: Transfer): Refusal {
  const refusal = state.operatorRequests.refusalOf(command, state.timeMs);
  if (refusal !== undefined) return refusal;
  const source = findPurse(state, command.accountId, command.from, command.assetId);
  if ('reject' in source) return source;
  if (source.account.terms.frozen) return refuse('account_frozen');
  const suspended = suspendedBehind(state, command.from, source);
  if (suspended !== undefined) return refuse('contract_suspended', ofMarket(suspended));
  const { clientOid } = command;
  if (clientOid !== undefined && source.account.isTransferIdTaken(clientOid, state.timeMs)) {
    return refuse('client_order_id_in_use', ofId(clientOid));
  }
  if (command.from === command.to) return refuse('transfer_route_invalid');
  const target = findPurse(state, command.accountId, command.to, command.assetId);
  if ('reject' in target) return target;
  if (source.wallet === target.wallet) return refuse('transfer_route_invalid');
  if (!state.listings.asset(command.assetId)?.transferable) return refuse('transfer_not_allowed');
  if (command.amount <= 0n) return refuse('amount_invalid');
  if (isInLiquidation(state, source)) return refuse('in_liquidation');
  if (source.balance.available < command.amount) {
    return refuse('balance_insufficient', ofCoin(source.code));
  }
  carryOut(state, command, source, target);
  return undefined;
}

/**
 * As a withdrawal from one account and a deposit into the other, and its bills say so: to each it
 * is that. The venue as a whole has neither, and the totals stay as they are.
 */
export function transferBetweenAccounts(state: State, command: TransferBetweenAccounts): Refusal {
  const { accountId, toAccountId, assetId, amount } = command;
  const source = findPurse(state, accountId, 'spot', assetId);
  if ('reject' in source) return source;
  const target = findPurse(state, toAccountId, 'spot', assetId);
  if ('reject' in target) return target;
  if (accountId === toAccountId) return refuse('transfer_route_invalid');
  if (isHeld(source) || isHeld(target)) return refuse('money_held');
  if (amount <= 0n) return refuse('amount_invalid');
  if (source.balance.available < amount) return refuse('balance_insufficient', ofCoin(source.code));
  state.emit(billOf(state, source, 'withdraw', -amount));
  state.emit(billOf(state, target, 'deposit', amount));
  state.ledger.move(source.balance, target.balance, amount, state.timeMs);
  source.balance.reserve?.balanceMoved();
  target.balance.reserve?.balanceMoved();
  return undefined;
}

/**
 * A suspended contract that money would be taken from behind of, by name. Its mark price stands
 * still: what looks free may be lost already.
 */
function suspendedBehind({ listings }: State, from: Wallet, source: Purse): string | undefined {
  if (listings.contract(from)?.status === 'suspended') return from;
  const { reserve } = source.balance;
  if (!(reserve instanceof MarginWallet)) return undefined;
  const found = reserve.crossHeld().find(({ market }) => market.contract.status === 'suspended');
  return found?.market.contract.symbol;
}

/** Whether a liquidation that has begun and goes on may still need what a wallet has. */
function isInLiquidation({ work }: State, { balance: { reserve } }: Purse): boolean {
  if (!(reserve instanceof MarginWallet)) return false;
  return work.some((one) => one.kind === 'liquidations' && one.wave.coversWallet(reserve));
}

function carryOut(state: State, command: Transfer, source: Purse, target: Purse): void {
  const { accountId, assetId, amount, clientOid, from: fromNamed, to: toNamed } = command;
  const wallets = { from: source.wallet, to: target.wallet, fromNamed, toNamed };
  const facts = { transferId: state.takeIds(1), accountId, assetId, amount, clientOid };
  const transferred = { kind: 'transferred', ...facts, ...wallets } as const;
  state.emit(transferred);
  state.emit(billOf(state, source, 'transfer_out', -amount));
  state.emit(billOf(state, target, 'transfer_in', amount));
  state.ledger.move(source.balance, target.balance, amount, state.timeMs);
  source.balance.reserve?.balanceMoved();
  target.balance.reserve?.balanceMoved();
  state.operatorRequests.keep(command, state.timeMs, transferred);
  if (clientOid === undefined) return;
  state.usedIds.keep(source.account.usedIds('transfer'), clientOid, state.timeMs);
}

/** The balance a command names, or why there is none: unknown account, coin, contract, or route. */
function findPurse(
  state: State,
  accountId: AccountId,
  wallet: Wallet,
  assetId: AssetId,
): Purse | Exclude<Refusal, undefined> {
  const account = state.ledger.account(accountId);
  if (account === undefined) return refuse('account_unknown');
  const asset = state.listings.asset(assetId);
  if (asset === undefined) return refuse('coin_unknown');
  const refusal = checkWallet(state, account, wallet, asset);
  if (refusal !== undefined) return refusal;
  const meant = walletMeant(account, wallet, state.listings);
  const balance = account.wallet(meant, assetId);
  return { account, code: asset.code, wallet: meant, balance };
}

function checkWallet(state: State, account: Account, wallet: Wallet, asset: Asset): Refusal {
  if (wallet === 'spot') return undefined;
  if (wallet === 'margin') return checkMarginWallet(state, account, asset);
  const contract = state.listings.contract(wallet);
  if (contract === undefined) return refuse('contract_unknown', ofMarket(wallet));
  state.instrumentInWork = contract.instrumentId;
  const { assetId, code } = contract.margin;
  if (assetId === asset.assetId) return undefined;
  return refuse('transfer_route_invalid', { is: 'wallet_coin', wallet, code });
}

function checkMarginWallet({ listings }: State, account: Account, asset: Asset): Refusal {
  if (account.wallets !== 'coin') {
    return refuse('transfer_route_invalid', dueTo('wallet_per_contract'));
  }
  if (linearContractsOf(listings, asset.assetId).length > 0) return undefined;
  return refuse('transfer_route_invalid', dueTo('no_margin_coin'));
}

function billOf(
  state: State,
  purse: Purse,
  reason: BalanceChanged['reason'],
  delta: Amount,
): BalanceChanged {
  return {
    kind: 'balance_changed',
    billId: state.takeIds(1),
    reason,
    accountId: purse.account.accountId,
    wallet: purse.wallet,
    assetId: purse.balance.assetId,
    delta,
    balanceBefore: purse.balance.balance,
  };
}
