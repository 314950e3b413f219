/**
 * Hundreds of the smallest orders, and one order through all of them: it meets more than a step
 * may, and goes on while others, halts and restarts come in between.
 */
import {
  type Command,
  type Contract,
  LIMITS,
  lots,
  notional,
  type SpotInstrument,
  ticks,
} from '#domain';
import { markOf, OPEN, order } from './contract-words.ts';
import type { Scene } from './scene.ts';
import { funded, priceAgainst, roomFor, sidesOf, someOf } from './shield.ts';

const MOST = LIMITS.orderMatchesMax;

export function sweep(scene: Scene): Command[] {
  const { draw } = scene;
  const contract = scene.contract();
  const pair = scene.pair();
  if (contract !== undefined && (pair === undefined || draw.percent(60))) {
    return contractSweep(scene, contract);
  }
  return pair === undefined ? [] : spotSweep(scene, pair);
}

function countOf({ draw }: Scene): number {
  return draw.of([MOST + 1, MOST + 40, 2 * MOST - 80]);
}

function contractSweep(scene: Scene, contract: Contract): Command[] {
  const { draw } = scene;
  const { instrumentId, minLots, maxLots } = contract;
  const [side, other] = sidesOf(scene);
  const [taker, maker] = someOf(scene, 2);
  if (taker === undefined || maker === undefined) return [];
  const at = priceAgainst(scene, contract, other);
  const count = countOf(scene);
  const wanted = Math.min(maxLots, minLots * (count + draw.of([-20, 0, 50])));
  const price = draw.percent(70) ? at(1_000) : markOf(scene, contract);
  const isMarket = draw.percent(30);
  const { priceStepTicks } = contract;
  const dust = () =>
    order(scene, contract, maker, OPEN[other], minLots, at(draw.below(2) * 500), 'gtc');
  const limit = order(scene, contract, taker, OPEN[side], wanted, price, draw.of(['gtc', 'ioc']));
  return [
    { kind: 'update_contract', instrumentId, changes: roomFor(contract) },
    ...funded(scene, contract, maker, 10),
    ...funded(scene, contract, taker, draw.of([0.01, 10])),
    ...Array.from({ length: count }, dust),
    isMarket ? order(scene, contract, taker, OPEN[side], wanted, undefined, 'ioc') : limit,
    // What comes behind it, in its market and elsewhere.
    order(scene, contract, maker, OPEN[side], minLots, at(0) - priceStepTicks, 'gtc'),
    { kind: 'tick' },
  ];
}

function spotSweep(scene: Scene, pair: SpotInstrument): Command[] {
  const { draw } = scene;
  const { instrumentId, base, quote } = pair;
  const [accountId, maker] = someOf(scene, 2);
  if (accountId === undefined || maker === undefined) return [];
  const price = scene.view.bookLevels(instrumentId, 'sell')[Symbol.iterator]().next().value;
  const priceTicks = ticks(price?.priceTicks ?? Math.max(1, pair.referencePriceTicks));
  const least = Number(pair.minNotional / notional(pair, priceTicks, lots(1))) + 1;
  const each = lots(Math.min(pair.maxLots, Math.max(pair.minLots, least)));
  const count = countOf(scene);
  const side = draw.of(['buy', 'sell'] as const);
  const against = side === 'buy' ? 'sell' : 'buy';
  const worth = notional(pair, priceTicks, lots(each * (count + 60)));
  const baseAmount = BigInt(each * (count + 60)) * pair.baseUnitsPerLot;
  const coins = [
    { assetId: base.assetId, amount: baseAmount },
    { assetId: quote.assetId, amount: worth * 2n },
  ];
  const facts = { kind: 'place_spot_order', instrumentId, clientOrderId: undefined } as const;
  const limit = { ...facts, type: 'limit', priceTicks } as const;
  const sizeLots = lots(Math.min(pair.maxLots, each * (count + draw.of([-20, 0, 50]))));
  const market = { ...facts, type: 'market', force: 'ioc', accountId } as const;
  const sweeping: Command = draw.of([
    { ...limit, accountId, side, force: draw.of(['gtc', 'ioc']), sizeLots },
    { ...market, side, sizeLots },
    { ...market, side: 'buy', quoteBudget: worth },
  ]);
  return [
    { kind: 'update_account', accountId: maker, changes: { openOrdersMax: 1_000 } },
    ...[accountId, maker].flatMap((owner) =>
      coins.map(
        (coin) => ({ kind: 'deposit', accountId: owner, wallet: 'spot', ...coin }) as const,
      ),
    ),
    ...Array.from(
      { length: count },
      () => ({ ...limit, accountId: maker, side: against, force: 'gtc', sizeLots: each }) as const,
    ),
    sweeping,
    { ...limit, accountId: maker, side, force: 'gtc', sizeLots: each },
    { kind: 'tick' },
  ];
}
