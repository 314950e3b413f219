/**
 * The full spot engine without I/O: checks, ledger, matching and events for every command. The
 * stream is what a busy pair sees: limit orders around one price from many accounts, about half of
 * them trading, and cancels of some of the rest.
 */
import { strict as assert } from 'node:assert/strict';
import {
  accountId,
  assetId,
  type Command,
  instrumentId,
  LIMITS,
  lots,
  type OrderId,
  orderId,
  ticks,
  USUAL_FUND_BUDGET,
} from '#domain';
import { Engine } from '#engine';
import { randomOf } from '../tools/random.ts';
import { median, START_MS, timeSeconds } from './measure.ts';
import type { BenchResult } from './result.ts';
import { MoveStream } from './spot-moves.ts';

/** How many accounts the stream's orders come from. */
export const STREAM_ACCOUNTS = 1_000;
const ROUNDS = 5;
const PAIR = instrumentId(0);
const FUNDS = 10n ** 18n;
const MIDDLE_TICKS = 3_000_000;

const SPOT = {
  symbol: 'BTC-USDT',
  baseCode: 'BTC',
  quoteCode: 'USDT',
  priceScale: 2,
  quantityScale: 4,
  minLots: lots(1),
  maxLots: lots(1_000_000_000),
  minNotional: 0n,
  takerFeePpm: 1_000,
  makerFeePpm: 1_000,
  status: 'online',
  referencePriceTicks: ticks(0),
  priceBandPpm: 0,
} as const;

export const SETTINGS = {
  frozen: false,
  selfTradePrevention: 'cancel_maker',
  openOrdersMax: LIMITS.openOrdersMax,
  takerFeePpm: null,
  makerFeePpm: null,
} as const;

/** Commands that list one pair and fund this many accounts. */
export function setupCommands(accountsCount: number): Command[] {
  const coin = { scale: 8, transferable: true, chains: [], fundBudget: USUAL_FUND_BUDGET };
  const commands: Command[] = [
    { kind: 'list_asset', spec: { coinId: 1, code: 'BTC', ...coin } },
    { kind: 'list_asset', spec: { coinId: 2, code: 'USDT', ...coin } },
    { kind: 'list_spot', spec: SPOT },
  ];
  for (let number = 1; number <= accountsCount; number += 1) {
    commands.push({ kind: 'create_account', settings: { ...SETTINGS, name: `bench-${number}` } });
    for (const index of [0, 1]) {
      const to = { accountId: accountId(number), wallet: 'spot', assetId: assetId(index) } as const;
      commands.push({ kind: 'deposit', ...to, amount: FUNDS });
    }
  }
  return commands;
}

/** Makes the next command of the stream; it needs to know which orders came to rest. */
class OrderStream {
  readonly #random: () => number;
  readonly #resting: { readonly account: number; readonly order: OrderId }[] = [];

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  next(): Command {
    const last = this.#resting.length > 50 && this.#random() < 0.3;
    return last ? this.#cancel() : this.#place();
  }

  rested(account: number, order: OrderId): void {
    this.#resting.push({ account, order });
  }

  #place(): Command {
    const buy = this.#random() < 0.5;
    return {
      kind: 'place_spot_order',
      accountId: accountId(1 + Math.floor(this.#random() * STREAM_ACCOUNTS)),
      instrumentId: PAIR,
      side: buy ? 'buy' : 'sell',
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(MIDDLE_TICKS + Math.floor(this.#random() * 10)),
      sizeLots: lots(1 + Math.floor(this.#random() * 10)),
    };
  }

  #cancel(): Command {
    const at = Math.floor(this.#random() * this.#resting.length);
    const target = this.#resting[at];
    const tail = this.#resting.pop();
    assert(target !== undefined && tail !== undefined);
    if (target !== tail) this.#resting[at] = tail;
    return {
      kind: 'cancel_spot_order',
      accountId: accountId(target.account),
      instrumentId: PAIR,
      orderId: orderId(target.order),
    };
  }
}

/** The commands of one run, made beforehand so that only the engine is timed. */
export function recordStream(count: number): Command[] {
  const engine = Engine.empty();
  for (const command of setupCommands(STREAM_ACCOUNTS)) engine.apply(command, START_MS);
  const stream = new OrderStream(7);
  return Array.from({ length: count }, () => {
    const command = stream.next();
    for (const event of engine.apply(command, START_MS).events) {
      if (event.kind === 'order_rested') stream.rested(event.accountId, event.orderId);
    }
    return command;
  });
}

/** The commands of a run of moves: see spot-moves.ts. */
export function recordMoves(count: number): Command[] {
  const engine = Engine.empty();
  for (const command of setupCommands(STREAM_ACCOUNTS)) engine.apply(command, START_MS);
  const stream = new MoveStream(STREAM_ACCOUNTS);
  return Array.from({ length: count }, () => {
    const command = stream.next();
    stream.seen(command, engine.apply(command, START_MS).events);
    return command;
  });
}

/** Commands a second through the whole engine, of two streams at two sizes. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  return [
    ...commandRates('spot engine, no I/O', recordStream, print),
    ...commandRates('spot engine, 71 % moves, no I/O', recordMoves, print),
  ];
}

function commandRates(
  name: string,
  record: (count: number) => Command[],
  print: (line: string) => void,
): BenchResult[] {
  return [50_000, 500_000].map((size) => {
    const commands = record(size);
    const rates: number[] = [];
    let events = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const engine = Engine.empty();
      for (const command of setupCommands(STREAM_ACCOUNTS)) engine.apply(command, START_MS);
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
    print(`  ${name} ${size}: ${Math.round(value)} commands/s, ${eventsEach} events each`);
    return {
      name,
      size,
      value,
      unit: 'commands/s',
      floor: 500_000,
      aim: 1_000_000,
    };
  });
}
