/** A take-profit or stop-loss of a held position as it is sent. */
import type { HoldSide } from '#domain';
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
  const body = {
    symbol,
    holdSide: side === 'long' ? '1' : '2',
    preset_type: purpose,
    trigger_price: formatTrimmed(ticks, priceScale),
    trigger_type: source,
    size: size.isWhole ? '0' : formatTrimmed(size.lots, quantityScale),
  };
  return { path: '/api/swap/v3/position/placePreset', body };
}
