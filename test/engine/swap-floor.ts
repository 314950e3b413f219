/**
 * A floor of traders who act out a random scenario: finds which command each action means in the
 * state it meets, and runs it. Whoever watches sees every command with its events.
 */
import {
  type AccountId,
  type Command,
  type Contract,
  type ContractSpec,
  closeOf,
  type Event,
  type Force,
  fineToFloor,
  fineValue,
  type HoldSide,
  holdSideOf,
  isOpen,
  lots,
  type MarginAccountView,
  openableLots,
  orderId,
  otherSide,
  type Ticks,
  type TimedCommand,
  ticks,
  type WalletScope,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { Floor } from '../support/floor.ts';
import { contractOrder, triggerOrder } from '../support/orders.ts';
import { type Changing, orderChange } from './swap-floor-changes.ts';
import { COARSE_FLOORS, FLOORS, type FloorKind } from './swap-floors.ts';
import {
  type Action,
  type AtMarket,
  type Move,
  type Scenario,
  type Start,
  TRADERS,
} from './swap-random.ts';

const PPM = 1_000_000;

export type Watcher = (command: Command, events: readonly Event[], engine: Engine) => void;

export class ScenarioFloor extends Floor {
  readonly traders: readonly AccountId[];
  readonly #symbols: readonly string[];
  #watch: Watcher = () => {};

  /** A floor before its traders do anything but take their seats; what it checks is up to you. */
  constructor(
    kind: FloorKind | keyof typeof COARSE_FLOORS,
    starts: readonly Start[],
    watch: Watcher = () => {},
    wallets: WalletScope = 'contract',
  ) {
    super(Engine.empty(), { checks: false });
    this.listCoins();
    this.#watch = watch;
    const specs: readonly ContractSpec[] = { ...FLOORS, ...COARSE_FLOORS }[kind];
    this.#symbols = specs.map(({ symbol }) => symbol);
    for (const spec of specs) this.listContract(spec);
    this.traders = Array.from({ length: TRADERS }, (_, at) =>
      this.open(`trader${at}`, {}, { openOrdersMax: 100, wallets }),
    );
    for (const contract of this.contracts) this.#seat(contract, starts);
  }

  get contracts(): readonly Contract[] {
    return this.#symbols.map((symbol) => this.contractOf(symbol));
  }

  /** Shows every command from now on. */
  watch(watcher: Watcher): void {
    this.#watch = watcher;
  }

  protected override applyNext(timed: TimedCommand): readonly Event[] {
    const events = super.applyNext(timed);
    this.#watch(timed.command, events, this.engine);
    return events;
  }

  play(moves: Scenario['moves']): this {
    for (const move of moves) this.act(move);
    return this;
  }

  seat(trader: number, { symbol }: Contract): MarginAccountView {
    return this.account(this.#id(trader), symbol);
  }

  act({ contract: at, action }: Move): void {
    const contract = this.contractOf(this.#symbols[at] ?? '');
    if (action.act === 'trade') {
      const size = Math.min(
        action.size,
        this.#openable(contract, action.short, 'short'),
        this.#openable(contract, action.long, 'long'),
      );
      this.#order(contract, action.short, 'open_short', 'gtc', action.at, size);
      this.#order(contract, action.long, 'open_long', 'gtc', action.at, size);
    } else if (action.act === 'tick') {
      this.tick(action.afterMs);
    } else {
      const command = this.#command(contract, action);
      if (command !== undefined) this.run(command);
    }
  }

  #id(trader: number): AccountId {
    return present(this.traders[trader], 'trader');
  }

  #seat(contract: Contract, starts: readonly Start[]): void {
    const { instrumentId } = contract;
    starts.forEach(({ moneyLots, mode, leverage }, trader) => {
      const accountId = this.#id(trader);
      const amount = worth(contract, moneyLots);
      this.#money(contract, trader, 'deposit', amount);
      if (mode !== undefined) this.run({ kind: 'set_margin_mode', accountId, instrumentId, mode });
      if (leverage === undefined) return;
      this.run({ kind: 'set_leverage', accountId, instrumentId, side: 'both', leverage });
    });
  }

  /** The command for a action that is one command about one contract. */
  #command(
    contract: Contract,
    action: Exclude<Action, { act: 'trade' | 'tick' }>,
  ): Command | undefined {
    const { instrumentId } = contract;
    if (action.act === 'fund') {
      const amount = part(worth(contract, 40), action.part);
      return { kind: 'fund_insurance', assetId: contract.margin.assetId, amount };
    }
    if (action.act === 'terms') {
      return { kind: 'update_contract', instrumentId, changes: action.changes };
    }
    if (action.act === 'index' || action.act === 'recover') {
      return this.#report(contract, action);
    }
    return this.#traderCommand(contract, action);
  }

  #report(contract: Contract, action: Extract<Action, { act: 'index' | 'recover' }>): Command {
    const { instrumentId, referencePriceTicks } = contract;
    const { source } = action;
    const kind = 'report_index';
    if (action.act === 'recover') {
      const priceTicks = source === 'operator' ? ticks(0) : referencePriceTicks;
      return { kind, instrumentId, source, priceTicks };
    }
    const { indexTicks } = present(this.engine.contractPrices(instrumentId), 'prices');
    const moved = Math.round((indexTicks * (PPM + action.move)) / PPM);
    // Long series in one direction end in prices that nobody trades at: turn round before.
    const low = referencePriceTicks / 4;
    const high = referencePriceTicks * 4;
    const priceTicks = ticks(Math.round(Math.max(low, Math.min(high, moved))));
    return { kind, instrumentId, source, priceTicks };
  }

  #traderCommand(
    contract: Contract,
    action: Exclude<Action, { act: 'trade' | 'tick' | 'fund' | 'terms' | 'index' | 'recover' }>,
  ): Command | undefined {
    const { instrumentId } = contract;
    const accountId = this.#id(action.who);
    const view = this.seat(action.who, contract);
    switch (action.act) {
      case 'order':
        return this.#orderCommand(contract, action);
      case 'close': {
        const { who, force, at } = action;
        const side = view[action.side].lots > 0 ? action.side : otherSide(action.side);
        const size = Math.max(1, Number(part(BigInt(view[side].availableLots), action.part)));
        this.#order(contract, who, closeOf(side), force, at, size);
        return undefined;
      }
      case 'cancel':
      case 'cancel_plan': {
        const isOrder = action.act === 'cancel';
        const open = isOrder
          ? [...this.engine.openContractOrders(accountId, instrumentId)]
          : [...this.engine.waitingTriggers(accountId, instrumentId)];
        const id = open[action.which]?.orderId ?? orderId(1);
        const kind = isOrder ? 'cancel_contract_order' : 'cancel_trigger_order';
        return { kind, accountId, instrumentId, orderId: id };
      }
      case 'cancel_all':
        return { kind: 'cancel_all_contract_orders', accountId };
      case 'plan':
        return this.#plan(contract, action);
      case 'leverage': {
        const { side, leverage, of: mode } = action;
        return { kind: 'set_leverage', accountId, instrumentId, side, leverage, mode };
      }
      case 'adjust': {
        const { side } = action;
        const delta = part(action.isOut ? -view[side].margin / 2n : view.available, action.part);
        return { kind: 'adjust_margin', accountId, instrumentId, side, delta };
      }
      case 'auto': {
        const { side, isOn } = action;
        return { kind: 'set_auto_margin', accountId, instrumentId, side, automatic: isOn };
      }
      case 'mode': {
        const { mode, isStored } = action;
        const leverages = isStored ? 'stored' : undefined;
        return { kind: 'set_margin_mode', accountId, instrumentId, mode, leverages };
      }
      case 'settings': {
        const { frozen, prevention: selfTradePrevention, fees } = action;
        const [takerFeePpm, makerFeePpm] = fees;
        const changes = { frozen, selfTradePrevention, takerFeePpm, makerFeePpm };
        return { kind: 'update_account', accountId, changes };
      }
      case 'move': {
        const spot = this.engine.account(accountId)?.balance('spot', contract.margin.assetId);
        const most = {
          deposit: worth(contract, 4),
          withdraw: view.available / 2n,
          in: spot?.available ?? worth(contract, 1),
          out: view.available,
        }[action.how];
        this.#money(contract, action.who, action.how, part(most, action.part));
        return undefined;
      }
      default:
        return orderChange(this.#changing(accountId, contract), action);
    }
  }

  /** What a trader can open at the mark price, and one lot in any case: some refusals are fine. */
  #openable(contract: Contract, trader: number, side: HoldSide): number {
    const view = this.seat(trader, contract);
    const { leverage } = view[side];
    return Math.max(1, openableLots(contract, view.available, this.#price(contract, 0), leverage));
  }

  #money(
    contract: Contract,
    trader: number,
    how: 'deposit' | 'withdraw' | 'in' | 'out',
    amount: bigint,
  ): void {
    const accountId = this.#id(trader);
    const wallet = contract.symbol;
    const { assetId } = contract.margin;
    if (how === 'deposit' || how === 'withdraw') {
      this.run({ kind: how, accountId, wallet, assetId, amount });
      return;
    }
    const [from, to] = how === 'in' ? (['spot', wallet] as const) : ([wallet, 'spot'] as const);
    this.run({ kind: 'transfer', accountId, assetId, amount, from, to });
  }

  #order(
    contract: Contract,
    who: number,
    action: Extract<Action, { act: 'order' }>['action'],
    force: Force | AtMarket,
    at: number,
    size: number,
  ): void {
    const plain = { takeProfit: 0, stopLoss: 0, working: 'last', isNamed: false } as const;
    this.run(
      this.#orderCommand(contract, { act: 'order', who, action, force, at, size, ...plain }),
    );
  }

  #orderCommand(contract: Contract, order: Extract<Action, { act: 'order' }>): Command {
    const { action, force, size, working } = order;
    const [takeProfit, stopLoss] = isOpen(action) ? [order.takeProfit, order.stopLoss] : [0, 0];
    const price = this.#price(contract, order.at);
    const sign = holdSideOf(action) === 'long' ? 1 : -1;
    const step = contract.priceStepTicks;
    return contractOrder({
      accountId: this.#id(order.who),
      instrumentId: contract.instrumentId,
      action,
      ...termsOf(force, price),
      sizeLots: lots(size),
      clientOrderId: order.isNamed ? `name-${size}` : undefined,
      takeProfitTicks: takeProfit === 0 ? undefined : shifted(price, sign * takeProfit, step),
      stopLossTicks: stopLoss === 0 ? undefined : shifted(price, -sign * stopLoss, step),
      ...(working !== 'last' && { takeProfitWorking: working, stopLossWorking: working }),
    });
  }

  #changing(accountId: AccountId, contract: Contract): Changing {
    const priceAt = (at: number) => this.#price(contract, at);
    return { engine: this.engine, accountId, contract, priceAt };
  }

  #plan(contract: Contract, action: Extract<Action, { act: 'plan' }>): Command {
    const { execute, takeProfit, isDirected, working: workingPrice } = action;
    const isOpening = isOpen(action.action);
    const sign = holdSideOf(action.action) === 'long' ? 1 : -1;
    const at = this.#price(contract, execute ?? action.trigger);
    return triggerOrder({
      accountId: this.#id(action.who),
      instrumentId: contract.instrumentId,
      action: action.action,
      sizeLots: lots(action.size),
      triggerTicks: this.#price(contract, action.trigger),
      executeTicks: execute === undefined ? undefined : this.#price(contract, execute),
      ...(workingPrice !== 'last' && { workingPrice }),
      ...(isDirected && { direction: action.trigger > 0 ? 'rise' : 'fall' }),
      ...(isOpening &&
        takeProfit !== 0 && {
          takeProfitTicks: shifted(at, sign * takeProfit, contract.priceStepTicks),
        }),
    });
  }

  /** A price this far from the mark price, on a whole step. */
  #price({ instrumentId, priceStepTicks }: Contract, at: number): Ticks {
    const { markTicks } = present(this.engine.contractPrices(instrumentId), 'prices');
    return shifted(markTicks, at, priceStepTicks);
  }
}

function termsOf(
  force: Force | AtMarket,
  priceTicks: Ticks,
): { readonly force: Force; readonly priceTicks?: Ticks } {
  if (force === 'market') return { force: 'gtc' };
  if (force === 'market_fok') return { force: 'fok' };
  return { force, priceTicks };
}

function shifted(priceTicks: number, byPpm: number, step: number): Ticks {
  return ticks(Math.max(step, Math.round((priceTicks * (PPM + byPpm)) / PPM / step) * step));
}

/** What so many lots are worth at the contract's first price, in margin units. */
function worth(contract: Contract, size: number): bigint {
  return fineToFloor(contract, fineValue(contract, size, contract.referencePriceTicks));
}

function part(amount: bigint, ppm: number): bigint {
  return (amount * BigInt(ppm)) / BigInt(PPM);
}
