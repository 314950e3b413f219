/** Money in and out, locks, transfers: what each must do, or why it must be refused. */
import type { Command, Contract } from '#domain';
import { holdOnWallet } from './begun.ts';
import { show } from './judge.ts';
import { heldIn, spendable } from './margin.ts';
import { addTo, type Model, marginWalletName, walletOf } from './model.ts';
import { type Expected, ID_HELD_MS, type Numbers } from './spot.ts';
import { availableInSpot, heldInSpot } from './spot-checks.ts';

type Named<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

/** A wallet by the name that is meant, or why there is none. */
type Purse = { readonly wallet: string } | { readonly reject: string };

function purseOf(model: Model, accountId: number, named: string, assetId: number): Purse {
  const account = model.accounts.get(accountId);
  if (account === undefined) return { reject: 'account_unknown' };
  if (model.assets[assetId] === undefined) return { reject: 'coin_unknown' };
  if (named === 'spot') return { wallet: 'spot' };
  if (named === 'margin') {
    const hasAny = [...model.contracts.values()].some(
      ({ terms }) => terms.kind === 'linear' && terms.margin.assetId === assetId,
    );
    const isThere = account.wallets === 'coin' && hasAny;
    return isThere ? { wallet: 'margin' } : { reject: 'transfer_route_invalid' };
  }
  const contract = contractNamed(model, named);
  if (contract === undefined) return { reject: 'contract_unknown' };
  if (contract.margin.assetId !== assetId) return { reject: 'transfer_route_invalid' };
  return { wallet: marginWalletName(account, contract) };
}

export function contractNamed(model: Model, named: string): Contract | undefined {
  const compact = named.replaceAll('-', '');
  for (const { terms } of model.contracts.values()) {
    if (terms.symbol.replaceAll('-', '') === compact) return terms;
  }
  return undefined;
}

/** What can be taken out of a wallet. */
function availableOf(model: Model, accountId: number, wallet: string, assetId: number): bigint {
  if (wallet === 'spot') return availableInSpot(model, accountId, assetId);
  const free = spendable(model, accountId, wallet, assetId);
  return free > 0n ? free : 0n;
}

function bill(
  model: Model,
  reason: string,
  accountId: number,
  wallet: string,
  assetId: number,
  delta: bigint,
  numbers: Numbers,
): object {
  const balanceBefore = walletOf(model, accountId, wallet, assetId);
  addTo(model, accountId, wallet, assetId, delta);
  const billId = numbers.next;
  numbers.next += 1;
  const facts = { billId, reason, accountId, wallet, assetId, delta, balanceBefore };
  return { kind: 'balance_changed', ...facts };
}

/** What operators ask for under an id of theirs. */
type Asked = Named<'deposit'> | Named<'withdraw'> | Named<'transfer'> | Named<'fund_insurance'>;

const OID_HELD_MS = 30 * 86_400_000;

function oidKey(command: Asked): string {
  const accountId = 'accountId' in command ? command.accountId : 0;
  return `${command.kind} ${accountId} ${command.operatorOid}`;
}

/** What is asked for, whoever holds the money of the account. */
function askedOf(command: Asked): string {
  return show({ ...command, holder: undefined });
}

/** Within 30 days an id of an operator is of one thing, which is done once. */
export function refuseOid(model: Model, command: Asked, timeMs: number): string | undefined {
  if (command.operatorOid === undefined) return undefined;
  const known = model.operatorOids.get(oidKey(command));
  if (known === undefined || timeMs - known.timeMs >= OID_HELD_MS) return undefined;
  return known.asked === askedOf(command)
    ? 'operator_request_repeated'
    : 'operator_request_differs';
}

export function noteOid(model: Model, command: Asked, timeMs: number): void {
  if (command.operatorOid === undefined) return;
  model.operatorOids.set(oidKey(command), { asked: askedOf(command), timeMs });
}

export function deposit(
  model: Model,
  command: Named<'deposit'>,
  timeMs: number,
  numbers: Numbers,
): Expected {
  const { accountId, assetId, amount } = command;
  const refused = refuseOid(model, command, timeMs);
  if (refused !== undefined) return { reject: refused };
  const purse = purseOf(model, accountId, command.wallet, assetId);
  if ('reject' in purse) return purse;
  if (isMoneyHeld(model, accountId, command.holder)) return { reject: 'money_held' };
  if (amount <= 0n) return { reject: 'amount_invalid' };
  const totals = model.totals[assetId];
  if (totals !== undefined) totals.deposited += amount;
  noteOid(model, command, timeMs);
  return { events: [bill(model, 'deposit', accountId, purse.wallet, assetId, amount, numbers)] };
}

export function withdraw(
  model: Model,
  command: Named<'withdraw'>,
  timeMs: number,
  numbers: Numbers,
  said: string,
): Expected {
  const { accountId, assetId, amount } = command;
  const refused = refuseOid(model, command, timeMs);
  if (refused !== undefined) return { reject: refused };
  const purse = purseOf(model, accountId, command.wallet, assetId);
  if ('reject' in purse) return purse;
  if (isMoneyHeld(model, accountId, command.holder)) return { reject: 'money_held' };
  if (amount <= 0n) return { reject: 'amount_invalid' };
  if (isHeld(model, accountId, purse.wallet, assetId, said)) return { reject: 'in_liquidation' };
  if (amount > availableOf(model, accountId, purse.wallet, assetId)) {
    return { reject: 'balance_insufficient' };
  }
  const totals = model.totals[assetId];
  if (totals !== undefined) totals.withdrawn += amount;
  noteOid(model, command, timeMs);
  return { events: [bill(model, 'withdraw', accountId, purse.wallet, assetId, -amount, numbers)] };
}

function isMoneyHeld(model: Model, accountId: number, holder = ''): boolean {
  return (model.holders.get(accountId) ?? '') !== holder;
}

export function holdMoney(model: Model, command: Named<'hold_money'>): Expected {
  const { accountId, holder } = command;
  if (!model.accounts.has(accountId)) return { reject: 'account_unknown' };
  if (holder === '') return { reject: 'settings_invalid' };
  const before = model.holders.get(accountId) ?? (command.isHeld ? holder : '');
  if (before !== holder) return { reject: 'money_held' };
  if (command.isHeld) model.holders.set(accountId, holder);
  else model.holders.delete(accountId);
  return { events: [{ ...command, kind: 'money_held' }] };
}

export function setLock(model: Model, command: Named<'set_lock'>): Expected {
  const { accountId, assetId, amount } = command;
  const purse = purseOf(model, accountId, 'spot', assetId);
  if ('reject' in purse) return purse;
  if (amount < 0n) return { reject: 'amount_invalid' };
  const owned = walletOf(model, accountId, 'spot', assetId);
  if (heldInSpot(model, accountId, assetId) + amount > owned) {
    return { reject: 'balance_insufficient' };
  }
  model.locks.set(`${accountId} ${assetId}`, amount);
  return { events: [{ kind: 'lock_set', accountId, assetId, amount }] };
}

export function transfer(
  model: Model,
  command: Named<'transfer'>,
  timeMs: number,
  numbers: Numbers,
  said: string,
): Expected {
  const { accountId, assetId, amount, clientOid } = command;
  const refused = refuseOid(model, command, timeMs);
  if (refused !== undefined) return { reject: refused };
  const source = purseOf(model, accountId, command.from, assetId);
  if ('reject' in source) return source;
  if (model.accounts.get(accountId)?.frozen === true) return { reject: 'account_frozen' };
  if (isBehindSuspended(model, accountId, command.from, source.wallet, assetId)) {
    return { reject: 'contract_suspended' };
  }
  const idKey = `${accountId} transfer ${clientOid}`;
  if (clientOid !== undefined && (model.usedIds.get(idKey) ?? 0) > timeMs) {
    return { reject: 'client_order_id_in_use' };
  }
  if (command.from === command.to) return { reject: 'transfer_route_invalid' };
  const target = purseOf(model, accountId, command.to, assetId);
  if ('reject' in target) return target;
  if (source.wallet === target.wallet) return { reject: 'transfer_route_invalid' };
  if (model.assets[assetId]?.transferable !== true) return { reject: 'transfer_not_allowed' };
  if (amount <= 0n) return { reject: 'amount_invalid' };
  if (isHeld(model, accountId, source.wallet, assetId, said)) return { reject: 'in_liquidation' };
  if (amount > availableOf(model, accountId, source.wallet, assetId)) {
    return { reject: 'balance_insufficient' };
  }
  const transferId = numbers.next;
  numbers.next += 1;
  const [from, to] = [source.wallet, target.wallet];
  if (clientOid !== undefined) model.usedIds.set(idKey, timeMs + ID_HELD_MS);
  noteOid(model, command, timeMs);
  const named = { fromNamed: command.from, toNamed: command.to };
  const facts = { transferId, accountId, assetId, amount, from, to, ...named, clientOid };
  const events = [
    { kind: 'transferred', ...facts },
    bill(model, 'transfer_out', accountId, from, assetId, -amount, numbers),
    bill(model, 'transfer_in', accountId, to, assetId, amount, numbers),
  ];
  return { events };
}

export function transferBetweenAccounts(
  model: Model,
  command: Named<'transfer_between_accounts'>,
  numbers: Numbers,
): Expected {
  const { accountId, toAccountId, assetId, amount } = command;
  const isThere = (id: number) => model.accounts.has(id);
  if (!isThere(accountId)) return { reject: 'account_unknown' };
  if (model.assets[assetId] === undefined) return { reject: 'coin_unknown' };
  if (!isThere(toAccountId)) return { reject: 'account_unknown' };
  if (accountId === toAccountId) return { reject: 'transfer_route_invalid' };
  if (isMoneyHeld(model, accountId) || isMoneyHeld(model, toAccountId))
    return { reject: 'money_held' };
  if (amount <= 0n) return { reject: 'amount_invalid' };
  if (amount > availableInSpot(model, accountId, assetId))
    return { reject: 'balance_insufficient' };
  const events = [
    bill(model, 'withdraw', accountId, 'spot', assetId, -amount, numbers),
    bill(model, 'deposit', toAccountId, 'spot', assetId, amount, numbers),
  ];
  return { events };
}

/** Whether a liquidation that goes on keeps the money; where that is open, what was said holds. */
function isHeld(
  model: Model,
  accountId: number,
  wallet: string,
  assetId: number,
  said: string,
): boolean {
  const hold = holdOnWallet(model, accountId, wallet, assetId);
  return hold === 'surely' || (hold === 'maybe' && said === 'in_liquidation');
}

/** No money leaves from behind a contract that is suspended. */
function isBehindSuspended(
  model: Model,
  accountId: number,
  named: string,
  wallet: string,
  assetId: number,
): boolean {
  if (named !== 'spot' && contractNamed(model, named)?.status === 'suspended') return true;
  if (wallet === 'spot') return false;
  return heldIn(model, accountId, wallet, assetId).some(
    ({ book, seat }) =>
      book.terms.status === 'suspended' &&
      seat.mode === 'cross' &&
      seat.long.lots + seat.short.lots > 0,
  );
}
