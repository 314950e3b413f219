/** A contract order as it is sent: at once, or waiting for a price. */
import { sideOf } from '#domain';
import { formatTrimmed } from '#kernel';
import type { TradedContract } from '../../model/contract.ts';
import type { OrderWish } from '../../model/expected.ts';
import {
  actionOf,
  type ContractDraft,
  type Prices,
  type PricesNow,
  type TriggerDirection,
} from './contract-wish.ts';
import type { OrderRequest, Read } from './draft.ts';

interface Sent {
  readonly draft: ContractDraft;
  readonly contract: TradedContract;
  readonly prices: Prices;
  readonly wish: OrderWish;
  readonly now: PricesNow;
}

/** Undefined of what waits for a price while nobody knows where prices are. */
export function contractRequest(sent: Sent): OrderRequest | undefined {
  return sent.draft.type === 'plan' ? triggerOrder(sent) : { kind: 'order', order: order(sent) };
}

function priceText({ priceScale }: TradedContract, { value, isEmpty }: Read): string | undefined {
  return isEmpty ? undefined : formatTrimmed(value, priceScale);
}

/** What orders of both kinds say. */
function common({ draft, contract, wish, prices }: Sent) {
  const { takeProfit, stopLoss } = prices;
  const { source } = draft;
  return {
    symbol: contract.symbol,
    side: sideOf(actionOf(draft)),
    ...(draft.does === 'close' && { reduceOnly: true }),
    size: formatTrimmed(wish.sizeLots, contract.quantityScale),
    takeProfit: priceText(contract, takeProfit),
    takeProfitBy: takeProfit.isEmpty ? undefined : source,
    stopLoss: priceText(contract, stopLoss),
    stopLossBy: stopLoss.isEmpty ? undefined : source,
  };
}

function triggerOrder(sent: Sent): OrderRequest | undefined {
  const { draft, contract, prices } = sent;
  const direction = directionOf(sent);
  if (direction === undefined) return undefined;
  const trigger = {
    ...common(sent),
    type: draft.executes,
    trigger: formatTrimmed(prices.trigger.value, contract.priceScale),
    triggerBy: draft.source,
    direction,
    price: priceText(contract, prices.price),
  };
  return { kind: 'trigger', trigger };
}

/** From where the price is that it looks at; where that is not known, from the mark or last one. */
function directionOf({ draft, prices, now }: Sent): TriggerDirection | undefined {
  const from = now[draft.source] ?? now.mark ?? now.last;
  if (from === undefined) return undefined;
  return prices.trigger.value > BigInt(from) ? 'rise' : 'fall';
}

function order(sent: Sent) {
  const { contract, wish } = sent;
  const isMarket = wish.type === 'market';
  return {
    ...common(sent),
    type: wish.type,
    timeInForce: wish.force,
    price: isMarket ? undefined : formatTrimmed(wish.priceTicks, contract.priceScale),
  };
}
