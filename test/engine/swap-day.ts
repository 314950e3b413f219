/**
 * A day of prices: fifty leveraged accounts and a market maker trade along a path while the index
 * follows it, with every invariant checked after every command.
 */
import { strict as assert } from 'node:assert/strict';
import { type ContractKind, type ContractSpec, lots, RATIO_SCALE, type RiskTier } from '#domain';
import { present } from '#kernel';
import { INVERSE, LINEAR } from '../support/contracts.ts';
import { Floor } from '../support/floor.ts';
import { Crowd, type CrowdTerms, Tally } from './swap-crowd.ts';

/** The prices of one minute. */
export interface Bar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const RATIO_PER_PPM = 10n ** BigInt(RATIO_SCALE - 6);

/** Funding every ten minutes at a high rate, so that payers run out of what they can pay. */
const TERMS = {
  fundingMinutes: Array.from({ length: 144 }, (_, at) => at * 10),
  fundingInterestPpm: 1_000,
  fundingClampPpm: 1_000,
} as const;

/** Tiers that end at these sizes: large positions are reduced before they are taken over. */
function tiers(...sizes: readonly [number, number, number, number]): readonly RiskTier[] {
  const rates = [5_000, 10_000, 25_000, 50_000];
  const leverages = [100, 50, 20, 10];
  return sizes.map((size, at) => ({
    contractsMax: lots(size),
    maintenanceRatePpm: rates[at] ?? 0,
    leverageMax: leverages[at] ?? 0,
  }));
}

const MARKETS: Record<ContractKind, { readonly spec: ContractSpec; readonly crowd: CrowdTerms }> = {
  linear: {
    spec: { ...LINEAR, ...TERMS, tiers: tiers(1_000, 3_000, 12_000, 1_000_000) },
    crowd: {
      seed: 19_05_2021,
      traderMoney: ['2000', '40000'],
      makerMoney: '5000000',
      quotedLots: 6_000,
    },
  },
  inverse: {
    spec: { ...INVERSE, ...TERMS, tiers: tiers(10_000, 30_000, 120_000, 50_000_000) },
    crowd: {
      seed: 20_05_2021,
      traderMoney: ['0.02', '0.4'],
      makerMoney: '100',
      quotedLots: 60_000,
    },
  },
};

function run(kind: ContractKind, bars: readonly Bar[], checks: boolean) {
  const { spec, crowd } = MARKETS[kind];
  const venue = Floor.ofContract(spec, { checks });
  const people = new Crowd(venue, crowd);
  // The fund pays out of what it held when the hour began.
  venue.fundInsurance(kind === 'linear' ? '20000' : '0.2');
  venue.index(text(present(bars[0], 'first bar').open));
  people.enter();
  for (const { open, high, low, close } of bars) {
    // A rising minute dips first, a falling one spikes first.
    const [first, second] = close >= open ? [low, high] : [high, low];
    venue.index(text(open));
    people.trade();
    venue.wait(15_000);
    venue.index(text(first));
    venue.tick(15_000);
    venue.index(text(second));
    venue.tick(15_000);
    venue.index(text(close));
    venue.tick(14_000);
    if (checks) assertNobodyInTrouble(venue, people.names);
  }
  return { venue, names: people.names };
}

/** After every price whoever is at or below the threshold has been dealt with. */
function assertNobodyInTrouble(venue: Floor, names: readonly string[]): void {
  const { takerFeePpm } = venue.contract;
  for (const name of names) {
    const { long, short, marginRatio } = venue.account(name);
    for (const { lots: held, marginRatio: own, maintenanceRatePpm } of [long, short]) {
      const ratio = present(own ?? marginRatio, 'margin ratio');
      const threshold = BigInt(maintenanceRatePpm + takerFeePpm) * RATIO_PER_PPM;
      if (held > 0) assert.ok(ratio >= threshold, `${name} is left with a ratio of ${ratio}`);
    }
  }
}

/** A price as a source would report it, to one decimal. */
function text(price: number): string {
  return price.toFixed(1);
}

function tell(title: string, venue: Floor): Tally {
  const tally = new Tally();
  for (const { events } of venue.steps) tally.add(events);
  const { code } = venue.contract.margin;
  const figures = Object.entries(tally.counts).map(([name, count]) => `${name} ${count}`);
  console.log(`${title}: ${venue.steps.length} commands, ${figures.join(', ')}`);
  console.log(
    `${title}: insurance fund ${venue.insuranceFund()} ${code}, ` +
      `uncollected funding ${venue.text(tally.uncollected)} ${code}`,
  );
  return tally;
}

/** Deposits are where they went: accounts, fees, fund, and what positions still owe each other. */
function assertConserved(venue: Floor, names: readonly string[]): void {
  const audit = venue.engine.audit();
  assert.equal(audit.balanced, true);
  const line = present(audit.lines[venue.contract.margin.assetId], 'audit line');
  assert.ok(line.insuranceFund >= 0n);
  const balances = names.map((name) => venue.account(name).balance);
  const events = venue.steps.flatMap(({ events }) => events);
  const funded = events.flatMap((event) =>
    event.kind === 'insurance_funded' ? [event.amount] : [],
  );
  const deposits = events
    .filter((event) => event.kind === 'balance_changed')
    .filter(({ reason }) => reason !== 'funding')
    .map(({ delta }) => delta);
  assert.equal(
    sum(balances) + line.fees + line.insuranceFund + line.clearing,
    sum(deposits) + sum(funded),
  );
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function assertEventful({ counts, uncollected }: Tally): void {
  for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, name);
  assert.ok(uncollected > 0n, 'uncollected funding');
}

/** Everything adds up, everything happens at least once, and again in the same way. */
export function assertDay(title: string, kind: ContractKind, bars: readonly Bar[]): void {
  const { venue, names } = run(kind, bars, true);
  assertConserved(venue, names);
  assertEventful(tell(`${title}, ${kind}`, venue));
  const again = run(kind, bars, false);
  assert.equal(again.venue.stateHash(), venue.stateHash());
}
