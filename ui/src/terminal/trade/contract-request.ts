/**
 * A contract order as it is sent. Most go to the classic interface; what that cannot say (a trigger
 * on the mark price, take-profit and stop-loss of an order that waits) to the current one, which
 * counts in coin and has linear contracts only.
 */
import { type ContractAction, type Force, type HoldSide, sideOf as sideOfAction } from '#domain';
import { formatTrimmed } from '#kernel';
import type { TradedContract } from '../../model/contract.ts';
import type { OrderWish } from '../../model/expected.ts';
import { sizeIn } from '../../model/size-unit.ts';
import { actionOf, type ContractDraft, type PriceSource, type Prices } from './contract-wish.ts';
import type { OrderRequest, Read } from './draft.ts';

const SWAP = '/api/swap/v3/order';
const CURRENT = '/capi/v3';

export const SOURCE_WORDS: Readonly<Record<PriceSource, string>> = {
  last: 'CONTRACT_PRICE',
  mark: 'MARK_PRICE',
};

/** BTCUSDT of cmt_btcusdt. */
export function currentName(symbol: string): string {
  return symbol.replace(/^cmt_/, '').toUpperCase();
}

/** Direction and side as the current interface says them. */
export function currentSides(action: ContractAction, side: HoldSide): object {
  return {
    side: sideOfAction(action) === 'buy' ? 'BUY' : 'SELL',
    positionSide: side === 'long' ? 'LONG' : 'SHORT',
  };
}

interface Sent {
  readonly draft: ContractDraft;
  readonly contract: TradedContract;
  readonly prices: Prices;
  readonly wish: OrderWish;
  readonly markTicks: number | undefined;
}

/** Undefined while the mark price is needed and not known. */
export function contractRequest(sent: Sent): OrderRequest | undefined {
  const { draft, contract, prices } = sent;
  const hasPresets = !prices.takeProfit.isEmpty || !prices.stopLoss.isEmpty;
  const isMark = draft.source === 'mark' && contract.kind === 'linear';
  if (draft.type === 'plan') return isMark || hasPresets ? algoOrder(sent) : planOrder(sent);
  return isMark && hasPresets ? currentOrder(sent) : classicOrder(sent);
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

function planOrder({ draft, contract, prices, wish }: Sent): OrderRequest {
  const { symbol, quantityScale } = contract;
  const body = {
    symbol,
    size: formatTrimmed(wish.sizeLots, quantityScale),
    type: draft.does === 'open' ? '1' : '2',
    holdSide: draft.side === 'long' ? '1' : '2',
    match_type: draft.executes === 'market' ? '1' : '0',
    trigger_price: priceText(contract, prices.trigger),
    execute_price: priceText(contract, prices.price),
  };
  return { path: `${SWAP}/plan_order`, body };
}

function classicOrder({ draft, contract, prices, wish }: Sent): OrderRequest {
  const { symbol, quantityScale, priceScale } = contract;
  const isMarket = wish.type === 'market';
  const body = {
    symbol,
    size: formatTrimmed(wish.sizeLots, quantityScale),
    type: ACTION_NUMBERS[actionOf(draft)],
    order_type: isMarket && wish.force !== 'fok' ? '0' : FORCE_NUMBERS[wish.force],
    match_price: isMarket ? '1' : '0',
    price: isMarket ? undefined : formatTrimmed(wish.priceTicks, priceScale),
    presetTakeProfitPrice: priceText(contract, prices.takeProfit),
    presetStopLossPrice: priceText(contract, prices.stopLoss),
  };
  return { path: `${SWAP}/placeOrder`, body };
}

const CURRENT_FORCES: Readonly<Record<Force, string>> = {
  gtc: 'GTC',
  post_only: 'POST_ONLY',
  fok: 'FOK',
  ioc: 'IOC',
};

function currentOrder({ draft, contract, prices, wish }: Sent): OrderRequest {
  const isMarket = wish.type === 'market';
  const working = SOURCE_WORDS[draft.source];
  const body = {
    symbol: currentName(contract.symbol),
    ...currentSides(actionOf(draft), draft.side),
    type: isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: CURRENT_FORCES[wish.force],
    quantity: sizeIn(contract, 'base', wish.sizeLots, 0),
    price: isMarket ? undefined : formatTrimmed(wish.priceTicks, contract.priceScale),
    tpTriggerPrice: priceText(contract, prices.takeProfit),
    slTriggerPrice: priceText(contract, prices.stopLoss),
    TpWorkingType: working,
    SlWorkingType: working,
  };
  return { path: `${CURRENT}/order`, body };
}

function algoOrder(sent: Sent): OrderRequest | undefined {
  const { draft, contract, prices, wish, markTicks } = sent;
  if (markTicks === undefined) return undefined;
  const working = SOURCE_WORDS[draft.source];
  const kind = isTakeProfit(draft, Number(prices.trigger.value), markTicks)
    ? 'TAKE_PROFIT'
    : 'STOP';
  const body = {
    symbol: currentName(contract.symbol),
    ...currentSides(actionOf(draft), draft.side),
    type: draft.executes === 'market' ? `${kind}_MARKET` : kind,
    quantity: sizeIn(contract, 'base', wish.sizeLots, 0),
    triggerPrice: priceText(contract, prices.trigger),
    price: priceText(contract, prices.price),
    workingType: working,
    presetTakeProfitPrice: priceText(contract, prices.takeProfit),
    presetStopLossPrice: priceText(contract, prices.stopLoss),
    TpWorkingType: working,
    SlWorkingType: working,
  };
  return { path: `${CURRENT}/algoOrder`, body };
}

/** What closes says by its kind which way its price has to go; what opens may be either. */
function isTakeProfit({ does, side }: ContractDraft, trigger: number, now: number): boolean {
  return does === 'close' && (side === 'long') === trigger > now;
}
