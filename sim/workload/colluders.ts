/**
 * Accounts that bid past the bankruptcy price of one of theirs, with money in the insurance fund:
 * what it pays for, what its budgets and a book of one bidder keep it from.
 */
import type { Command, Contract, Ticks } from '#domain';
import { OPEN, order } from './contract-words.ts';
import { SOURCES } from './listings.ts';
import type { Scene } from './scene.ts';
import { funded, priceAgainst, sidesOf, someOf, worth } from './shield.ts';

/** One opens against another, up to three bid too low for it, and the index falls past it. */
export function colluders(scene: Scene): Command[] {
  const contract = scene.contract();
  const [owner, maker, ...helpers] = someOf(scene, 4);
  if (contract === undefined || owner === undefined || maker === undefined) return [];
  const { draw } = scene;
  const { instrumentId, margin } = contract;
  const size = sizeOf(contract);
  const [side, other] = sidesOf(scene);
  const at = priceAgainst(scene, contract, side);
  const leverage = scene.margin(owner, instrumentId)?.[side].leverage ?? 10;
  const far = Math.round(1_000_000 / leverage);
  const report = (priceTicks: number): Command => {
    const price = priceTicks as Ticks;
    return { kind: 'report_index', instrumentId, source: 'feed', priceTicks: price };
  };
  const bidders = [maker, ...helpers.slice(0, draw.of([0, 1, 1, 2]))];
  const bids = bidders.map((bidder) => {
    const price = at(far + draw.between(500, 12_000));
    return order(scene, contract, bidder, OPEN[side], size, price, 'gtc');
  });
  return [
    { kind: 'update_contract', instrumentId, changes: { indexSources: SOURCES[0] ?? [] } },
    { kind: 'set_margin_mode', accountId: owner, instrumentId, mode: 'isolated' },
    { kind: 'report_index', instrumentId, source: 'operator', priceTicks: 0 as Ticks },
    report(at(0)),
    {
      kind: 'fund_insurance',
      assetId: margin.assetId,
      amount: worth(contract, draw.of([0.002, 0.01, 1])),
    },
    ...[maker, ...helpers].flatMap((bidder) => funded(scene, contract, bidder, 4)),
    ...funded(scene, contract, owner, 2 / leverage),
    order(scene, contract, maker, OPEN[other], size, at(0), 'gtc'),
    order(scene, contract, owner, OPEN[side], size, at(0), 'gtc'),
    ...bids,
    report(at(far + 200)),
    { kind: 'tick' },
  ];
}

/** Few enough for the first tier, so that nothing is reduced before it is taken over. */
function sizeOf({ tiers, maxLots }: Contract): number {
  return Math.min(tiers[0]?.contractsMax ?? maxLots, maxLots);
}
