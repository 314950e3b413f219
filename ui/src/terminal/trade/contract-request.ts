/** A contract order as it is sent to the classic interface. */
import type { ContractAction, Force } from '#domain';
import { formatTrimmed } from '#kernel';
import type { TradedContract } from '../../model/contract.ts';
import type { OrderWish } from '../../model/expected.ts';
import { actionOf, type ContractDraft, type Prices } from './contract-wish.ts';
import type { OrderRequest, Read } from './draft.ts';

const SWAP = '/api/swap/v3/order';

interface Sent {
  readonly draft: ContractDraft;
  readonly contract: TradedContract;
  readonly prices: Prices;
  readonly wish: OrderWish;
}

export function contractRequest(sent: Sent): OrderRequest {
  return sent.draft.type === 'plan' ? planOrder(sent) : order(sent);
}

/** `type` of a contract order. */
const ACTION_NUMBERS: Readonly<Record<ContractAction, string>> = {
  open_long: '1',
  open_short: '2',
  close_long: '3',
  close_short: '4',
};

const FORCE_NUMBERS: Readonly<Record<Force, string>> = {
  gtc: '0',
  post_only: '1',
  fok: '2',
  ioc: '3',
};

function priceText({ priceScale }: TradedContract, { value, isEmpty }: Read): string | undefined {
  return isEmpty ? undefined : formatTrimmed(value, priceScale);
}

function planOrder(sent: Sent): OrderRequest {
  const { draft, contract, prices, wish } = sent;
  const { symbol, quantityScale } = contract;
  const body = {
    symbol,
    size: formatTrimmed(wish.sizeLots, quantityScale),
    type: draft.does === 'open' ? '1' : '2',
    holdSide: draft.side === 'long' ? '1' : '2',
    match_type: draft.executes === 'market' ? '1' : '0',
    trigger_price: priceText(contract, prices.trigger),
    execute_price: priceText(contract, prices.price),
    trigger_type: draft.source,
    ...presetsOf(sent),
  };
  return { path: `${SWAP}/plan_order`, body };
}

function order(sent: Sent): OrderRequest {
  const { draft, contract, wish } = sent;
  const { symbol, quantityScale, priceScale } = contract;
  const isMarket = wish.type === 'market';
  const body = {
    symbol,
    size: formatTrimmed(wish.sizeLots, quantityScale),
    type: ACTION_NUMBERS[actionOf(draft)],
    order_type: isMarket && wish.force !== 'fok' ? '0' : FORCE_NUMBERS[wish.force],
    match_price: isMarket ? '1' : '0',
    price: isMarket ? undefined : formatTrimmed(wish.priceTicks, priceScale),
    ...presetsOf(sent),
  };
  return { path: `${SWAP}/placeOrder`, body };
}

/** Take-profit and stop-loss look at the price that the form says. */
function presetsOf({ draft, contract, prices }: Sent): object {
  const { source } = draft;
  const { takeProfit, stopLoss } = prices;
  return {
    presetTakeProfitPrice: priceText(contract, takeProfit),
    presetTakeProfitTriggerType: takeProfit.isEmpty ? undefined : source,
    presetStopLossPrice: priceText(contract, stopLoss),
    presetStopLossTriggerType: stopLoss.isEmpty ? undefined : source,
  };
}
