/**
 * Hundreds of the smallest orders in front of one that is deep, and a price that falls to them: a
 * liquidation meets as many as one order may, and has to go on behind them.
 */
import {
  type AccountId,
  type Amount,
  type Command,
  type Contract,
  type ContractTerms,
  type HoldSide,
  LIMITS,
  lots,
  type Ticks,
} from '#domain';
import { CLOSE, markOf, OPEN, openable, order, SIDES } from './contract-words.ts';
import type { Scene } from './scene.ts';

const DUST_MAX = LIMITS.orderMatchesMax + 40;

/** Somebody opens as much as possible, dust and depth are put in the way, the index goes there. */
export function shield(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const { instrumentId } = contract;
  const [side, other] = sidesOf(scene);
  const at = priceAgainst(scene, contract, side);
  const [owner, maker] = someOf(scene, 2);
  if (owner === undefined || maker === undefined) return [];
  const size = draw.percent(80)
    ? contract.maxLots
    : Math.min(openable(scene, owner, contract, side), contract.maxLots);
  // Near where isolated margin of this leverage is used up.
  const leverage = scene.margin(owner, instrumentId)?.[side].leverage ?? 10;
  const far = Math.max(1_000, Math.round(1_000_000 / leverage) - draw.between(0, 4_000));
  return [
    { kind: 'update_contract', instrumentId, changes: roomFor(contract) },
    { kind: 'report_index', instrumentId, source: 'operator', priceTicks: 0 as Ticks },
    { kind: 'report_index', instrumentId, source: 'feed', priceTicks: at(0) as Ticks },
    ...funded(scene, contract, maker, 30),
    ...funded(scene, contract, owner, 2 / leverage),
    order(scene, contract, maker, OPEN[other], size, at(0), 'gtc'),
    order(scene, contract, owner, OPEN[side], size, at(0), 'gtc'),
    ...dust(scene, contract, draw.percent(25) ? owner : maker, at(far), side),
    order(scene, contract, maker, OPEN[side], contract.maxLots, at(far + 1_000), 'gtc'),
    { kind: 'report_index', instrumentId, source: 'feed', priceTicks: at(far) as Ticks },
    { kind: 'tick' },
  ];
}

/** Lists that are long enough for the dust, and tiers for positions that meet more than one may. */
export function roomFor({ tiers }: Contract): Partial<ContractTerms> {
  const wide = tiers.map((tier) => ({ ...tier, contractsMax: lots(tier.contractsMax * 50) }));
  return { openOrdersMax: 2 * DUST_MAX, tiers: wide };
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

/** Different accounts, as far as there are so many. */
export function someOf({ draw, view }: Scene, count: number): readonly AccountId[] {
  const ids = [...view.accounts()].map(({ accountId }) => accountId);
  const first = draw.below(ids.length);
  return Array.from({ length: Math.min(count, ids.length) }, (_, at) => {
    return ids[(first + at) % ids.length] as AccountId;
  });
}

/** Orders of the least size: such that open or, of the other side's holder, such that close. */
function dust(
  scene: Scene,
  contract: Contract,
  accountId: AccountId,
  priceTicks: number,
  side: HoldSide,
): Command[] {
  const { draw } = scene;
  const closing = side === 'long' ? CLOSE.short : CLOSE.long;
  const action = draw.percent(80) ? OPEN[side] : closing;
  const count = draw.of([LIMITS.orderMatchesMax - 10, LIMITS.orderMatchesMax + 1, DUST_MAX]);
  const one = () => order(scene, contract, accountId, action, contract.minLots, priceTicks, 'gtc');
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
