/**
 * A take-profit or stop-loss of a held position as it is sent. The classic interface has no such
 * call: an inverse contract, which the current one does not have, gets a trigger order that closes.
 */
import { closeOf, type HoldSide } from '#domain';
import { formatTrimmed } from '#kernel';
import type { TradedContract } from '../../model/contract.ts';
import { sizeIn } from '../../model/size-unit.ts';
import { currentName, currentSides, SOURCE_WORDS } from './contract-request.ts';
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
  const trigger = formatTrimmed(ticks, priceScale);
  if (contract.kind === 'inverse') {
    const body = {
      symbol,
      size: formatTrimmed(size.lots, quantityScale),
      type: '2',
      holdSide: side === 'long' ? '1' : '2',
      match_type: '1',
      trigger_price: trigger,
    };
    return { path: '/api/swap/v3/order/plan_order', body };
  }
  const body = {
    symbol: currentName(symbol),
    ...currentSides(closeOf(side), side),
    planType: purpose === 'take_profit' ? 'TAKE_PROFIT' : 'STOP_LOSS',
    triggerPrice: trigger,
    triggerPriceType: SOURCE_WORDS[source],
    quantity: size.isWhole ? '0' : sizeIn(contract, 'base', size.lots, 0),
  };
  return { path: '/capi/v3/placeTpSlOrder', body };
}
