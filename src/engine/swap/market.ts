/** One contract at work: its state, its book, its accounts and what waits for a price. */
import { type AccountId, defaultLeverage, walletOf } from '#domain';
import { createBook } from '../book/fast-book.ts';
import type { Account } from '../ledger/account.ts';
import { LiquidationIndex } from '../margin/liquidation-index.ts';
import { MarginAccount, type MarginMarket } from '../margin/margin-account.ts';
import { TriggerLadder } from '../trigger/levels.ts';
import { MarketState } from './market-state.ts';
import type { ContractOrder } from './order.ts';

export class SwapMarket extends MarketState implements MarginMarket {
  readonly book = createBook<ContractOrder>();
  readonly accounts = new Map<AccountId, MarginAccount>();
  /** Those that hold something: what a settlement costs, however many have ever traded here. */
  readonly holding = new Set<MarginAccount>();
  readonly liquidationIndex = new LiquidationIndex();
  /** Accounts whose money or positions changed, while a wave of liquidations notes them. */
  changes: Set<MarginAccount> | undefined;
  readonly risingTriggers = new TriggerLadder('rise');
  readonly fallingTriggers = new TriggerLadder('fall');

  /** An account's side of this contract; made with default settings when there is none. */
  margin(account: Account): MarginAccount {
    const known = this.accounts.get(account.accountId);
    if (known !== undefined) return known;
    const { symbol, margin } = this.contract;
    const balance = account.wallet(walletOf(symbol), margin.assetId);
    const made = new MarginAccount(account, this, balance, defaultLeverage(this.contract));
    balance.reserve = made;
    this.accounts.set(account.accountId, made);
    return made;
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
    this.changes?.add(margin);
    if (margin.isFlat) this.holding.delete(margin);
    else {
      this.holding.add(margin);
      this.liquidationIndex.changed(margin);
    }
  }

  balanceMoved(margin: MarginAccount): void {
    if (!margin.isFlat) this.liquidationIndex.changed(margin);
  }
}

function byId(one: MarginAccount, other: MarginAccount): number {
  return one.accountId - other.accountId;
}
