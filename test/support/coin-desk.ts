/**
 * Three contracts, two of them linear, and accounts with a wallet per coin: prices and sizes as a
 * trader writes them. 10 contracts of BTC are 0.01 BTC, one of ETH is 1 ETH.
 */
import { strict as assert } from 'node:assert/strict';
import {
  type AccountId,
  type ContractAction,
  type ContractSpec,
  type Event,
  lots,
  type MarginAccountView,
  OPERATOR_SOURCE,
  ticks,
  type Wallet,
  type WalletScope,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { INVERSE, LINEAR } from './contracts.ts';
import { amountOf, Floor } from './floor.ts';
import { contractOrder } from './orders.ts';
import { accountSettings } from './terms.ts';

/** The mark price is the index price and nobody owes funding. */
const QUIET = { fundingInterestPpm: 0, markClampPpm: 1 };
export const BTC: ContractSpec = { ...LINEAR, ...QUIET };
export const ETH: ContractSpec = {
  ...BTC,
  symbol: 'ETH-USDT-PERP',
  baseCode: 'ETH',
  contractValue: '1',
  referencePriceTicks: ticks(20_000),
};
const COINS: ContractSpec = { ...INVERSE, ...QUIET };
const SYMBOLS = { btc: BTC.symbol, eth: ETH.symbol, usd: COINS.symbol } as const;
type Name = keyof typeof SYMBOLS;

export class CoinDesk {
  readonly venue = new Floor().listCoins();

  constructor() {
    for (const spec of [BTC, ETH, COINS]) this.venue.run({ kind: 'list_contract', spec });
    this.index('btc', 30_000);
    this.index('eth', 2_000);
  }

  contract(name: Name) {
    return present(this.venue.engine.listings.contract(SYMBOLS[name]), name);
  }

  run(command: Parameters<Floor['run']>[0]): readonly Event[] {
    const events = this.venue.run(command);
    this.venue.engine.check();
    return events;
  }

  open(name: string, money: string, wallets: WalletScope = 'coin'): AccountId {
    this.run({ kind: 'create_account', settings: accountSettings(name, { wallets }) });
    const { accountId } = present(this.venue.engine.accountByName(name), name);
    if (wallets === 'coin') this.deposit(accountId, 'margin', money);
    else for (const symbol of [BTC.symbol, ETH.symbol]) this.deposit(accountId, symbol, money);
    return accountId;
  }

  deposit(accountId: AccountId, symbol: string, money: string): readonly Event[] {
    const { assetId } = this.contract('btc').margin;
    const wallet: Wallet =
      symbol === 'margin'
        ? 'margin'
        : present(this.venue.engine.listings.contract(symbol), symbol).symbol;
    return this.run({ kind: 'deposit', accountId, wallet, assetId, amount: amountOf(money) });
  }

  index(name: Name, price: number): readonly Event[] {
    const { instrumentId, priceScale } = this.contract(name);
    const priceTicks = ticks(price * 10 ** priceScale);
    return this.run({ kind: 'report_index', instrumentId, source: OPERATOR_SOURCE, priceTicks });
  }

  order(who: AccountId, name: Name, action: ContractAction, size: number, price?: number) {
    const { instrumentId, priceScale } = this.contract(name);
    const priceTicks = price === undefined ? undefined : ticks(price * 10 ** priceScale);
    return this.run(
      contractOrder({
        accountId: who,
        instrumentId,
        action,
        sizeLots: lots(size),
        ...(priceTicks === undefined ? { force: 'ioc' } : { priceTicks }),
      }),
    );
  }

  /** Long takes from short what both open. */
  trade(long: AccountId, short: AccountId, name: Name, size: number, price: number): void {
    this.order(short, name, 'open_short', size, price);
    const events = this.order(long, name, 'open_long', size, price);
    assert.ok(
      events.some(({ kind }) => kind === 'contract_trade'),
      JSON.stringify(events[0]?.kind),
    );
  }

  view(who: AccountId, name: Name): MarginAccountView {
    const { instrumentId } = this.contract(name);
    return present(this.venue.engine.marginAccount(who, instrumentId), 'account');
  }

  funds(who: AccountId) {
    const { assetId } = this.contract('btc').margin;
    const { assetId: _, ...sums } = present(this.venue.engine.marginFunds(who, assetId), 'funds');
    return Object.fromEntries(
      Object.entries(sums).map(([name, amount]) => [name, formatTrimmed(amount, 8)]),
    );
  }

  isolated(who: AccountId, name: Name): void {
    const { instrumentId } = this.contract(name);
    this.run({ kind: 'set_margin_mode', accountId: who, instrumentId, mode: 'isolated' });
  }
}
