/** One contract at work: its state, its book, its accounts and what waits for a price. */
import { defaultLeverage, marginWallet, type WorkingPrice } from '#domain';
import { createBook } from '../book/fast-book.ts';
import type { Account } from '../ledger/account.ts';
import type { Balance } from '../ledger/balance.ts';
import { AccountTable } from '../margin/account-table.ts';
import { LiquidationIndex } from '../margin/liquidation-index.ts';
import {
  type LiquidationUnit,
  MarginAccount,
  type MarginMarket,
  type WatchPrice,
} from '../margin/margin-account.ts';
import { MarginWallet } from '../margin/margin-wallet.ts';
import { WaitingTriggers } from '../trigger/levels.ts';
import { MarketState } from './market-state.ts';
import type { ContractOrder } from './order.ts';

export class SwapMarket extends MarketState implements MarginMarket {
  readonly book = createBook<ContractOrder>();
  readonly accounts = new AccountTable<MarginAccount>();
  /** Those that hold something: what a settlement costs, however many have ever traded here. */
  readonly holding = new Set<MarginAccount>();
  readonly liquidationIndex = new LiquidationIndex();
  /** Where waves of liquidations have it noted whose money or positions changed. */
  readonly noted = new Set<Set<MarginAccount>>();
  /** By the price they look at. */
  readonly waiting: Readonly<Record<WorkingPrice, WaitingTriggers>> = {
    last: new WaitingTriggers(),
    mark: new WaitingTriggers(),
    index: new WaitingTriggers(),
  };

  /** An account's side of this contract; made with default settings when there is none. */
  margin(account: Account): MarginAccount {
    const known = this.accounts.get(account.accountId);
    if (known !== undefined) return known;
    const wallet = this.#walletOf(account);
    const made = new MarginAccount(account, this, wallet, defaultLeverage(this.contract));
    this.accounts.set(account.accountId, made);
    return made;
  }

  /** Forgets an account's side that was only looked at. */
  forget(margin: MarginAccount): void {
    this.accounts.set(margin.accountId, undefined);
    margin.wallet.leave(margin);
  }

  /** The money behind an account's side, made when this is the first contract that stands on it. */
  #walletOf(account: Account): MarginWallet<MarginAccount> {
    const balance = this.balanceOf(account);
    const known = balance.reserve;
    if (known instanceof MarginWallet) return known;
    const name = marginWallet(account, this.contract);
    const made = new MarginWallet<MarginAccount>(name, balance);
    balance.reserve = made;
    return made;
  }

  /** The balance that an account's side stands on, made empty when there was none. */
  balanceOf(account: Account): Balance {
    return account.wallet(marginWallet(account, this.contract), this.contract.margin.assetId);
  }

  /** Every account that ever did something here, by account id. */
  touchedAccounts(): MarginAccount[] {
    return [...this.accounts.values()].filter(({ updatedTimeMs }) => updatedTimeMs > 0).sort(byId);
  }

  /** Every account that holds something, by account id. */
  holders(): MarginAccount[] {
    return [...this.holding].sort(byId);
  }

  accountMoved(margin: MarginAccount): void {
    this.#note(margin);
    const { isFlat } = margin;
    if (isFlat === margin.isHolder) this.#noteHolder(margin, !isFlat);
    if (!isFlat) this.liquidationIndex.changed(margin);
  }

  moneyMoved(margin: MarginAccount): void {
    this.#note(margin);
    this.liquidationIndex.changed(margin);
  }

  watch(unit: LiquidationUnit, breach: WatchPrice | undefined): void {
    this.liquidationIndex.watch(unit, breach);
  }

  #note(margin: MarginAccount): void {
    if (this.noted.size === 0) return;
    for (const changes of this.noted) changes.add(margin);
  }

  #noteHolder(margin: MarginAccount, isHolder: boolean): void {
    margin.isHolder = isHolder;
    if (isHolder) {
      this.holding.add(margin);
      // Made as positions open: a price that sees ten thousand first would take twice as long.
      margin.unit(margin.mode === 'cross' ? 'both' : margin.long.lots > 0 ? 'long' : 'short');
    } else this.holding.delete(margin);
  }
}

function byId(one: MarginAccount, other: MarginAccount): number {
  return one.accountId - other.accountId;
}
