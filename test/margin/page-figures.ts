/** Every worked number of docs/MECHANICS.md, from our functions and from the engine. */
import {
  affordableLots,
  averageEntry,
  bankruptcyTicks,
  type Contract,
  deleveragingScore,
  entryMargin,
  feeOnFine,
  fineEquity,
  finePnl,
  fineToFloor,
  fineValue,
  fundingDue,
  fundingRatePpb,
  fundingValue,
  type HoldSide,
  liquidationTicks,
  marginRatio,
  markPrice,
  openingCost,
  priceBand,
  type RiskUnit,
  removableMargin,
  replenishment,
  ticks,
  tierOf,
  USUAL_FUND_BUDGET,
} from '#domain';
import { assert, formatTrimmed, present } from '#kernel';
import { INVERSE, LINEAR, TERMS } from '../support/contracts.ts';
import { Floor } from '../support/floor.ts';
import { budgetChange, pairSpec } from '../support/terms.ts';
import { coinWalletFigures } from './coin-wallet-figures.ts';

const HOUR_MS = 3_600_000;
const linear = Floor.ofContract(LINEAR).contract;
const inverse = Floor.ofContract(INVERSE).contract;
const { takerFeePpm, priceStepTicks: step } = LINEAR;

function at(price: number): number {
  return price * 10;
}

function usdt(amount: bigint): string {
  return `${formatTrimmed(amount, 8)} USDT`;
}

function btc(amount: bigint): string {
  return `${formatTrimmed(amount, 8)} BTC`;
}

function coins(text: string): bigint {
  return BigInt(Math.round(Number(text) * 1e8));
}

/** A price of whole ticks as text. */
function priced(found: number | undefined): string {
  return formatTrimmed(present(found, 'a price'), 1);
}

interface Held {
  readonly contract: Contract;
  readonly side: HoldSide;
  readonly lots: number;
  readonly open: bigint;
  readonly money: bigint;
}

function held(
  contract: Contract,
  side: HoldSide,
  lots: number,
  entry: number,
  leverage = 10,
): Held {
  const open = fineValue(contract, lots, at(entry));
  return { contract, side, lots, open, money: entryMargin(contract, open, leverage) };
}

function pnl({ contract, side, lots, open }: Held, price: number): bigint {
  return fineToFloor(contract, finePnl(contract, side, open, fineValue(contract, lots, at(price))));
}

function unitOf({ contract, side, lots, open, money }: Held): RiskUnit {
  const isLong = side === 'long';
  return {
    money,
    longLots: isLong ? lots : 0,
    longOpen: isLong ? open : 0n,
    shortLots: isLong ? 0 : lots,
    shortOpen: isLong ? 0n : open,
    thresholdPpm: tierOf(contract, lots).maintenanceRatePpm + takerFeePpm,
  };
}

function liquidation(position: Held): string {
  return priced(liquidationTicks(position.contract, unitOf(position)));
}

function ratio(position: Held, mark: number): string {
  return formatTrimmed(marginRatio(position.contract, unitOf(position), at(mark), 8), 8);
}

function bankruptcy(position: Held): number | undefined {
  return bankruptcyTicks(position.contract, position.side, position, takerFeePpm, step);
}

/** What a close of everything at a price leaves of the money. */
function left(position: Held, price: number): bigint {
  const { contract, lots, money } = position;
  const value = fineValue(contract, lots, at(price));
  return money + pnl(position, price) - feeOnFine(contract, value, takerFeePpm);
}

function average(contract: Contract, fills: readonly (readonly [number, number])[]): string {
  const open = fills.reduce((sum, [lots, price]) => sum + fineValue(contract, lots, at(price)), 0n);
  const size = fills.reduce((sum, [lots]) => sum + lots, 0);
  return formatTrimmed(averageEntry(contract, open, size, 7), 8);
}

const alice = held(linear, 'long', 1_000, 30_000);
const carol = held(linear, 'short', 1_000, 30_000);
const bob = held(inverse, 'long', 3_000, 30_000);
const bobsShort = held(inverse, 'short', 3_000, 30_000);

function profits(): Record<string, string> {
  return {
    "Alice's value": usdt(fineToFloor(linear, alice.open)),
    "Alice's profit at 33000": usdt(pnl(alice, 33_000)),
    'Alice adds 500 contracts at 33000: her entry': average(linear, [
      [1_000, 30_000],
      [500, 33_000],
    ]),
    "Bob's value": btc(fineToFloor(inverse, bob.open)),
    "Bob's profit at 33000": btc(pnl(bob, 33_000)),
    'The short on the other side of Bob, at 33000': btc(pnl(bobsShort, 33_000)),
    'Bob adds 3000 contracts at 36000: his entry': average(inverse, [
      [3_000, 30_000],
      [3_000, 36_000],
    ]),
  };
}

function costs(): Record<string, string> {
  const count = (contract: Contract, amount: bigint) =>
    String(affordableLots(contract, amount, ticks(at(30_000)), 20, takerFeePpm));
  return {
    "Alice's order freezes": usdt(openingCost(linear, 1_000, at(30_000), 10, takerFeePpm)),
    "Alice's opening fee": usdt(feeOnFine(linear, alice.open, takerFeePpm)),
    "Alice's margin": usdt(alice.money),
    'open_count of 1000 USDT at 30000, leverage 20': count(linear, coins('1000')),
    "Bob's order freezes": btc(openingCost(inverse, 3_000, at(30_000), 10, takerFeePpm)),
    'open_count of 0.1 BTC at 30000, leverage 20': count(inverse, coins('0.1')),
  };
}

const longOfPair = { ...alice, money: coins('6000') };
const shortOfPair = held(linear, 'short', 400, 31_000);
const pair: RiskUnit = {
  ...unitOf(longOfPair),
  shortLots: shortOfPair.lots,
  shortOpen: shortOfPair.open,
};

function margins(): Record<string, string> {
  const lowered = entryMargin(linear, alice.open, 5) - alice.money;
  const added = { ...alice, margin: coins('3500') };
  const raised = added.margin + entryMargin(linear, alice.open, 20) - alice.money;
  const removable = removableMargin(linear, added, 10, pnl(alice, 29_800), ticks(at(29_800)));
  const position = { ...alice, margin: alice.money };
  const mark = ticks(at(27_150));
  const automatic = replenishment(linear, position, 10, pnl(alice, 27_150), mark, coins('9999'));
  const loss = pnl(longOfPair, 28_000) + pnl(shortOfPair, 28_000);
  const crossed =
    'Cross, balance 6000: long 1000 from 30000, short 400 from 31000, mark 28000: available';
  return {
    'Alice lowers her leverage from 10 to 5: taken': usdt(lowered),
    'She added 500 and raises it to 20: her margin': usdt(raised),
    'Alice added 500, mark 29800: may take out': usdt(removable),
    'Automatic margin for Alice at mark 27150': usdt(automatic),
    [crossed]: usdt(longOfPair.money - alice.money - shortOfPair.money + loss),
  };
}

function liquidations(): Record<string, string> {
  return {
    'Threshold in the first tier': formatTrimmed(unitOf(alice).thresholdPpm, 6),
    "Alice's margin ratio at mark 28000": ratio(alice, 28_000),
    "Alice's liquidation price": liquidation(alice),
    'The same short': liquidation(carol),
    "Bob's margin ratio at mark 28000": ratio(bob, 28_000),
    "Bob's liquidation price": liquidation(bob),
    'The same inverse short': liquidation(bobsShort),
    'An inverse short with a leverage of 1': liquidation(held(inverse, 'short', 3_000, 30_000, 1)),
    'The cross account above: margin ratio at 28000': formatTrimmed(
      marginRatio(linear, pair, at(28_000), 8),
      8,
    ),
    'The cross account above: liquidation price': priced(liquidationTicks(linear, pair)),
  };
}

function bankruptcies(): Record<string, string> {
  const end = present(bankruptcy(alice), 'a bankruptcy price') / 10;
  const large = 60_000;
  const tier = TERMS.tiers.indexOf(tierOf(TERMS, large));
  const kept = present(TERMS.tiers[tier - 2], 'two tiers below').contractsMax;
  const netted = pnl(held(linear, 'long', 400, 30_000), 19_500) + pnl({ ...shortOfPair }, 19_500);
  const rest = held(linear, 'long', 600, 30_000);
  return {
    "Alice's bankruptcy price": priced(bankruptcy(alice)),
    'A fill there leaves for the fund': usdt(left(alice, end)),
    'A fill at 27100 leaves for the fund': usdt(left(alice, 27_100)),
    "The same short's bankruptcy price": priced(bankruptcy(carol)),
    "Bob's bankruptcy price": priced(bankruptcy(bob)),
    'A long of 60000 contracts (tier 3) is reduced by': String(large - kept),
    'The cross account nets 400 at mark 19500: booked': usdt(netted),
    'Its long of 600 is then bankrupt at': priced(
      bankruptcy({ ...rest, money: longOfPair.money + netted }),
    ),
  };
}

function scores(): Record<string, string> {
  const score = (entry: number, leverage: number): string => {
    const position = held(linear, 'long', 1_000, entry, leverage);
    const equity = fineEquity(linear, unitOf(position), at(30_000));
    const value = fineValue(linear, 1_000, at(30_000));
    const gain = finePnl(linear, 'long', position.open, value);
    const found = deleveragingScore(gain, position.open, value, equity);
    return formatTrimmed(found, 9);
  };
  return {
    'Long 1000 from 25000, margin 2500, mark 30000': score(25_000, 10),
    'Long 1000 from 28000, margin 560, mark 30000: goes first': score(28_000, 50),
  };
}

function prices(): Record<string, string> {
  const calm = {
    indexTicks: at(30_000),
    lastTicks: 0,
    basisTicks: undefined,
    fundingRatePpb: 100_000,
    untilFundingMs: 2 * HOUR_MS,
    fundingIntervalMs: 8 * HOUR_MS,
    clampPpm: TERMS.markClampPpm,
  };
  const wild = { ...calm, lastTicks: at(90_000), basisTicks: at(60_000) };
  const mark = markPrice({ ...calm, lastTicks: at(30_100), basisTicks: at(12) });
  const band = priceBand(mark, 50_000, step);
  return {
    'Second price: index 30000, F 0.01 %, 2 of 8 hours to go': priced(markPrice(calm)),
    'Mark of last 30100, that one, and index + 12': priced(mark),
    'Highest mark at index 30000': priced(markPrice(wild)),
    'Highest price to buy at mark 30012, band 5 %': priced(band.highestTicks),
    'Lowest price to sell': priced(band.lowestTicks),
  };
}

function fundings(): Record<string, string> {
  const rate = (premiumPpb: number): string => formatTrimmed(fundingRatePpb(TERMS, premiumPpb), 9);
  const due = ({ contract, lots }: Held, mark: number, ratePpb: number, way: 'up' | 'down') =>
    fundingDue(contract, fundingValue(contract, lots, at(mark)), ratePpb, way);
  return {
    'Average premium 0.02 %: rate': rate(200_000),
    'Average premium 0.1 %: rate': rate(1_000_000),
    'Average premium −1 %: rate, capped': rate(-10_000_000),
    'Alice at mark 30500, rate 0.01 %: pays': usdt(due(alice, 30_500, 100_000, 'up')),
    'Bob at mark 30500, rate 0.01 %: pays': btc(due(bob, 30_500, 100_000, 'up')),
    'The short on the other side of Bob receives at most': btc(due(bob, 30_500, 100_000, 'down')),
    'Alice at mark 27200, rate 0.375 %: due': usdt(due(alice, 27_200, 3_750_000, 'up')),
    'She pays, down to her threshold': usdt(bearable()),
  };
}

/** What Alice pays when her share is too much for her, on the engine; to the millionth. */
function bearable(): bigint {
  const terms = { fundingInterestPpm: 3_750, fundingClampPpm: 3_750, markClampPpm: 1 };
  const venue = Floor.ofContract({ ...LINEAR, ...terms });
  venue.open('alice', '3018', { leverage: 10 });
  venue.open('carol', '100000', { leverage: 1 });
  venue.trade('alice', 'carol', '30000', 1_000);
  venue.index('27200');
  const paid = venue
    .tick(8 * HOUR_MS)
    .find((event) => event.kind === 'balance_changed' && event.accountId === venue.id('alice'));
  assert(paid?.kind === 'balance_changed', 'Alice pays');
  return ((50n - paid.delta) / 100n) * 100n;
}

/** The whole liquidation, on the engine. */
function story(): Record<string, string> {
  const venue = Floor.ofContract({ ...LINEAR, markClampPpm: 1, makerFeePpm: takerFeePpm });
  venue.open('alice', '3018', { leverage: 10 });
  venue.open('carol', '100000', { leverage: 1 });
  venue.open('bidder', '100000', { leverage: 1 });
  venue.trade('alice', 'carol', '30000', 1_000);
  venue.order('bidder', 'open_long', '27100', 400);
  const events = venue.index('27100');
  const end = events.find((event) => event.kind === 'liquidated');
  const trades = events.filter((event) => event.kind === 'contract_trade');
  const [filled, taken] = trades;
  const pnlOfCarol = present(taken, 'deleveraging').maker.realizedPnl;
  const first = coins('1200') + present(filled, 'fill').taker.realizedPnl;
  const fund = present(end, 'liquidated').fundDelta;
  const inFirst = first - present(filled, 'fill').taker.fee;
  // The fund may pay its all for the 600 contracts that are left, a tick being 0.0001 of each.
  const reach = present(end, 'liquidated').bankruptcyTicks - Number(inFirst / (600n * 10_000n));
  return {
    'Bankruptcy price of Alice': priced(present(end, 'liquidated').bankruptcyTicks),
    '400 contracts fill at 27100; the fund gets': usdt(inFirst),
    'It pays for 600 contracts down to': priced(reach),
    'There is no bid. Carol is closed for': String(present(taken, 'deleveraging').sizeLots),
    "Carol's profit": usdt(pnlOfCarol),
    "Alice's last 600 leave for the fund": usdt(fund - inFirst),
    'Insurance fund after it': `${venue.insuranceFund()} USDT`,
    "Alice's position": String(venue.position('alice', 'long').lots),
  };
}

/** What the insurance fund pays for within an hour, on the engine. */
function budgets(): Record<string, string> {
  const spec = { ...LINEAR, markClampPpm: 1 };
  const fallen = (bid: number) => {
    const venue = Floor.ofContract({ ...spec, makerFeePpm: takerFeePpm });
    venue.run(budgetChange(venue.contract, USUAL_FUND_BUDGET));
    venue.fundInsurance('5000');
    venue.open('alice', '3018', { leverage: 10 });
    for (const name of ['carol', 'bidder']) venue.open(name, '100000', { leverage: 1 });
    venue.trade('alice', 'carol', '30000', 1_000);
    for (const name of ['carol', 'bidder']) venue.order(name, 'open_long', String(bid), 1_000);
    const events = venue.index('27000');
    const end = events.find((event) => event.kind === 'liquidated');
    return present(end, 'liquidated').fundDelta;
  };
  let lowest = 27_000;
  while (fallen(lowest - 0.5) < 0n) lowest -= 0.5;
  const budget = (coins('5000') * BigInt(USUAL_FUND_BUDGET.hourPpm)) / 1_000_000n;
  return {
    'A fund of 5000 when the hour begins: budget': usdt(budget),
    "It pays for Alice's 1000 contracts at mark 27000 down to": String(lowest),
    'Two bid there; the first takes them, which costs it': usdt(fallen(lowest)),
    'Budget left in this hour': usdt(budget + fallen(lowest)),
  };
}

/** Results by the first column of the page's tables. */
/** What 250 buyers of a thousandth each leave the seller to pay. */
function pairFees(): Record<string, string> {
  const venue = new Floor().listCoins();
  const scales = { priceScale: 5, quantityScale: 3, takerFeePpm: 1_000 };
  venue.run({ kind: 'list_spot', spec: pairSpec('ETH', 'BTC', scales) });
  const { instrumentId: instrument } = present(venue.engine.listings.spot[0], 'pair');
  const [buyer, seller] = [venue.open('ann', { BTC: '1' }), venue.open('bob', { ETH: '1' })];
  for (let at = 0; at < 250; at += 1) venue.limit(buyer, 'buy', 5_012, 1, { instrument });
  const events = venue.limit(seller, 'sell', 5_012, 250, { instrument });
  const fees = events.map((event) => (event.kind === 'trade' ? event.sellerFee : 0n));
  assert(fees.filter((fee) => fee > 0n).length > 200, 'it fills in pieces');
  const fee = btc(fees.reduce((sum, one) => sum + one, 0n));
  return { '0.25 ETH sold at 0.05012 in 250 pieces, taker fee 0.1 %': fee };
}

export function pageFigures(): Map<string, string> {
  return new Map(
    [
      profits(),
      costs(),
      margins(),
      liquidations(),
      bankruptcies(),
      scores(),
      story(),
      budgets(),
      prices(),
      fundings(),
      coinWalletFigures(),
      pairFees(),
    ].flatMap((part) => Object.entries(part)),
  );
}
