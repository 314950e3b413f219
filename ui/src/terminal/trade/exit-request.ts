/** A take-profit or stop-loss of a held position as it is sent. */
import { closeOf, type HoldSide, sideOf } from '#domain';
import { formatTrimmed } from '#kernel';
import type { TradedContract } from '../../model/contract.ts';
import type { PriceSource } from './contract-wish.ts';
import type { OrderRequest } from './draft.ts';

interface Exit {
  readonly contract: TradedContract;
  readonly side: HoldSide;
  readonly purpose: 'take_profit' | 'stop_loss';
  readonly ticks: number;
  readonly source: PriceSource;
  /** Whole is all that is held when it fires. */
  readonly size: { readonly lots: number; readonly isWhole: boolean };
}

export function exitRequest({ contract, side, purpose, ticks, source, size }: Exit): OrderRequest {
  const { symbol, priceScale, quantityScale } = contract;
  const isAbove = (side === 'long') === (purpose === 'take_profit');
  const trigger = {
    ...{ symbol, side: sideOf(closeOf(side)), reduceOnly: true },
    trigger: formatTrimmed(ticks, priceScale),
    triggerBy: source,
    direction: isAbove ? 'rise' : 'fall',
    type: 'market',
    size: size.isWhole ? undefined : formatTrimmed(size.lots, quantityScale),
  } as const;
  return { kind: 'trigger', trigger };
}
