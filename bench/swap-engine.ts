/**
 * The full contract engine without I/O: margin, matching, positions and events for every command,
 * and what a new index price costs when a thousand or a hundred thousand positions are open. The
 * stream opens and closes long and short positions of many accounts around one price.
 */
import { strict as assert } from 'node:assert/strict';
import {
  accountId,
  assetId,
  type Command,
  type ContractAction,
  type ContractSpec,
  closeOf,
  defaultTerms,
  instrumentId,
  LIMITS,
  lots,
  type OrderId,
  openOf,
  orderId,
  type Step,
  type Ticks,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { randomOf } from '../tools/random.ts';
import { MARGIN_COIN } from './coin.ts';
import { SETTINGS } from './engine.ts';
import { median, START_MS, timeSeconds } from './measure.ts';
import type { BenchResult } from './result.ts';

const STREAM_ACCOUNTS = 1_000;
const ROUNDS = 5;
const CONTRACT = instrumentId(0);
const FUNDS = 10n ** 15n;
const MIDDLE_TICKS = 300_000;

const TIERS = [
  { contractsMax: lots(100_000), maintenanceRatePpm: 5_000, leverageMax: 100 },
  { contractsMax: lots(10_000_000), maintenanceRatePpm: 10_000, leverageMax: 50 },
];

export const SWAP_SPEC: ContractSpec = {
  ...defaultTerms(TIERS, lots(1)),
  symbol: 'BTC-USDT-PERP',
  kind: 'linear',
  baseCode: 'BTC',
  quoteCode: 'USDT',
  contractValue: '0.001',
  priceScale: 1,
  priceStepTicks: ticks(1),
  quantityScale: 0,
  referencePriceTicks: ticks(MIDDLE_TICKS),
  openOrdersMax: LIMITS.openOrdersMax,
  indexSources: [{ kind: 'feed', name: 'bench', weight: 1 }],
  indexStaleMs: 0,
  indexOutlierPpm: 900_000,
};

/** An engine with one contract and this many funded accounts. */
function funded(accountsCount: number): Engine {
  const engine = Engine.empty();
  for (const command of fundingCommands(accountsCount)) engine.apply(command, START_MS);
  return engine;
}

function fundingCommands(accountsCount: number): Command[] {
  const wallet = SWAP_SPEC.symbol;
  const commands: Command[] = [
    { kind: 'list_asset', spec: MARGIN_COIN },
    { kind: 'list_contract', spec: SWAP_SPEC },
  ];
  for (let number = 1; number <= accountsCount; number += 1) {
    const to = { accountId: accountId(number), wallet, assetId: assetId(0) };
    commands.push(
      { kind: 'create_account', settings: { ...SETTINGS, name: `bench-${number}` } },
      { kind: 'deposit', ...to, amount: FUNDS },
    );
  }
  return commands;
}

/** Makes the next command of the stream from what the accounts hold. */
class OrderStream {
  readonly #engine: Engine;
  readonly #random = randomOf(7);
  readonly #resting: { readonly account: number; readonly order: OrderId }[] = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  next(): Command {
    const cancels = this.#resting.length > 50 && this.#random() < 0.3;
    return cancels ? this.#cancel() : this.#place();
  }

  rested(account: number, order: OrderId): void {
    this.#resting.push({ account, order });
  }

  #place(): Command {
    const account = accountId(1 + Math.floor(this.#random() * STREAM_ACCOUNTS));
    const size = 1 + Math.floor(this.#random() * 10);
    return {
      kind: 'place_contract_order',
      accountId: account,
      instrumentId: CONTRACT,
      action: this.#action(account, size),
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(MIDDLE_TICKS + Math.floor(this.#random() * 10)),
      sizeLots: lots(size),
    };
  }

  /** Closes what is held in half of the cases in which there is enough of it. */
  #action(account: ReturnType<typeof accountId>, size: number): ContractAction {
    const buys = this.#random() < 0.5;
    const held = this.#engine.marginAccount(account, CONTRACT);
    const position = buys ? held?.short : held?.long;
    assert(position !== undefined);
    const closes = position.availableLots >= size && this.#random() < 0.5;
    if (closes) return closeOf(position.side);
    return openOf(buys ? 'long' : 'short');
  }

  #cancel(): Command {
    const at = Math.floor(this.#random() * this.#resting.length);
    const target = this.#resting[at];
    const tail = this.#resting.pop();
    assert(target !== undefined && tail !== undefined);
    if (target !== tail) this.#resting[at] = tail;
    return {
      kind: 'cancel_contract_order',
      accountId: accountId(target.account),
      instrumentId: CONTRACT,
      orderId: orderId(target.order),
    };
  }
}

/** The commands of one run, made beforehand so that only the engine is timed. */
function recordStream(count: number): Command[] {
  const engine = funded(STREAM_ACCOUNTS);
  const stream = new OrderStream(engine);
  return Array.from({ length: count }, () => {
    const command = stream.next();
    for (const event of engine.apply(command, START_MS).events) {
      if (event.kind === 'order_rested') stream.rested(event.accountId, event.orderId);
    }
    return command;
  });
}

/** Such a stream from its first listing on. */
export function contractCommands(count: number): Command[] {
  return [...fundingCommands(STREAM_ACCOUNTS), ...recordStream(count)];
}

/** What such a stream does, as steps of a venue of its own, for those who write it down. */
export function streamSteps(count: number, startMs: number, stepMs: number): Step[] {
  const engine = funded(STREAM_ACCOUNTS);
  return recordStream(count).map((command, at) => {
    return { ...engine.apply(command, START_MS), seq: at + 1, timeMs: startMs + stepMs * at };
  });
}

function commandRates(print: (line: string) => void): BenchResult[] {
  return [50_000, 500_000].map((size) => {
    const commands = recordStream(size);
    const rates: number[] = [];
    let events = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const engine = funded(STREAM_ACCOUNTS);
      events = 0;
      let timeMs = START_MS;
      const seconds = timeSeconds(() => {
        for (const command of commands) events += engine.apply(command, timeMs++).events.length;
      });
      engine.check();
      rates.push(size / seconds);
    }
    const value = median(rates);
    const eventsEach = (events / size).toFixed(2);
    print(`  swap engine ${size}: ${Math.round(value)} commands/s, ${eventsEach} events each`);
    return { name: 'swap engine, no I/O', size, value, unit: 'commands/s', floor: 300_000 };
  });
}

/** Ticks measured per size, and how many of them liquidate somebody. */
const TICKS = 2_000;
const TICK_FLOOR_MICROSECONDS = 1_000;

/** An engine in which this many positions are open, at entries spread over a wide range. */
function withPositions(count: number): Engine {
  const accountsCount = count / 2;
  const engine = funded(accountsCount * 2);
  let timeMs = START_MS;
  const report = (priceTicks: number) =>
    engine.apply(
      {
        kind: 'report_index',
        instrumentId: CONTRACT,
        source: 'bench',
        priceTicks: ticks(priceTicks),
      },
      timeMs++,
    );
  const order = (account: number, action: ContractAction, priceTicks: number) =>
    engine.apply(
      {
        kind: 'place_contract_order',
        accountId: accountId(account),
        instrumentId: CONTRACT,
        action,
        type: 'limit',
        force: 'gtc',
        priceTicks: ticks(priceTicks),
        sizeLots: lots(1),
      },
      timeMs++,
    );
  report(MIDDLE_TICKS);
  for (let pair = 0; pair < accountsCount; pair += 1) {
    const priceTicks = MIDDLE_TICKS - 500 + (pair % 1_000);
    order(2 * pair + 1, 'open_short', priceTicks);
    order(2 * pair + 2, 'open_long', priceTicks);
  }
  report(MIDDLE_TICKS);
  const held = engine.contractPrices(CONTRACT)?.openInterestLots;
  assert.equal(held, accountsCount, 'every pair of accounts has traded');
  return engine;
}

/** What a price that liquidates nobody costs: the same however many positions there are. */
function tickCosts(print: (line: string) => void): BenchResult[] {
  return [1_000, 100_000].map((size) => {
    const engine = withPositions(size);
    let timeMs = engine.timeMs + 1;
    const seconds = timeSeconds(() => {
      for (let tick = 0; tick < TICKS; tick += 1) {
        const priceTicks = ticks(MIDDLE_TICKS + (tick % 100));
        const command = { instrumentId: CONTRACT, source: 'bench', priceTicks } as const;
        engine.apply({ kind: 'report_index', ...command }, timeMs++);
      }
    });
    const value = (seconds / TICKS) * 1e6;
    print(`  index price with ${size} positions: ${value.toFixed(1)} microseconds`);
    const name = 'new index price, nobody liquidated';
    return { name, size, value, unit: 'µs', floor: TICK_FLOOR_MICROSECONDS };
  });
}

/** What every liquidation of a fall costs, the price itself included. */
function liquidationCosts(print: (line: string) => void): BenchResult[] {
  return [1_000, 100_000].map((size) => {
    const engine = withPositions(size);
    let timeMs = engine.timeMs + 1;
    let liquidated = 0;
    const seconds = timeSeconds(() => {
      for (let step = 1; step <= 100; step += 1) {
        const priceTicks = ticks(MIDDLE_TICKS - step * 200);
        liquidated += liquidatedAt(engine, priceTicks, timeMs++);
      }
    });
    engine.check();
    const value = (seconds / Math.max(1, liquidated)) * 1e6;
    print(`  ${liquidated} liquidations among ${size} positions: ${value.toFixed(1)} µs each`);
    return { name: 'one liquidation by deleveraging', size, value, unit: 'µs' };
  });
}

/** Reports a price, and goes on until all that it sets off is done: how many are liquidated. */
function liquidatedAt(engine: Engine, priceTicks: Ticks, timeMs: number): number {
  const index = { instrumentId: CONTRACT, source: 'bench', priceTicks } as const;
  let { events } = engine.apply({ kind: 'report_index', ...index }, timeMs);
  let count = 0;
  for (;;) {
    for (const { kind } of events) if (kind === 'liquidated') count += 1;
    if (!engine.hasWork) return count;
    events = engine.apply({ kind: 'continue_work' }, timeMs).events;
  }
}

/** What a hedge keeps on its balance: less than closing its shorts costs before it is netted. */
const HEDGE_MONEY = 2_550_000_000n;

/**
 * So many longs with a hundredth behind them. Their counterparties are long 4 at 10,000 and short
 * 10 at 20,000 on one balance; the first two accounts made the trades and are flat again.
 */
function withHedges(count: number): Engine {
  const engine = funded(2 * count + 2);
  let timeMs = START_MS;
  const apply = (command: Command) => engine.apply(command, timeMs++);
  const report = (priceTicks: number) => {
    const index = { source: 'bench', priceTicks: ticks(priceTicks) };
    apply({ kind: 'report_index', instrumentId: CONTRACT, ...index });
  };
  const order = (account: number, action: ContractAction, price: number, size: number) =>
    apply({
      kind: 'place_contract_order',
      accountId: accountId(account),
      instrumentId: CONTRACT,
      action,
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(price),
      sizeLots: lots(size),
    });
  const hedges = Array.from({ length: count }, (_, at) => at + 3);
  for (const account of [1, 2, ...hedges]) {
    const id = accountId(account);
    apply({ kind: 'set_margin_mode', accountId: id, instrumentId: CONTRACT, mode: 'cross' });
    if (account <= 2) continue;
    const from = { wallet: SWAP_SPEC.symbol, assetId: assetId(0) };
    apply({ kind: 'withdraw', accountId: id, ...from, amount: FUNDS - HEDGE_MONEY });
  }
  report(100_000);
  for (const account of hedges) {
    order(1, 'open_short', 100_000, 4);
    order(account, 'open_long', 100_000, 4);
  }
  report(200_000);
  for (const account of hedges) {
    order(account, 'open_short', 200_000, 10);
    order(2, 'open_long', 200_000, 10);
  }
  report(300_000);
  order(2, 'close_long', 300_000, 10 * count);
  order(1, 'close_short', 300_000, 4 * count);
  for (const hedge of hedges) {
    const loser = accountId(hedge + count);
    const leverage = { side: 'long', leverage: 100 } as const;
    apply({ kind: 'set_leverage', accountId: loser, instrumentId: CONTRACT, ...leverage });
    order(hedge + count, 'open_long', 300_000, 6);
  }
  return engine;
}

/** What each liquidation of a wave costs when all who can be deleveraged are crossed hedges. */
function hedgeCosts(print: (line: string) => void): BenchResult[] {
  return [1_000, 10_000].map((size) => {
    const engine = withHedges(size);
    let liquidated = 0;
    const seconds = timeSeconds(() => {
      liquidated = liquidatedAt(engine, ticks(290_000), engine.timeMs + 1);
    });
    assert.equal(liquidated, size, 'everybody was liquidated');
    engine.check();
    const value = (seconds / size) * 1e6;
    print(`  ${size} liquidations over crossed hedges: ${value.toFixed(1)} µs each`);
    return { name: 'one liquidation over crossed hedges', size, value, unit: 'µs' };
  });
}

/** Commands a second through the contract engine, and the cost of prices, at two sizes each. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  return [
    ...commandRates(print),
    ...tickCosts(print),
    ...liquidationCosts(print),
    ...hedgeCosts(print),
  ];
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
