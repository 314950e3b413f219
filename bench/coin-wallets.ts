/**
 * What a new index price costs when every account holds three contracts on one wallet: one that
 * breaches nobody, and a fall that liquidates the same accounts however many others there are.
 */
import { CONTRACTS, Hall, MIDDLE_TICKS } from './coin-hall.ts';
import { timeSeconds } from './measure.ts';
import type { BenchResult } from './result.ts';

const SIZES = [1_000, 10_000, 100_000];
const QUIET_PRICES = 2_000;
const PRICE_BUDGET_MICROSECONDS = 1_000;
const STEP_BUDGET_MS = 20;
const LOOKS_BUDGET = 12;

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

/** What a fall costs for each liquidation, all its prices included, and what its longest step. */
function fallingPrices(hall: Hall, size: number, print: (line: string) => void): BenchResult[] {
  for (let contract = 0; contract < CONTRACTS; contract += 1) hall.report(contract, MIDDLE_TICKS);
  const looksBefore = hall.engine.unitsLookedAtCount;
  let liquidations = 0;
  let totalMs = 0;
  let longestMs = 0;
  for (const { events, processorMs } of hall.falls()) {
    for (const { kind } of events) if (kind === 'liquidated') liquidations += 1;
    totalMs += processorMs;
    longestMs = Math.max(longestMs, processorMs);
  }
  const looks = hall.engine.unitsLookedAtCount - looksBefore;
  hall.engine.check();
  const value = (totalMs / liquidations) * 1e3;
  print(`  ${liquidations} liquidations among ${size} accounts: ${value.toFixed(0)} µs each,`);
  print(`  ${looks} looks, longest step ${longestMs.toFixed(1)} ms`);
  const [one, longest, looked] = [
    'one liquidation, wallets per coin',
    'longest step of a fall, wallets per coin',
    'looks for one liquidation, wallets per coin',
  ];
  return [
    { name: one, size, value, unit: 'µs' },
    { name: longest, size, value: longestMs, unit: 'ms', floor: STEP_BUDGET_MS },
    { name: looked, size, value: looks / liquidations, unit: 'looks', floor: LOOKS_BUDGET },
  ];
}

/** The cost of prices over wallets that stand on several marks, at three sizes each. */
export async function run(print: (line: string) => void): Promise<BenchResult[]> {
  return SIZES.flatMap((size) => {
    const hall = new Hall(size);
    return [quietPrices(hall, size, print), ...fallingPrices(hall, size, print)];
  });
}

if (import.meta.main) await run((line) => process.stdout.write(`${line}\n`));
