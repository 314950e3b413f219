/** The words that all draws on contracts share: an order, a price near the mark, what is held. */
import {
  type AccountId,
  type Contract,
  type ContractAction,
  type Force,
  type HoldSide,
  lots,
  type MarginAccountView,
  type PlaceContractOrder,
  ticks,
} from '#domain';
import type { Scene } from './scene.ts';

export const SIDES: readonly [HoldSide, HoldSide] = ['long', 'short'];
export const OPEN = { long: 'open_long', short: 'open_short' } as const;
export const CLOSE = { long: 'close_long', short: 'close_short' } as const;

export function order(
  scene: Scene,
  { instrumentId }: Contract,
  accountId: AccountId,
  action: ContractAction,
  sizeLots: number,
  priceTicks: number | undefined,
  force: Force,
): PlaceContractOrder {
  const facts = {
    kind: 'place_contract_order',
    accountId,
    instrumentId,
    action,
    force,
    sizeLots: lots(sizeLots),
    clientOrderId: scene.clientId(),
  } as const;
  return priceTicks === undefined
    ? { ...facts, type: 'market' }
    : { ...facts, type: 'limit', priceTicks: ticks(priceTicks) };
}

export function markOf({ view }: Scene, { instrumentId, referencePriceTicks }: Contract): number {
  return view.contractPrices(instrumentId)?.markTicks ?? referencePriceTicks;
}

export function priceFor(scene: Scene, contract: Contract): number {
  return scene.priceNear(markOf(scene, contract), contract.priceStepTicks);
}

/** How much somebody would open: rarely a careful amount. */
export function openable(
  scene: Scene,
  accountId: AccountId,
  contract: Contract,
  side: HoldSide,
): number {
  const { draw } = scene;
  const margin = scene.margin(accountId, contract.instrumentId);
  if (margin === undefined) return 1;
  const mark = BigInt(markOf(scene, contract));
  const { valueFactor, kind } = contract;
  const leverage = BigInt(margin[side].leverage);
  const worth =
    kind === 'linear'
      ? (margin.available * leverage) / (valueFactor * mark)
      : (margin.available * leverage * mark) / valueFactor;
  const most = Number(worth > 900n ? 900n : worth);
  const wished = draw.of([most, Math.floor((most * 9) / 10), 1 + draw.below(most), 1, most + 1]);
  return Math.max(1, Math.min(wished, contract.maxLots));
}

interface Held {
  readonly margin: MarginAccountView;
  readonly side: HoldSide;
  readonly contract: Contract;
}

export function aPosition(scene: Scene): Held | undefined {
  const { view, draw } = scene;
  const found: Held[] = [];
  for (const contract of view.listings.contracts.values()) {
    for (const { accountId } of view.accounts()) {
      const margin = scene.margin(accountId, contract.instrumentId);
      if (margin === undefined) continue;
      for (const side of SIDES) if (margin[side].lots > 0) found.push({ margin, side, contract });
    }
  }
  return draw.of(found);
}
