/**
 * The longest stall: how long one call keeps the market thread from everybody else, at two sizes a
 * decade apart. A real venue (engine, journal, live views) runs in this process, and a bystander
 * asks for its turn again and again: the longest it waits is the figure. The first run of each case
 * warms the code up and is not counted.
 */

import { strict as assert } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CONTRACT_ORDER } from '#dialects';
import { settleBatch } from '#dialects/testing';
import {
  type AccountId,
  accountId,
  assetId,
  type Command,
  type ContractAction,
  defaultTerms,
  type Force,
  instrumentId,
  lots,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';

import { type Journal, logAt } from '#log';
import { LiveMarkets } from '#market-data';
import { Venue } from '#venue';
import { MARGIN_COIN } from './coin.ts';
import { SETTINGS } from './engine.ts';
import type { BenchResult } from './result.ts';

const SIZES = [1_000, 10_000] as const;
/** What the market thread may be held by one call. */
const FLOOR_MS = 20;
const BATCH_ORDERS = 20;
/** Longer than from one settlement to the next. */
const FUNDING_MS = 24 * 3_600_000;
const RUNS = 5;
const CONTRACT = instrumentId(0);
const SYMBOL = 'BTC-USDT-PERP';
const [TAKER, MAKER, OTHER] = [1, 2, 3].map(accountId) as [AccountId, AccountId, AccountId];

/** One case: what stands there before, at some size, and the call that is measured. */
interface Case {
  readonly name: string;
  prepare(floor: Floor, size: number): Promise<void>;
  act(floor: Floor, size: number): Promise<unknown>;
}

/** Makes every run begin without garbage of the one before it. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  assert(typeof gc === 'function');
  gc();
}

/** A venue with one contract and three accounts that can pay for anything. */
class Floor {
  readonly venue: Venue;
  /** How far its clock is ahead. */
  aheadMs = 0;
  readonly #close: () => Promise<void>;

  private constructor(engine: Engine, journal: Journal, close: () => Promise<void>) {
    const live = new LiveMarkets();
    this.venue = new Venue({
      engine,
      journal,
      clock: { nowMs: () => Date.now() + this.aheadMs },
      onStep: (step) => live.apply(step),
      onHalt: (reason) => assert.fail(reason),
    });
    this.#close = close;
  }

  static async open(): Promise<Floor> {
    const directory = mkdtempSync(join(tmpdir(), 'outcry-stall-'));
    const journal = await logAt({ kind: 'sqlite', directory, synced: false }).openWriter();
    const floor = new Floor(Engine.empty(), journal, async () => {
      await floor.venue.close();
      await journal.close();
      rmSync(directory, { recursive: true, force: true });
    });
    await floor.#list();
    return floor;
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** Submits many commands and waits for them, without keeping more under way than may be. */
  async all(commands: Iterable<Command>): Promise<void> {
    let pending: Promise<unknown>[] = [];
    for (const command of commands) {
      pending.push(this.venue.submit(command));
      if (pending.length < 1_000) continue;
      await Promise.all(pending);
      pending = [];
    }
    await Promise.all(pending);
  }

  async #list(): Promise<void> {
    const tiers = [{ contractsMax: lots(10_000_000), maintenanceRatePpm: 5_000, leverageMax: 100 }];
    const most = 1_000_000;
    const caps = { openOrdersMax: most, planOrdersMax: most, presetsMax: most };
    const spec = {
      ...defaultTerms(tiers, lots(1)),
      ...caps,
      symbol: SYMBOL,
      kind: 'linear',
      baseCode: 'BTC',
      quoteCode: 'USDT',
      contractValue: '0.001',
      priceScale: 1,
      priceStepTicks: ticks(1),
      quantityScale: 0,
      referencePriceTicks: ticks(300_000),
      indexSources: [{ kind: 'feed', name: 'bench', weight: 1 }],
      indexStaleMs: 0,
      indexOutlierPpm: 900_000,
    } as const;
    await this.all([
      { kind: 'list_asset', spec: MARGIN_COIN },
      { kind: 'list_contract', spec },
    ]);
    for (const id of [TAKER, MAKER, OTHER]) await this.all(opened(id));
  }
}

/** An account that can pay for anything. */
function opened(id: AccountId): Command[] {
  const to = { accountId: id, wallet: SYMBOL, assetId: assetId(0) } as const;
  return [
    { kind: 'create_account', settings: { ...SETTINGS, name: `bench-${id}` } },
    { kind: 'deposit', ...to, amount: 10n ** 17n },
  ];
}

function order(
  who: AccountId,
  action: ContractAction,
  priceTicks: number,
  size: number,
  force: Force = 'gtc',
): Command {
  return {
    kind: 'place_contract_order',
    accountId: who,
    instrumentId: CONTRACT,
    action,
    type: 'limit',
    force,
    priceTicks: ticks(priceTicks),
    sizeLots: lots(size),
  };
}

function plan(who: AccountId): Command {
  return {
    kind: 'place_trigger_order',
    accountId: who,
    instrumentId: CONTRACT,
    action: 'open_long',
    type: 'limit',
    sizeLots: lots(1),
    triggerTicks: ticks(300_100),
    executeTicks: ticks(290_000),
  };
}

function times(count: number, make: (at: number) => Command): Command[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** Sells of one lot, a price each. */
async function asks(floor: Floor, size: number): Promise<void> {
  await floor.all(times(size, (at) => order(MAKER, 'open_short', 300_000 + (at % 1_000), 1)));
}

/** As many accounts that hold a lot each, half of them long and half of them short. */
async function holders(floor: Floor, size: number): Promise<void> {
  const ids = Array.from({ length: size }, (_, at) => accountId(OTHER + 1 + at));
  await floor.all(ids.flatMap(opened));
  await floor.all(
    ids.map((id, at) => order(id, at % 2 === 0 ? 'open_short' : 'open_long', 300_000, 1)),
  );
}

/** One account that is long a contract of each of so many others, at a leverage of 100. */
async function whale(floor: Floor, size: number): Promise<void> {
  const to = { accountId: MAKER, instrumentId: CONTRACT } as const;
  const ids = Array.from({ length: size }, (_, at) => accountId(OTHER + 1 + at));
  await floor.all([
    ...ids.flatMap(opened),
    { kind: 'set_margin_mode', ...to, mode: 'isolated' },
    { kind: 'set_leverage', ...to, side: 'both', leverage: 100 },
    order(MAKER, 'open_long', 300_000, size),
    ...ids.map((id) => order(id, 'open_short', 300_000, 1)),
  ]);
}

/** A price reported for the index, and so the mark price. */
function indexAt(priceTicks: number): Command {
  const report = { source: 'bench', priceTicks: ticks(priceTicks) };
  return { kind: 'report_index', instrumentId: CONTRACT, ...report };
}

async function done({ venue }: Floor): Promise<void> {
  while (venue.hasWork) await setImmediate();
}

const CASES: readonly Case[] = [
  {
    name: 'fill-or-kill over all asks',
    prepare: asks,
    act: ({ venue }, size) => venue.submit(order(TAKER, 'open_long', 302_000, size, 'fok')),
  },
  {
    name: 'sweep of all asks',
    prepare: asks,
    act: ({ venue }, size) => venue.submit(order(TAKER, 'open_long', 302_000, size)),
  },
  {
    name: `batch of ${BATCH_ORDERS} fill-or-kill orders`,
    prepare: asks,
    act: ({ venue }) => {
      const one = order(TAKER, 'open_long', 302_000, 200, 'fok');
      return settleBatch(
        venue,
        times(BATCH_ORDERS, () => one),
        (item) => venue.submit(item),
      );
    },
  },
  {
    name: 'trigger orders of one price',
    prepare: async (floor, size) => {
      await floor.all([
        order(MAKER, 'open_short', 300_000, 1),
        order(TAKER, 'open_long', 300_000, 1),
      ]);
      await floor.all(times(size, () => plan(OTHER)));
      await floor.all([order(MAKER, 'open_short', 300_100, 1)]);
    },
    act: async (floor) => {
      await floor.venue.submit(order(TAKER, 'open_long', 300_100, 1));
      await done(floor);
    },
  },
  {
    name: 'cancel of all orders',
    prepare: asks,
    act: async (floor) => {
      await floor.venue.submit({ kind: 'cancel_all_contract_orders', accountId: MAKER });
      await done(floor);
    },
  },
];

/** What concerns all who hold something. */
const HOLDER_CASES: readonly Case[] = [
  {
    name: 'funding of all positions',
    prepare: holders,
    act: (floor) => {
      floor.aheadMs = FUNDING_MS;
      return floor.venue.submit({ kind: 'tick' });
    },
  },
  {
    name: 'new mark price over all positions',
    prepare: holders,
    act: ({ venue }) => venue.submit(indexAt(300_010)),
  },
  {
    name: 'liquidation of half of all positions',
    prepare: holders,
    act: async (floor) => {
      await floor.venue.submit(indexAt(260_000));
      await done(floor);
    },
  },
  {
    name: 'one position deleveraged against all',
    prepare: whale,
    act: async (floor) => {
      await floor.venue.submit(indexAt(260_000));
      await done(floor);
    },
  },
];

/** A list is answered in one piece: its size is the shipped cap, and a tenth of it. */
const LIST: Case = {
  name: 'list of open orders',
  prepare: asks,
  act: ({ venue }) =>
    venue.read((state) => {
      const contract = present(state.listings.contract(SYMBOL), SYMBOL);
      const rows = [...state.openContractOrders(MAKER, CONTRACT)];
      const texts = rows.map((order) => CONTRACT_ORDER.write({ contract, order, status: 'new' }));
      return texts.join(',').length;
    }),
};
const LIST_SIZES = [100, 1_000] as const;

/** The longest a bystander waits for its turn until the work is done, in milliseconds. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isDone = false;
  const watch = async (): Promise<void> => {
    let lastMs = performance.now();
    while (!isDone) {
      await setImmediate();
      const nowMs = performance.now();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
    }
  };
  const watching = watch();
  await work();
  isDone = true;
  await watching;
  return longestMs;
}

async function measure(one: Case, size: number): Promise<number> {
  const waits: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const floor = await Floor.open();
    await one.prepare(floor, size);
    await done(floor);
    collect();
    waits.push(await longestWait(() => one.act(floor, size)));
    await floor.close();
  }
  // The best of them: what others do on this machine is no stall of the venue.
  return Math.min(...waits.slice(1));
}

export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const bySize = [...CASES, ...HOLDER_CASES].map((one) => ({ one, sizes: SIZES }));
  const cases = [...bySize, { one: LIST, sizes: LIST_SIZES }];
  for (const { one, sizes } of cases) {
    for (const size of sizes) {
      const value = await measure(one, size);
      print(`  ${one.name}, ${size}: ${value.toFixed(1)} ms`);
      const name = `longest stall: ${one.name}`;
      results.push({ name, size, value, unit: 'ms', floor: FLOOR_MS });
    }
  }
  return results;
}
