/**
 * Hundreds of the smallest orders in front of one that is deep, and a price that falls to them: a
 * liquidation meets as many as one order may, and has to go on behind them.
 */
import {
  type AccountId,
  type Amount,
  type Command,
  type Contract,
  type ContractAction,
  type ContractTerms,
  type HoldSide,
  LIMITS,
  lots,
  type Ticks,
} from '#domain';
import { CLOSE, markOf, OPEN, openable, order, SIDES } from './contract-words.ts';
import { SOURCES } from './listings.ts';
import type { Scene } from './scene.ts';

const DUST_MAX = 2 * LIMITS.orderMatchesMax + 60;

/** Parts of a million of a position's value, at entry, that its owner puts in. */
const MARGIN_PPM = 200_000;
/** What one has lost that the rate of its tier breaches and the lowest would not. */
const REDUCED_AT_PPM = MARGIN_PPM - 60_000;

/** Somebody opens as much as possible, dust and depth are put in the way, the index goes there. */
export function shield(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const { instrumentId } = contract;
  const [side, other] = sidesOf(scene);
  const at = priceAgainst(scene, contract, side);
  const [owner] = flatFirst(scene, contract);
  const maker = someOf(scene, 2).find((one) => one !== owner);
  if (owner === undefined || maker === undefined) return [];
  const [isReduced, isOwn] = [draw.percent(50), draw.percent(25)];
  const size = draw.percent(80)
    ? LOTS_MAX
    : Math.min(openable(scene, owner, contract, side), LOTS_MAX);
  const leverage = 1_000_000 / MARGIN_PPM;
  // Near where isolated margin of this leverage is used up.
  const lost = isReduced ? REDUCED_AT_PPM : MARGIN_PPM - draw.between(1_000, 6_000);
  const far = fallFor(contract, side, lost);
  const report = (priceTicks: number): Command => {
    const price = priceTicks as Ticks;
    return { kind: 'report_index', instrumentId, source: 'feed', priceTicks: price };
  };
  return [
    {
      kind: 'update_contract',
      instrumentId,
      changes: { ...roomFor(contract), ...(isReduced && { tiers: STEEP_TIERS }) },
    },
    { kind: 'set_margin_mode', accountId: owner, instrumentId, mode: 'isolated' },
    { kind: 'cancel_all_contract_orders', accountId: maker },
    ...[owner, maker].map(
      (accountId) =>
        ({ kind: 'set_leverage', accountId, instrumentId, side: 'both', leverage }) as const,
    ),
    { kind: 'report_index', instrumentId, source: 'operator', priceTicks: 0 as Ticks },
    report(at(0)),
    ...funded(scene, contract, maker, 30),
    ...funded(scene, contract, owner, 2 / leverage),
    order(scene, contract, maker, OPEN[other], size, at(0), 'gtc'),
    order(scene, contract, owner, OPEN[side], size, at(0), 'gtc'),
    // Whoever holds both sides has closes of the other one in the way.
    order(scene, contract, maker, OPEN[side], size, at(0), 'gtc'),
    order(scene, contract, owner, OPEN[other], size, at(0), 'gtc'),
    ...dust(scene, contract, isOwn ? owner : maker, isOwn ? CLOSE[other] : OPEN[side], at(far)),
    order(scene, contract, maker, OPEN[side], LOTS_MAX, at(far + 1_000), 'gtc'),
    report(at(far)),
    // Its owner comes in between.
    order(scene, contract, owner, CLOSE[side], 1, at(far), 'ioc'),
    { kind: 'tick' },
  ];
}

const LOTS_MAX = 600;

/** The largest position is of the third tier, which takes much more than the first. */
const STEEP_TIERS = [
  { contractsMax: lots(20), maintenanceRatePpm: 5_000, leverageMax: 100 },
  { contractsMax: lots(60), maintenanceRatePpm: 10_000, leverageMax: 50 },
  { contractsMax: lots(45_000), maintenanceRatePpm: 100_000, leverageMax: 8 },
] as const;

/** A market that takes the dust, with tiers for positions that meet more than one order may. */
export function roomFor({ tiers }: Contract): Partial<ContractTerms> {
  const wide = tiers.map((tier, at) => ({ ...tier, contractsMax: lots(45_000 + at) }));
  return {
    status: 'online',
    minLots: lots(1),
    maxLots: lots(LOTS_MAX),
    indexSources: SOURCES[0] ?? [],
    openOrdersMax: DUST_MAX + 20,
    priceBandPpm: 500_000,
    indexStaleMs: 0,
    leverageMax: 100,
    tiers: wide,
  };
}

/** All accounts, first those that nothing keeps from opening in isolated mode. */
export function flatFirst(scene: Scene, { instrumentId }: Contract): readonly AccountId[] {
  const isFlat = (one: AccountId): boolean => {
    const margin = scene.margin(one, instrumentId);
    if (margin === undefined) return false;
    const { long, short, openOrdersCount, triggerOrdersCount } = margin;
    return long.lots + short.lots + openOrdersCount + triggerOrdersCount === 0;
  };
  const all = someOf(scene, scene.view.accountsCount);
  return [...all.filter(isFlat), ...all.filter((one) => !isFlat(one))];
}

export function sidesOf({ draw }: Scene): readonly [HoldSide, HoldSide] {
  return draw.percent(50) ? SIDES : [SIDES[1], SIDES[0]];
}

/** Prices so many parts of a million from the mark, on the side where a position loses. */
export function priceAgainst(
  scene: Scene,
  contract: Contract,
  side: HoldSide,
): (ppm: number) => number {
  const { priceStepTicks } = contract;
  const sign = side === 'long' ? -1 : 1;
  const mark = markOf(scene, contract);
  return (ppm) =>
    Math.max(1, Math.round((mark * (1 + (sign * ppm) / 1_000_000)) / priceStepTicks)) *
    priceStepTicks;
}

/** How far the price has to go for a loss, both in parts of a million of what was paid. */
export function fallFor({ kind }: Contract, side: HoldSide, lostPpm: number): number {
  if (kind === 'linear') return lostPpm;
  const left = side === 'long' ? 1_000_000 + lostPpm : 1_000_000 - lostPpm;
  return Math.round((lostPpm * 1_000_000) / left);
}

/** Different accounts, as far as there are so many. */
export function someOf({ draw, view }: Scene, count: number): readonly AccountId[] {
  const ids = [...view.accounts()].map(({ accountId }) => accountId);
  const first = draw.below(ids.length);
  return Array.from({ length: Math.min(count, ids.length) }, (_, at) => {
    return ids[(first + at) % ids.length] as AccountId;
  });
}

/** About as many orders of the least size as one order may meet in a step, or in two. */
function dust(
  scene: Scene,
  contract: Contract,
  accountId: AccountId,
  action: ContractAction,
  priceTicks: number,
): Command[] {
  const { draw } = scene;
  const count = draw.of([-10, 1, 40]) + LIMITS.orderMatchesMax * draw.of([1, 1, 2]);
  return dustOf(scene, contract, accountId, action, priceTicks, count);
}

/** So many orders of the least size. */
export function dustOf(
  scene: Scene,
  contract: Contract,
  accountId: AccountId,
  action: ContractAction,
  priceTicks: number,
  count: number,
): Command[] {
  const { minLots } = contract;
  const one = () => order(scene, contract, accountId, action, minLots, priceTicks, 'gtc');
  return Array.from({ length: count }, one);
}

/** Money for so many times what the largest order is worth. */
export function funded(
  scene: Scene,
  contract: Contract,
  accountId: AccountId,
  times: number,
): Command[] {
  const wallet = scene.margin(accountId, contract.instrumentId)?.wallet;
  if (wallet === undefined) return [];
  const { assetId } = contract.margin;
  return [{ kind: 'deposit', accountId, wallet, assetId, amount: worth(contract, times) }];
}

/** So many times what the largest order is worth, at the reference price. */
export function worth(contract: Contract, times: number): Amount {
  const { kind, valueFactor, referencePriceTicks, maxLots } = contract;
  const price = BigInt(referencePriceTicks);
  const lot = kind === 'linear' ? valueFactor * price : valueFactor / price;
  return (lot * BigInt(maxLots) * BigInt(Math.ceil(times * 1_000))) / 1_000n + 1n;
}
