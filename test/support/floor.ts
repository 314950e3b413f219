/**
 * An engine alone, and who trades on it: coins, pairs and contracts, accounts by name, prices and
 * sizes as a trader writes them. Every command is followed by a check of all that must always hold.
 */
import { strict as assert } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  type AccountId,
  type AccountSettings,
  type Command,
  type Contract,
  type ContractAction,
  type ContractSpec,
  type Event,
  type Force,
  type HoldSide,
  type InstrumentId,
  instrumentId,
  LIMITS,
  lots,
  type MarginAccountView,
  type MarginMode,
  marginWallet,
  type OrderId,
  type PositionView,
  type Side,
  type SpotSpec,
  type Step,
  type Ticks,
  type TimedCommand,
  type Wallet,
  type WorkingPrice,
} from '#domain';
import { Engine } from '#engine';
import { formatTrimmed, present } from '#kernel';
import { LINEAR } from './contracts.ts';
import {
  type Figure,
  pairFigures,
  pairLots,
  priceIfGiven,
  priceOf,
  scaled,
  unitsOf,
} from './floor-figures.ts';
import { contractOrder, spotOrder, triggerOrder } from './orders.ts';
import { accountSettings, assetSpec, pairSpec } from './terms.ts';

export const START_MS = 1_795_235_652_000;

export const BTCUSDT = instrumentId(0);
export const ETHUSDT = instrumentId(1);

/** Its id, or its name. */
export type Who = AccountId | string;

export interface FloorOptions {
  /** Off where a test runs too much for a check of everything, or checks by itself. */
  readonly checks?: boolean;
  readonly startMs?: number;
  /** How much time passes before each command. */
  readonly stepMs?: number;
  /** Whether a command is followed by those that its order needs to be done. */
  readonly finishesOrders?: boolean;
}

export interface OrderOptions {
  readonly instrument?: InstrumentId;
  readonly force?: Force;
  readonly clientOrderId?: string | undefined;
}

export interface ContractOrderOptions {
  /** The symbol of the contract; the first one listed if none is given. */
  readonly on?: string;
  readonly force?: Force;
  readonly clientOrderId?: string | undefined;
  readonly takeProfit?: string;
  readonly stopLoss?: string;
  /** What both of them look at. */
  readonly working?: WorkingPrice | undefined;
}

export interface AccountOptions extends Partial<Omit<AccountSettings, 'name'>> {
  readonly mode?: MarginMode;
  readonly leverage?: number;
}

export class Floor {
  readonly engine: Engine;
  /** Under which commands are applied: this release's, but for tests of what others left. */
  readonly commands: TimedCommand[] = [];
  readonly steps: Step[] = [];
  timeMs: number;
  readonly #checks: boolean;
  readonly #stepMs: number;
  readonly #finishesOrders: boolean;

  constructor(
    engine = Engine.empty(),
    { checks = true, startMs = START_MS, stepMs = 1, finishesOrders = true }: FloorOptions = {},
  ) {
    this.engine = engine;
    this.timeMs = startMs;
    this.#checks = checks;
    this.#stepMs = stepMs;
    this.#finishesOrders = finishesOrders;
  }

  /** One with USDT, BTC and ETH, two pairs and one contract. */
  static listed(terms: Partial<SpotSpec> = {}, options: FloorOptions = {}): Floor {
    const floor = new Floor(Engine.empty(), options).listCoins();
    return floor.listPairs(terms).listContract(LINEAR);
  }

  /** One with the coins and this contract. */
  static ofContract(spec: ContractSpec = LINEAR, options: FloorOptions = {}): Floor {
    return new Floor(Engine.empty(), options).listCoins().listContract(spec);
  }

  /** Lists USDT, BTC and ETH. */
  listCoins(): this {
    for (const [coinId, code] of [
      [2, 'USDT'],
      [1, 'BTC'],
      [3, 'ETH'],
    ] as const) {
      this.run({ kind: 'list_asset', spec: assetSpec(coinId, code) });
    }
    return this;
  }

  /** Lists BTC-USDT and ETH-USDT. */
  listPairs(terms: Partial<SpotSpec> = {}): this {
    this.run({ kind: 'list_spot', spec: pairSpec('BTC', 'USDT', terms) });
    this.run({ kind: 'list_spot', spec: pairSpec('ETH', 'USDT', terms) });
    return this;
  }

  listContract(spec: ContractSpec): this {
    const events = this.run({ kind: 'list_contract', spec });
    assert.equal(events[0]?.kind, 'contract_listed', rejectOf(events));
    return this;
  }

  /** Lets time pass before the next command. */
  wait(deltaMs: number): void {
    this.timeMs += deltaMs;
  }

  /**
   * What it did, behind what the settlements did that were due before it, as on a venue. An order
   * that meets many others is done afterwards, unless the floor leaves that to its test.
   */
  run(command: Command): readonly Event[] {
    const events = this.#runAlone(command);
    if (!this.#finishesOrders || !this.engine.hasOrdersAtWork) return events;
    const all = [events];
    while (this.engine.hasOrdersAtWork) all.push(this.#runAlone({ kind: 'continue_work' }));
    return all.flat();
  }

  #runAlone(command: Command): readonly Event[] {
    this.timeMs += this.#stepMs;
    const timed = { command, timeMs: this.timeMs };
    const due = this.engine.dueBefore(timed);
    if (due === undefined) return this.applyNext(timed);
    const all = [this.applyNext(due)];
    for (let next = this.engine.dueBefore(timed); next; next = this.engine.dueBefore(timed)) {
      all.push(this.applyNext(next));
    }
    return [...all, this.applyNext(timed)].flat();
  }

  /** One step: a command, or a settlement in front of it. */
  protected applyNext(timed: TimedCommand): readonly Event[] {
    this.commands.push(timed);
    const step = this.engine.apply(timed.command, timed.timeMs);
    this.steps.push(step);
    if (this.#checks) this.engine.check();
    return step.events;
  }

  /**
   * Opens an account with coins, written as in { USDT: '1000' }, or with this much margin coin for
   * the first contract. Its wallets are one per contract unless it says otherwise: most tables of
   * contracts are about isolated margin in one of them.
   */
  open(
    name: string,
    money: string | Readonly<Record<string, string>> = {},
    { mode, leverage, ...settings }: AccountOptions = {},
  ): AccountId {
    const limits = { openOrdersMax: LIMITS.accountOpenOrdersMax };
    const own = { ...limits, wallets: 'contract', ...settings } as const;
    const [event] = this.run({ kind: 'create_account', settings: accountSettings(name, own) });
    assert.equal(event?.kind, 'account_created');
    const accountId = this.id(name);
    if (typeof money !== 'string') {
      for (const [code, amount] of Object.entries(money)) this.deposit(accountId, code, amount);
    } else if (money !== '0') this.fund(accountId, money);
    if (mode !== undefined) this.setMode(accountId, mode);
    if (leverage !== undefined) this.leverage(accountId, 'both', leverage);
    return accountId;
  }

  id(who: Who): AccountId {
    return typeof who === 'number' ? who : present(this.engine.accountByName(who), who).accountId;
  }

  deposit(who: Who, code: string, amount: string, wallet: Wallet = 'spot'): readonly Event[] {
    const { assetId, scale } = present(this.engine.listings.assetByCode(code), code);
    const units = unitsOf(amount, scale);
    const accountId = this.id(who);
    return this.run({ kind: 'deposit', accountId, wallet, assetId, amount: units });
  }

  limit(
    who: Who,
    side: Side,
    price: Figure,
    quantity: Figure,
    options: OrderOptions = {},
  ): readonly Event[] {
    return this.run(
      spotOrder({
        accountId: this.id(who),
        instrumentId: options.instrument ?? BTCUSDT,
        side,
        force: options.force ?? 'gtc',
        ...pairFigures(price, quantity),
        clientOrderId: options.clientOrderId,
      }),
    );
  }

  /** A market order; the quantity of a buy is what it spends: coins as text, or units. */
  market(accountId: AccountId, side: Side, quantity: string | bigint): readonly Event[] {
    const facts = { kind: 'place_spot_order', accountId, instrumentId: BTCUSDT } as const;
    const market = { ...facts, type: 'market', force: 'gtc', clientOrderId: undefined } as const;
    if (side === 'sell') return this.run({ ...market, side, sizeLots: pairLots(String(quantity)) });
    const quoteBudget = typeof quantity === 'bigint' ? quantity : amountOf(quantity);
    return this.run({ ...market, side, quoteBudget });
  }

  /** A market order to buy this much of the base coin. */
  marketBuy(accountId: AccountId, quantity: string): readonly Event[] {
    const facts = { kind: 'place_spot_order', accountId, instrumentId: BTCUSDT } as const;
    const terms = { type: 'market', side: 'buy', force: 'gtc', clientOrderId: undefined } as const;
    return this.run({ ...facts, ...terms, sizeLots: pairLots(quantity) });
  }

  /** Another price and size for a resting order; the size is that of the whole order. */
  move(accountId: AccountId, orderId: OrderId, price: Figure, quantity: Figure): readonly Event[] {
    const facts = { accountId, instrumentId: BTCUSDT, orderId };
    return this.run({ kind: 'move_spot_order', ...facts, ...pairFigures(price, quantity) });
  }

  cancel(accountId: AccountId, orderId: OrderId, instrument = BTCUSDT): readonly Event[] {
    return this.run({ kind: 'cancel_spot_order', accountId, instrumentId: instrument, orderId });
  }

  /** The first contract listed, or that of a symbol. */
  contractOf(symbol?: string): Contract {
    const { listings } = this.engine;
    const [first] = listings.contracts.values();
    return present(symbol === undefined ? first : listings.contract(symbol), symbol ?? 'contract');
  }

  get contract(): Contract {
    return this.contractOf();
  }

  /** Deposits margin coin where the account keeps it for a contract. */
  fund(who: Who, amount: string, on?: string): readonly Event[] {
    return this.run({ kind: 'deposit', ...this.#margin(who, amount, on) });
  }

  withdraw(who: Who, amount: string, on?: string): readonly Event[] {
    return this.run({ kind: 'withdraw', ...this.#margin(who, amount, on) });
  }

  #margin(who: Who, amount: string, on?: string) {
    const contract = this.contractOf(on);
    const { margin } = contract;
    const accountId = this.id(who);
    const account = present(this.engine.account(accountId), 'account');
    const wallet = marginWallet(account, contract);
    return { accountId, wallet, assetId: margin.assetId, amount: unitsOf(amount, margin.scale) };
  }

  setMode(who: Who, mode: MarginMode, on?: string): readonly Event[] {
    const { instrumentId } = this.contractOf(on);
    return this.run({ kind: 'set_margin_mode', accountId: this.id(who), instrumentId, mode });
  }

  leverage(who: Who, side: HoldSide | 'both', leverage: number, on?: string): readonly Event[] {
    const { instrumentId } = this.contractOf(on);
    return this.run({
      kind: 'set_leverage',
      accountId: this.id(who),
      instrumentId,
      side,
      leverage,
    });
  }

  adjustMargin(who: Who, side: HoldSide, delta: string): readonly Event[] {
    const { instrumentId } = this.contract;
    const target = { accountId: this.id(who), instrumentId, side };
    return this.run({ kind: 'adjust_margin', ...target, delta: this.amount(delta) });
  }

  /** Places an order of a contract; price 'market' for a market order. */
  order(
    who: Who,
    action: ContractAction,
    price: Figure,
    size: Figure,
    options: ContractOrderOptions = {},
  ): readonly Event[] {
    const contract = this.contractOf(options.on);
    return this.run(
      contractOrder({
        accountId: this.id(who),
        instrumentId: contract.instrumentId,
        action,
        force: options.force ?? 'gtc',
        priceTicks: price === 'market' ? undefined : priceOf(contract, price),
        sizeLots: lots(scaled(size, contract.quantityScale)),
        clientOrderId: options.clientOrderId,
        takeProfitTicks: priceIfGiven(contract, options.takeProfit),
        stopLossTicks: priceIfGiven(contract, options.stopLoss),
        ...(options.working && {
          takeProfitWorking: options.working,
          stopLossWorking: options.working,
        }),
      }),
    );
  }

  /** Places a trigger order; execute 'market' for a market order. */
  trigger(
    who: Who,
    action: ContractAction,
    trigger: Figure,
    execute: Figure,
    size: number,
    { on, clientOrderId }: Pick<ContractOrderOptions, 'on' | 'clientOrderId'> = {},
  ): readonly Event[] {
    const contract = this.contractOf(on);
    return this.run(
      triggerOrder({
        accountId: this.id(who),
        instrumentId: contract.instrumentId,
        action,
        sizeLots: lots(size),
        triggerTicks: priceOf(contract, trigger),
        executeTicks: execute === 'market' ? undefined : priceOf(contract, execute),
        clientOrderId,
      }),
    );
  }

  /** Two accounts trade with each other: one opens long, the other short, at this price. */
  trade(long: Who, short: Who, price: Figure, size: number, on?: string): void {
    const options = on === undefined ? {} : { on };
    refuseNone(this.order(short, 'open_short', price, size, options));
    refuseNone(this.order(long, 'open_long', price, size, options));
  }

  /** The index price is reported, and what follows from it happens. */
  index(price: Figure, on?: string): readonly Event[] {
    const contract = this.contractOf(on);
    const { instrumentId } = contract;
    const priceTicks = priceOf(contract, price);
    return this.run({ kind: 'report_index', instrumentId, source: 'test', priceTicks });
  }

  /** Time passes, and a tick says so. */
  tick(deltaMs = 1_000): readonly Event[] {
    this.wait(deltaMs);
    return this.run({ kind: 'tick' });
  }

  fundInsurance(amount: string): readonly Event[] {
    const { assetId } = this.contract.margin;
    return this.run({ kind: 'fund_insurance', assetId, amount: this.amount(amount) });
  }

  account(who: Who, on?: string): MarginAccountView {
    const found = this.engine.marginAccount(this.id(who), this.contractOf(on).instrumentId);
    return present(found, `margin account of ${who}`);
  }

  position(who: Who, side: HoldSide): PositionView {
    return this.account(who)[side];
  }

  /** Balance of an account as text in coins. */
  balance(who: Who): string {
    return this.text(this.account(who).balance);
  }

  /** What the account's wallet of the first margin coin has in all, as text in coins. */
  funds(who: Who) {
    const { assetId, scale } = this.contract.margin;
    const { assetId: _, ...sums } = present(
      this.engine.marginFunds(this.id(who), assetId),
      'funds',
    );
    return Object.fromEntries(
      Object.entries(sums).map(([name, amount]) => [name, formatTrimmed(amount, scale)]),
    );
  }

  markTicks(on?: string): Ticks {
    const prices = this.engine.contractPrices(this.contractOf(on).instrumentId);
    return present(prices, 'prices').markTicks;
  }

  /** An amount of the first contract's margin coin as text. */
  text(amount: bigint): string {
    return formatTrimmed(amount, this.contract.margin.scale);
  }

  amount(text: string): bigint {
    return unitsOf(text, this.contract.margin.scale);
  }

  ticks(text: string): Ticks {
    return priceOf(this.contract, text);
  }

  lots(text: string): number {
    return scaled(text, this.contract.quantityScale);
  }

  insuranceFund(): string {
    const { lines } = this.engine.audit();
    const line = lines.find(({ assetId }) => assetId === this.contract.margin.assetId);
    return this.text(present(line, 'audit line').insuranceFund);
  }

  /** Hash of the whole state but its command counter and clock, which refusals move too. */
  stateHash(): string {
    const rows = [...this.engine.dump()];
    const [, , , , lastId] = JSON.parse(present(rows[0], 'header row'));
    return createHash('sha256')
      .update(`${lastId}\n${rows.slice(1).join('\n')}`)
      .digest('hex');
  }
}

/** A coin amount in ledger units (scale 8). */
export function amountOf(text: string): bigint {
  return unitsOf(text, 8);
}

/** The id of the order these events accepted. */
export function acceptedId(events: readonly Event[]): OrderId {
  const first = events.find(({ kind }) => kind.endsWith('_accepted'));
  if (first?.kind === 'order_accepted' || first?.kind === 'contract_order_accepted') {
    return first.orderId;
  }
  if (first?.kind === 'trigger_order_accepted') return first.trigger.orderId;
  throw new Error(rejectOf(events) ?? 'not accepted');
}

/** Fails when a command was refused. */
export function refuseNone(events: readonly Event[]): void {
  const refused = events.find(({ kind }) => kind === 'refused');
  assert.equal(refused, undefined, JSON.stringify(refused));
}

/** Why a command was refused; undefined when it was not. */
export function rejectOf(events: readonly Event[]): string | undefined {
  const refused = events.find((event) => event.kind === 'refused');
  return refused?.kind === 'refused' ? refused.reject : undefined;
}
