/**
 * What a new index price costs when every account holds three contracts on one wallet: one that
 * breaches nobody, and a fall that breaches a few. The cost must not grow with the accounts.
 */
import { strict as assert } from 'node:assert/strict';
import {
  accountId,
  assetId,
  type Command,
  type ContractAction,
  type ContractSpec,
  contractSymbol,
  instrumentId,
  lots,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { SETTINGS } from './engine.ts';
import { timeSeconds } from './measure.ts';
import type { BenchResult } from './result.ts';
import { SWAP_SPEC } from './swap-engine.ts';

const CONTRACTS = 3;
const SIZES = [1_000, 10_000];
const MIDDLE_TICKS = 300_000;
const QUIET_PRICES = 2_000;
const FALLING_PRICES = 100;
/** Of an account with positions worth 90 USDT: from 6 to 46 behind them. */
const MONEY_LEAST = 600_000_000n;
const MONEY_STEP = 40_000_000n;
const MONEY_STEPS = 100;
const PRICE_BUDGET_MICROSECONDS = 1_000;

const SPECS: readonly ContractSpec[] = ['BTC', 'ETH', 'LTC'].map((baseCode) => ({
  ...SWAP_SPEC,
  symbol: contractSymbol(baseCode, 'USDT'),
  baseCode,
}));

/** An engine in which this many accounts hold three contracts each, half of them long. */
class Hall {
  readonly engine = Engine.empty();
  #timeMs = 1;

  constructor(accountsCount: number) {
    const coin = { coinId: 2, code: 'USDT', scale: 8, transferable: true, chains: [] };
    this.apply({ kind: 'list_asset', spec: coin });
    for (const spec of SPECS) this.apply({ kind: 'list_contract', spec });
    for (let number = 1; number <= accountsCount; number += 1) this.#open(number);
    for (let contract = 0; contract < CONTRACTS; contract += 1) {
      this.report(contract, MIDDLE_TICKS);
      for (let number = 1; number < accountsCount; number += 2) {
        this.#order(number, contract, 'open_short');
        this.#order(number + 1, contract, 'open_long');
      }
    }
    const held = this.engine.contractPrices(instrumentId(2))?.openInterestLots;
    assert.equal(held, accountsCount / 2, 'every pair of accounts has traded');
    this.report(0, MIDDLE_TICKS);
  }

  apply(command: Command) {
    this.#timeMs += 1;
    return this.engine.apply(command, this.#timeMs).events;
  }

  report(contract: number, priceTicks: number) {
    const of = { instrumentId: instrumentId(contract), source: 'bench' };
    return this.apply({ kind: 'report_index', ...of, priceTicks: ticks(priceTicks) });
  }

  #open(number: number): void {
    const settings = { ...SETTINGS, name: `bench-${number}`, wallets: 'coin' } as const;
    this.apply({ kind: 'create_account', settings });
    const to = { accountId: accountId(number), wallet: 'margin', assetId: assetId(0) } as const;
    const amount = MONEY_LEAST + MONEY_STEP * BigInt(Math.floor(number / 2) % MONEY_STEPS);
    this.apply({ kind: 'deposit', ...to, amount });
  }

  #order(number: number, contract: number, action: ContractAction): void {
    this.apply({
      kind: 'place_contract_order',
      accountId: accountId(number),
      instrumentId: instrumentId(contract),
      action,
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(MIDDLE_TICKS),
      sizeLots: lots(1),
    });
  }
}

function quietPrices(hall: Hall, size: number, print: (line: string) => void): BenchResult {
  const seconds = timeSeconds(() => {
    for (let at = 0; at < QUIET_PRICES; at += 1) {
      hall.report(at % CONTRACTS, MIDDLE_TICKS + (at % 100));
    }
  });
  const value = (seconds / QUIET_PRICES) * 1e6;
  print(`  price with ${size} accounts in ${CONTRACTS} contracts: ${value.toFixed(1)} µs`);
  const name = 'new index price, wallets per coin, nobody liquidated';
  return { name, size, value, unit: 'µs', floor: PRICE_BUDGET_MICROSECONDS };
}

/** What a fall costs for each account that it liquidates, all prices included. */
function fallingPrices(hall: Hall, size: number, print: (line: string) => void): BenchResult {
  const liquidated = new Set<number>();
  const seconds = timeSeconds(() => {
    for (let step = 1; step <= FALLING_PRICES; step += 1) {
      for (const event of hall.report(0, MIDDLE_TICKS - step * 600)) {
        if (event.kind === 'liquidated') liquidated.add(event.accountId);
      }
    }
  });
  hall.engine.check();
  const value = (seconds / Math.max(1, liquidated.size)) * 1e6;
  print(`  ${liquidated.size} accounts liquidated of ${size}: ${value.toFixed(1)} µs each`);
  return { name: 'one liquidation, wallets per coin', size, value, unit: 'µs' };
}

/** The cost of prices over wallets that stand on several marks, at two sizes each. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  return SIZES.flatMap((size) => {
    const hall = new Hall(size);
    return [quietPrices(hall, size, print), fallingPrices(hall, size, print)];
  });
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
