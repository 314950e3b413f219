/**
 * A venue with one contract for engine tests: accounts are named, prices and sizes are written as a
 * trader writes them, and every step is followed by a check of everything that must always hold.
 */
import { strict as assert } from 'node:assert/strict';
import {
  type AccountId,
  type Command,
  type Contract,
  type ContractAction,
  type ContractSpec,
  type Event,
  type Force,
  type HoldSide,
  lots,
  type MarginAccountView,
  type MarginMode,
  type PositionView,
  type SelfTradePrevention,
  type Ticks,
  ticks,
  type WorkingPrice,
  walletOf,
} from '#domain';
import type { Engine } from '#engine';
import { formatTrimmed, parseDecimal, parseScaled, present } from '#kernel';
import { LINEAR } from './contracts.ts';
import { TestVenue } from './engine-venue.ts';
import { contractOrder, triggerOrder } from './orders.ts';

export interface ContractOrderOptions {
  readonly force?: Force;
  readonly clientOrderId?: string;
  readonly takeProfit?: string;
  readonly stopLoss?: string;
  /** What both of them look at. */
  readonly working?: WorkingPrice;
}

export interface AccountOptions {
  readonly mode?: MarginMode;
  readonly leverage?: number;
  readonly selfTradePrevention?: SelfTradePrevention;
}

export class SwapVenue {
  readonly venue: TestVenue;
  readonly contract: Contract;
  readonly #ids = new Map<string, AccountId>();
  readonly #checks: boolean;

  private constructor(venue: TestVenue, contract: Contract, checks: boolean) {
    this.venue = venue;
    this.contract = contract;
    this.#checks = checks;
  }

  /** A venue with this contract listed and nobody in it. `checks` off leaves checking to you. */
  static listed(spec: ContractSpec = LINEAR, checks = true): SwapVenue {
    const venue = TestVenue.withCoins();
    const [first] = venue.run({ kind: 'list_contract', spec });
    assert.equal(first?.kind, 'contract_listed', rejectOf(first === undefined ? [] : [first]));
    const contract = present(venue.engine.listings.contract(spec.symbol), spec.symbol);
    return new SwapVenue(venue, contract, checks);
  }

  get engine(): Engine {
    return this.venue.engine;
  }

  run(command: Command): readonly Event[] {
    const events = this.venue.run(command);
    if (this.#checks) this.engine.check();
    return events;
  }

  /** Opens an account with this much margin coin in the contract's wallet. */
  open(name: string, margin: string, options: AccountOptions = {}): AccountId {
    const accountId = this.venue.open(name);
    this.#ids.set(name, accountId);
    if (options.selfTradePrevention !== undefined) {
      const changes = { selfTradePrevention: options.selfTradePrevention };
      this.run({ kind: 'update_account', accountId, changes });
    }
    if (margin !== '0') this.deposit(name, margin);
    const { instrumentId } = this.contract;
    if (options.mode !== undefined) {
      this.run({ kind: 'set_margin_mode', accountId, instrumentId, mode: options.mode });
    }
    if (options.leverage !== undefined) this.leverage(name, 'both', options.leverage);
    return accountId;
  }

  deposit(name: string, amount: string): readonly Event[] {
    const { margin, symbol } = this.contract;
    const wallet = walletOf(symbol);
    const { assetId } = margin;
    const accountId = this.id(name);
    return this.run({ kind: 'deposit', accountId, wallet, assetId, amount: this.amount(amount) });
  }

  withdraw(name: string, amount: string): readonly Event[] {
    const { margin, symbol } = this.contract;
    const wallet = walletOf(symbol);
    const { assetId } = margin;
    const accountId = this.id(name);
    return this.run({ kind: 'withdraw', accountId, wallet, assetId, amount: this.amount(amount) });
  }

  leverage(name: string, side: HoldSide | 'both', leverage: number): readonly Event[] {
    const { instrumentId } = this.contract;
    return this.run({
      kind: 'set_leverage',
      accountId: this.id(name),
      instrumentId,
      side,
      leverage,
    });
  }

  adjustMargin(name: string, side: HoldSide, delta: string): readonly Event[] {
    const { instrumentId } = this.contract;
    const command = {
      kind: 'adjust_margin',
      accountId: this.id(name),
      instrumentId,
      side,
    } as const;
    return this.run({ ...command, delta: this.amount(delta) });
  }

  /** Places an order; price 'market' for a market order, size in contracts. */
  order(
    name: string,
    action: ContractAction,
    price: string,
    size: number | string,
    options: ContractOrderOptions = {},
  ): readonly Event[] {
    return this.run(
      contractOrder({
        accountId: this.id(name),
        instrumentId: this.contract.instrumentId,
        action,
        force: options.force ?? 'gtc',
        priceTicks: price === 'market' ? undefined : ticks(this.ticks(price)),
        sizeLots: lots(this.lots(String(size))),
        clientOrderId: options.clientOrderId ?? '',
        takeProfitTicks: this.#ticksIfGiven(options.takeProfit),
        stopLossTicks: this.#ticksIfGiven(options.stopLoss),
        ...(options.working && {
          takeProfitWorking: options.working,
          stopLossWorking: options.working,
        }),
      }),
    );
  }

  #ticksIfGiven(price = '0'): Ticks | undefined {
    return price === '0' ? undefined : ticks(this.ticks(price));
  }

  /** Places a plan order; execute 'market' for a market order. */
  trigger(
    name: string,
    action: ContractAction,
    trigger: string,
    execute: string,
    size: number,
  ): readonly Event[] {
    return this.run(
      triggerOrder({
        accountId: this.id(name),
        instrumentId: this.contract.instrumentId,
        action,
        sizeLots: lots(size),
        triggerTicks: ticks(this.ticks(trigger)),
        executeTicks: execute === 'market' ? undefined : ticks(this.ticks(execute)),
      }),
    );
  }

  /** Two accounts trade with each other: one opens long, the other short, at this price. */
  trade(longName: string, shortName: string, price: string, size: number): void {
    refuseNone(this.order(shortName, 'open_short', price, size));
    refuseNone(this.order(longName, 'open_long', price, size));
  }

  /** The index price is reported, and what follows from it happens. */
  index(price: string): readonly Event[] {
    const { instrumentId } = this.contract;
    const priceTicks = ticks(this.ticks(price));
    return this.run({ kind: 'report_index', instrumentId, source: 'test', priceTicks });
  }

  /** Time passes, and a tick tells the engine. */
  tick(deltaMs = 1_000): readonly Event[] {
    this.venue.wait(deltaMs);
    return this.run({ kind: 'tick' });
  }

  fundInsurance(amount: string): readonly Event[] {
    const { assetId } = this.contract.margin;
    return this.run({ kind: 'fund_insurance', assetId, amount: this.amount(amount) });
  }

  id(name: string): AccountId {
    return present(this.#ids.get(name), `account ${name}`);
  }

  account(name: string): MarginAccountView {
    const found = this.engine.marginAccount(this.id(name), this.contract.instrumentId);
    return present(found, `margin account of ${name}`);
  }

  position(name: string, side: HoldSide): PositionView {
    return this.account(name)[side];
  }

  /** Balance of an account as text in coins. */
  balance(name: string): string {
    return this.text(this.account(name).balance);
  }

  /** An amount of the margin coin as text. */
  text(amount: bigint): string {
    return formatTrimmed(amount, this.contract.margin.scale);
  }

  amount(text: string): bigint {
    const value = parseDecimal(text, this.contract.margin.scale);
    assert.equal(typeof value, 'bigint', text);
    return typeof value === 'bigint' ? value : 0n;
  }

  ticks(text: string): number {
    return number(parseScaled(text, this.contract.priceScale), text);
  }

  lots(text: string): number {
    return number(parseScaled(text, this.contract.quantityScale), text);
  }

  fund(): string {
    const lines = this.engine.audit().lines;
    const line = lines.find(({ assetId }) => assetId === this.contract.margin.assetId);
    return this.text(present(line, 'audit line').insuranceFund);
  }
}

function number(value: number | string, text: string): number {
  assert.equal(typeof value, 'number', text);
  return typeof value === 'number' ? value : 0;
}

/** Fails when a command was refused. */
export function refuseNone(events: readonly Event[]): void {
  const refused = events.find(({ kind }) => kind === 'refused');
  assert.equal(refused, undefined, JSON.stringify(refused));
}

/** Why a command was refused; undefined when it was not. */
export function rejectOf(events: readonly Event[]): string | undefined {
  const [first] = events;
  return first?.kind === 'refused' ? first.reject : undefined;
}
