/**
 * Two go under at once. For the first one others are deleveraged, the second meets hundreds of the
 * smallest orders; before anybody is deleveraged for it, the best ranked adds margin, or all that
 * there is on the other side changes hands.
 */
import type { AccountId, Command, ContractAction, Ticks } from '#domain';
import { CLOSE, OPEN, order } from './contract-words.ts';
import type { Scene } from './scene.ts';
import {
  dustOf,
  fallFor,
  flatFirst,
  funded,
  priceAgainst,
  roomFor,
  sidesOf,
  worth,
} from './shield.ts';

const [FIRST_LOTS, SECOND_LOTS] = [200, 600];
/** The margin of the second is used up where the price goes, that of the first long before. */
const [FIRST_LEVERAGE, SECOND_LEVERAGE, NEXT_LEVERAGE, BEST_LEVERAGE] = [10, 5, 20, 50];
const [LOST_PPM, BEYOND_PPM] = [197_000, 215_000];

export function squeeze(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const [first, second, next, best] = flatFirst(scene, contract);
  if (best === undefined) return [];
  if (first === undefined || second === undefined || next === undefined) return [];
  const { draw } = scene;
  const { instrumentId } = contract;
  const [side, other] = sidesOf(scene);
  const at = priceAgainst(scene, contract, side);
  const report = (ppm: number): Command => {
    const priceTicks = at(ppm) as Ticks;
    return { kind: 'report_index', instrumentId, source: 'feed', priceTicks };
  };
  const opened = (accountId: AccountId, action: ContractAction, sizeLots: number): Command =>
    order(scene, contract, accountId, action, sizeLots, at(0), 'gtc');
  const far = fallFor(contract, side, LOST_PPM);
  const beyond = at(fallFor(contract, side, BEYOND_PPM));
  const isHandedOver = draw.percent(50);
  const bestLots = isHandedOver ? FIRST_LOTS : 2 * FIRST_LOTS;
  const nextLots = FIRST_LOTS + SECOND_LOTS - bestLots;
  const settings = [
    [first, FIRST_LEVERAGE],
    [second, SECOND_LEVERAGE],
    [next, NEXT_LEVERAGE],
    [best, BEST_LEVERAGE],
  ] as const;
  return [
    { kind: 'update_contract', instrumentId, changes: roomFor(contract) },
    report(0),
    ...settings.flatMap(([accountId, leverage]): Command[] => [
      { kind: 'cancel_all_contract_orders', accountId },
      { kind: 'set_margin_mode', accountId, instrumentId, mode: 'isolated' },
      { kind: 'set_leverage', accountId, instrumentId, side: 'both', leverage },
      ...funded(scene, contract, accountId, 3),
    ]),
    opened(best, OPEN[other], bestLots),
    opened(first, OPEN[side], FIRST_LOTS),
    opened(next, OPEN[other], nextLots),
    opened(second, OPEN[side], SECOND_LOTS),
    ...dustOf(scene, contract, next, OPEN[side], at(far), draw.of([260, 510])),
    ...(isHandedOver ? [order(scene, contract, next, CLOSE[other], nextLots, beyond, 'gtc')] : []),
    report(far),
    isHandedOver
      ? order(scene, contract, first, OPEN[other], nextLots, beyond, 'gtc')
      : {
          kind: 'adjust_margin',
          accountId: best,
          instrumentId,
          side: other,
          delta: worth(contract, 1),
        },
    { kind: 'tick' },
  ];
}
