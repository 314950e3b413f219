/**
 * A contract order before it is sent: what its fields mean, what it would cost and do, what is
 * wrong with it. Plan orders are reckoned as if the market stood at their trigger.
 */
import {
  type ContractAction,
  closeOf,
  type Force,
  type HoldSide,
  openOf,
  sideOf as sideOfAction,
} from '#domain';
import { formatTrimmed } from '#kernel';
import type { TradedContract } from '../../model/contract.ts';
import {
  type ClosingEstimate,
  closingEstimate,
  costTicks,
  lotsAtPercent,
  type OpeningEstimate,
  openableNow,
  openingEstimate,
} from '../../model/contract-estimate.ts';
import type { Opposite, OrderWish } from '../../model/expected.ts';
import { type MarginState, sideOf } from '../../model/margin-account.ts';
import {
  exactMoney,
  type Fault,
  type OrderRequest,
  type Read,
  readField,
  readPrice,
  type Size,
  safeNumber,
} from './draft.ts';
import { shareOf } from './spot-draft.ts';

export interface ContractDraft {
  readonly does: 'open' | 'close';
  readonly side: HoldSide;
  readonly type: 'limit' | 'market' | 'plan';
  /** Of a limit order, and fok of a market order. */
  readonly force: Force;
  readonly price: string;
  readonly trigger: string;
  /** What a plan order places. */
  readonly executes: 'limit' | 'market';
  readonly size: Size;
  readonly takeProfit: string;
  readonly stopLoss: string;
}

export interface ReadContractDraft {
  readonly action: ContractAction;
  readonly sizeText: string;
  /** Of the most that can be opened or closed. */
  readonly percent: number;
  /** Undefined while signed out. */
  readonly mostLots: number | undefined;
  readonly priceFault: Fault | undefined;
  readonly triggerFault: Fault | undefined;
  readonly sizeFault: Fault | undefined;
  readonly takeProfitFault: Fault | undefined;
  readonly stopLossFault: Fault | undefined;
  /** What the account is short of, as far as this page knows: the venue has the last word. */
  readonly moneyFault: Fault | undefined;
  readonly opening: OpeningEstimate | undefined;
  readonly closing: ClosingEstimate | undefined;
  /** At which the order is reckoned; zero while it is not known. */
  readonly priceTicks: number;
  readonly sizeLots: number;
  readonly takeProfitTicks: number;
  readonly stopLossTicks: number;
  /** Undefined while something is missing or wrong. */
  readonly request: OrderRequest | undefined;
}

export interface ContractMeans {
  readonly contract: TradedContract;
  readonly opposite: Opposite;
  readonly state: MarginState | undefined;
}

/** The action of a draft, and the side of the book it would take. */
export function actionOf({ does, side }: Pick<ContractDraft, 'does' | 'side'>): ContractAction {
  return does === 'open' ? openOf(side) : closeOf(side);
}

export function takingSide(draft: Pick<ContractDraft, 'does' | 'side'>): 'buy' | 'sell' {
  return sideOfAction(actionOf(draft));
}

/** A clicked price is the limit; a market order becomes a limit order, a plan gets its trigger. */
export function pricedBy({ type }: ContractDraft, price: string): Partial<ContractDraft> {
  if (type === 'plan') return { trigger: price };
  // A market order is over at once; a limit order at a price of the book is meant to wait there.
  return type === 'market' ? { type: 'limit', force: 'gtc', price } : { price };
}

/** The prices of a draft, read. */
interface Prices {
  readonly price: Read;
  readonly trigger: Read;
  readonly takeProfit: Read;
  readonly stopLoss: Read;
}

export function readContractDraft(draft: ContractDraft, means: ContractMeans): ReadContractDraft {
  const { contract, state } = means;
  const prices = readPrices(draft, contract);
  const priced = wishOf(draft, prices, 0);
  const opposite = draft.type === 'plan' ? bookAtTrigger(prices) : means.opposite;
  const most = state === undefined ? undefined : mostLots(draft, contract, state, priced, opposite);
  const sizeText = sizeTextOf(draft.size, contract, most ?? 0);
  const size = readField(sizeText, contract.quantityScale, 'quantity_invalid');
  const wish = { ...priced, sizeLots: safeNumber(size.value) };
  const sizeFault = size.fault ?? boundsFault(draft, means, wish.sizeLots);
  const isReckoned = wish.sizeLots > 0 && (wish.type === 'market' || wish.priceTicks > 0);
  const estimates = isReckoned && state !== undefined ? estimate(draft, means, wish, opposite) : {};
  const { opening, closing } = estimates;
  const presets = presetFaults(draft, prices, wish.priceTicks);
  const faults = [prices.price.fault, prices.trigger.fault, sizeFault];
  const isWrong = [...faults, presets.takeProfit, presets.stopLoss].some((fault) => fault);
  const isMissing = wish.sizeLots === 0 || isPriceMissing(draft, prices);
  return {
    action: actionOf(draft),
    sizeText,
    percent: draft.size.kind === 'part' ? draft.size.percent : shareOf(wish.sizeLots, most ?? 0),
    mostLots: most,
    priceFault: prices.price.fault,
    triggerFault: prices.trigger.fault,
    sizeFault: size.isEmpty ? undefined : sizeFault,
    takeProfitFault: presets.takeProfit,
    stopLossFault: presets.stopLoss,
    moneyFault: moneyFault(draft, means, wish, opening?.cost, most ?? 0),
    opening,
    closing,
    priceTicks: wish.priceTicks > 0 ? wish.priceTicks : bestOf(opposite),
    sizeLots: wish.sizeLots,
    takeProfitTicks: safeNumber(prices.takeProfit.value),
    stopLossTicks: safeNumber(prices.stopLoss.value),
    request: isWrong || isMissing ? undefined : request(draft, contract, prices, wish),
  };
}

function readPrices(draft: ContractDraft, contract: TradedContract): Prices {
  const { priceScale, priceStepTicks } = contract;
  const isPlan = draft.type === 'plan';
  const isPriced = draft.type === 'limit' || (isPlan && draft.executes === 'limit');
  const hasPresets = draft.does === 'open' && !isPlan;
  const read = (text: string) => readPrice(text, priceScale, priceStepTicks);
  return {
    price: read(isPriced ? draft.price : ''),
    trigger: read(isPlan ? draft.trigger : ''),
    takeProfit: read(hasPresets ? draft.takeProfit : ''),
    stopLoss: read(hasPresets ? draft.stopLoss : ''),
  };
}

function isPriceMissing({ type, executes }: ContractDraft, { price, trigger }: Prices): boolean {
  if (type === 'plan' && trigger.isEmpty) return true;
  return price.isEmpty && (type === 'limit' || (type === 'plan' && executes === 'limit'));
}

/** The order as the model reckons it: a plan order at market counts as one at its trigger. */
function wishOf(draft: ContractDraft, { price, trigger }: Prices, sizeLots: number): OrderWish {
  const { type, force } = draft;
  if (type === 'market') {
    return { type: 'market', force: force === 'fok' ? 'fok' : 'ioc', priceTicks: 0, sizeLots };
  }
  const isAtTrigger = type === 'plan' && draft.executes === 'market';
  const priceTicks = safeNumber(isAtTrigger ? trigger.value : price.value);
  return { type: 'limit', force: type === 'plan' ? 'gtc' : force, priceTicks, sizeLots };
}

/** When a plan fires the market is at its trigger: what its order reaches there, it takes. */
function bookAtTrigger({ trigger }: Prices): Opposite {
  const priceTicks = safeNumber(trigger.value);
  return priceTicks === 0 ? [] : [{ priceTicks, lots: Number.MAX_SAFE_INTEGER }];
}

function bestOf(opposite: Opposite): number {
  return opposite[0]?.priceTicks ?? 0;
}

function mostLots(
  { does, side, type }: ContractDraft,
  contract: TradedContract,
  state: MarginState,
  wish: OrderWish,
  opposite: Opposite,
): number {
  const { lots, availableLots } = sideOf(state, side);
  if (does === 'close') return Math.min(type === 'plan' ? lots : availableLots, contract.maxLots);
  const priceTicks = costTicks(contract, side, { ...wish, sizeLots: 1 }, opposite);
  return openableNow(contract, state, side, priceTicks);
}

function sizeTextOf(size: Size, { quantityScale }: TradedContract, most: number): string {
  if (size.kind === 'typed') return size.text;
  const part = lotsAtPercent(most, size.percent);
  return part === 0 ? '' : formatTrimmed(part, quantityScale);
}

function estimate(
  { does, side }: ContractDraft,
  { contract, state }: ContractMeans,
  wish: OrderWish,
  opposite: Opposite,
): { readonly opening?: OpeningEstimate | undefined; readonly closing?: ClosingEstimate } {
  if (state === undefined) return {};
  if (does === 'open') return { opening: openingEstimate(contract, state, side, wish, opposite) };
  return { closing: closingEstimate(contract, state, side, wish, opposite) };
}

/** What is left of a position can be closed however small it is. */
function boundsFault(
  { does, side }: ContractDraft,
  { contract, state }: ContractMeans,
  sizeLots: number,
): Fault | undefined {
  if (sizeLots === 0) return undefined;
  const { minLots, maxLots, quantityScale } = contract;
  const text = (value: number) => formatTrimmed(value, quantityScale);
  const held = state === undefined ? 0 : sideOf(state, side).availableLots;
  const isRest = does === 'close' && sizeLots === held;
  if (sizeLots < minLots && !isRest) {
    return { reject: 'quantity_below_minimum', detail: { kind: 'least', text: text(minLots) } };
  }
  if (sizeLots <= maxLots) return undefined;
  return { reject: 'quantity_above_maximum', detail: { kind: 'most', text: text(maxLots) } };
}

/** The trigger of a preset against the order's price; the venue also holds it against the last. */
function presetFaults(
  { type, side }: ContractDraft,
  { takeProfit, stopLoss }: Prices,
  orderTicks: number,
): { readonly takeProfit: Fault | undefined; readonly stopLoss: Fault | undefined } {
  const order = BigInt(orderTicks);
  const isHeld = type === 'limit' && order > 0n;
  const isLong = side === 'long';
  const missesProfit = isLong ? takeProfit.value <= order : takeProfit.value >= order;
  const missesLoss = isLong ? stopLoss.value >= order : stopLoss.value <= order;
  const isProfitWrong = isHeld && takeProfit.value > 0n && missesProfit;
  const isLossWrong = isHeld && stopLoss.value > 0n && missesLoss;
  const profit = isLong ? 'take_profit_below_order' : 'take_profit_above_order';
  const loss = isLong ? 'stop_loss_above_order' : 'stop_loss_below_order';
  return {
    takeProfit: takeProfit.fault ?? (isProfitWrong ? { reject: profit } : undefined),
    stopLoss: stopLoss.fault ?? (isLossWrong ? { reject: loss } : undefined),
  };
}

function moneyFault(
  draft: ContractDraft,
  { contract, state, opposite }: ContractMeans,
  { sizeLots }: OrderWish,
  cost: bigint | undefined,
  most: number,
): Fault | undefined {
  if (state === undefined || sizeLots === 0) return undefined;
  if (draft.type === 'market' && opposite.length === 0) return { reject: 'no_opposite_depth' };
  if (draft.does === 'close') return closingFault(draft, contract, state, sizeLots);
  if (cost === undefined) return undefined;
  if (cost <= state.available) {
    return sizeLots > most ? { reject: 'openable_exceeded' } : undefined;
  }
  const { marginScale, marginCode } = contract;
  const needs = exactMoney(cost, marginScale, marginCode);
  const has = exactMoney(state.available, marginScale, marginCode);
  return { reject: 'margin_insufficient', detail: { kind: 'needs', needs, has } };
}

function closingFault(
  { side, type }: ContractDraft,
  { quantityScale }: TradedContract,
  state: MarginState,
  sizeLots: number,
): Fault | undefined {
  const { lots, availableLots } = sideOf(state, side);
  const closable = type === 'plan' ? lots : availableLots;
  if (sizeLots <= closable) return undefined;
  const text = formatTrimmed(closable, quantityScale);
  return { reject: 'close_exceeds_position', detail: { kind: 'closable', text } };
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

function request(
  draft: ContractDraft,
  contract: TradedContract,
  prices: Prices,
  wish: OrderWish,
): OrderRequest {
  const { symbol, priceScale, quantityScale } = contract;
  const price = ({ value, isEmpty }: Read) =>
    isEmpty ? undefined : formatTrimmed(value, priceScale);
  const size = formatTrimmed(wish.sizeLots, quantityScale);
  if (draft.type === 'plan') {
    const body = {
      type: draft.does === 'open' ? '1' : '2',
      holdSide: draft.side === 'long' ? '1' : '2',
      match_type: draft.executes === 'market' ? '1' : '0',
      trigger_price: price(prices.trigger),
      execute_price: price(prices.price),
    };
    return { path: '/api/swap/v3/order/plan_order', body: { symbol, size, ...body } };
  }
  const body = {
    type: ACTION_NUMBERS[actionOf(draft)],
    order_type: draft.type === 'market' && draft.force !== 'fok' ? '0' : FORCE_NUMBERS[draft.force],
    match_price: draft.type === 'market' ? '1' : '0',
    price: price(prices.price),
    presetTakeProfitPrice: price(prices.takeProfit),
    presetStopLossPrice: price(prices.stopLoss),
  };
  return { path: '/api/swap/v3/order/placeOrder', body: { symbol, size, ...body } };
}
