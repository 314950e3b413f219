/**
 * The ledger: who owns what. Money enters and leaves only through deposits and withdrawals, moves
 * between accounts only through trades and transfers, and each entry sums to zero per asset:
 * accounts + fees + insurance + clearing of contracts = deposited - withdrawn, after every command.
 * The clearing of a contract is kept by its market.
 */

import type { AccountId, AccountSettings, Amount, AssetId } from '#domain';
import { accountId, assetId } from '#domain';
import { assert, present } from '#kernel';
import { Account } from './account.ts';
import { SharedTerms } from './account-terms.ts';
import type { Balance } from './balance.ts';
import { InsuranceFund } from './insurance-fund.ts';
import { SpotBalances } from './spot-balances.ts';

/** What the venue itself counts for one asset. */
export interface AssetTotals {
  deposited: Amount;
  withdrawn: Amount;
  fees: Amount;
  /** Of contracts with this margin coin. */
  readonly fund: InsuranceFund;
}

export class Ledger {
  /** Index is the account id; ids start at 1. */
  readonly #accounts: (Account | undefined)[] = [undefined];
  readonly #accountByName = new Map<string, Account>();
  readonly #terms = new SharedTerms();
  readonly #held = new Set<Account>();
  /** Index is the asset id. */
  readonly #spot: SpotBalances[] = [];
  readonly #totals: AssetTotals[] = [];

  get accountsCount(): number {
    return this.#accounts.length - 1;
  }

  account(id: AccountId): Account | undefined {
    return this.#accounts[id];
  }

  accountByName(name: string): Account | undefined {
    return this.#accountByName.get(name);
  }

  *accounts(): Generator<Account> {
    for (const account of this.#accounts) if (account !== undefined) yield account;
  }

  addAccount(settings: AccountSettings, createdTimeMs: number): Account {
    const id = accountId(this.#accounts.length);
    const account = new Account(id, settings, this.#terms.of(settings), this.#spot, createdTimeMs);
    this.#accounts.push(account);
    this.#accountByName.set(settings.name, account);
    return account;
  }

  changeSettings(account: Account, settings: AccountSettings): void {
    this.#accountByName.delete(account.settings.name);
    account.settings = settings;
    account.terms = this.#terms.of(settings);
    this.#accountByName.set(settings.name, account);
  }

  /** An empty holder lets it move again. */
  holdMoney(account: Account, holder: string): void {
    account.moneyHolder = holder;
    if (holder === '') this.#held.delete(account);
    else this.#held.add(account);
  }

  /** Those whose money is held. */
  heldAccounts(): Iterable<Account> {
    return this.#held;
  }

  addAsset(): void {
    this.#spot.push(new SpotBalances(assetId(this.#spot.length)));
    this.#totals.push({ deposited: 0n, withdrawn: 0n, fees: 0n, fund: new InsuranceFund() });
  }

  /** The spot balances of all accounts in a coin. */
  spot(assetId: AssetId): SpotBalances {
    return present(this.#spot[assetId], 'balances of a listed asset');
  }

  totals(assetId: AssetId): AssetTotals {
    return present(this.#totals[assetId], 'totals of a listed asset');
  }

  deposit(balance: Balance, amount: Amount, timeMs: number): void {
    assert(amount > 0n, 'a deposit is above zero');
    this.totals(balance.assetId).deposited += amount;
    credit(balance, amount, timeMs);
  }

  withdraw(balance: Balance, amount: Amount, timeMs: number): void {
    assert(amount > 0n, 'a withdrawal is above zero');
    this.totals(balance.assetId).withdrawn += amount;
    debit(balance, amount, timeMs);
  }

  /** Moves money between two wallets of the same asset. */
  move(from: Balance, to: Balance, amount: Amount, timeMs: number): void {
    assert(from.assetId === to.assetId, 'money moves within one asset');
    debit(from, amount, timeMs);
    credit(to, amount, timeMs);
  }

  /** Takes a fee from a balance. */
  chargeFee(balance: Balance, fee: Amount, timeMs: number): void {
    debit(balance, fee, timeMs);
    this.totals(balance.assetId).fees += fee;
  }

  /**
   * Books the profit or loss of a closed position, less its fee, which comes out of the proceeds.
   * The caller books the profit against the contract's clearing and the fee with bookFee.
   */
  realize(balance: Balance, amount: Amount, timeMs: number): void {
    if (amount >= 0n) credit(balance, amount, timeMs);
    else debit(balance, -amount, timeMs);
  }

  /** Counts a fee that realize has already kept back. */
  bookFee(balance: Balance, fee: Amount): void {
    this.totals(balance.assetId).fees += fee;
  }

  /** Moves money between a balance and the insurance fund of its coin; below zero the fund pays. */
  insure(balance: Balance, toFund: Amount, timeMs: number): void {
    const { fund } = this.totals(balance.assetId);
    fund.held += toFund;
    assert(fund.held >= 0n, 'the insurance fund never falls below zero');
    if (toFund >= 0n) debit(balance, toFund, timeMs);
    else credit(balance, -toFund, timeMs);
  }

  /** An hour or a day of the insurance funds' budgets may have begun. */
  beginFundSpans(timeMs: number): void {
    for (const { fund } of this.#totals) fund.goOnTo(timeMs);
  }

  /** The operator puts money into the insurance fund. */
  fundInsurance(assetId: AssetId, amount: Amount): void {
    assert(amount > 0n, 'a deposit is above zero');
    const totals = this.totals(assetId);
    totals.deposited += amount;
    totals.fund.add(amount);
  }

  /**
   * One pays another for something, out of what an order of his holds or of what is free: the payee
   * gets the amount less the fee, the venue the fee.
   */
  pay(
    balances: SpotBalances,
    payer: AccountId,
    isHeld: boolean,
    payee: AccountId,
    amount: Amount,
    fee: Amount,
    timeMs: number,
  ): void {
    assert(amount >= fee, 'a credit is not negative');
    if (isHeld) balances.spendHeld(payer, amount, timeMs);
    else balances.add(payer, -amount, timeMs);
    // What is free may be below zero while an order that moves still holds what it held before.
    assert(balances.balance(payer) >= 0n, 'no balance falls below zero');
    balances.add(payee, amount - fee, timeMs);
    this.totals(balances.assetId).fees += fee;
  }
}

function credit(balance: Balance, amount: Amount, timeMs: number): void {
  assert(amount >= 0n, 'a credit is not negative');
  balance.add(amount, timeMs);
}

function debit(balance: Balance, amount: Amount, timeMs: number): void {
  balance.add(-amount, timeMs);
  assert(balance.balance >= 0n, 'no balance falls below zero');
}
