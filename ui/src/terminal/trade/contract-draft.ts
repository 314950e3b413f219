/**
 * A contract order before it is sent: what its fields mean, what it would cost and do, what is
 * wrong with it. Plan orders are reckoned as if the market stood at their trigger.
 */
import { type ContractAction, priceBand } from '#domain';
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
import { liquidationOf, type MarginState, sideOf } from '../../model/margin-account.ts';
import { lotsIn, type SizeUnit, sizeIn, unitScale } from '../../model/size-unit.ts';
import { boundTicks } from '../../model/slippage.ts';
import { contractRequest } from './contract-request.ts';
import {
  actionOf,
  type ContractDraft,
  type Prices,
  type PricesNow,
  takingSide,
} from './contract-wish.ts';
import {
  exactMoney,
  type Fault,
  type OrderRequest,
  readContracts,
  readField,
  readPrice,
  safeNumber,
} from './draft.ts';
import { shareOf } from './spot-draft.ts';

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
  /** Before the order; zero when flat or no price liquidates. */
  readonly liquidationTicks: number;
  /** At which the order is reckoned; zero while it is not known. */
  readonly priceTicks: number;
  /** The worst price of a market order whose slippage is limited; zero for any other. */
  readonly boundTicks: number;
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
  readonly now?: PricesNow;
}

/** A clicked price is the limit; a market order becomes a limit order, a plan gets its trigger. */
export function pricedBy({ type }: ContractDraft, price: string): Partial<ContractDraft> {
  if (type === 'plan') return { trigger: price };
  // A market order is over at once; a limit order at a price of the book is meant to wait there.
  return type === 'market' ? { type: 'limit', force: 'gtc', price } : { price };
}

export function readContractDraft(draft: ContractDraft, means: ContractMeans): ReadContractDraft {
  const { contract, state } = means;
  const prices = readPrices(draft, contract);
  const priced = wishOf(draft, prices, means);
  const opposite = draft.type === 'plan' ? bookAtTrigger(prices) : means.opposite;
  const most = state === undefined ? undefined : mostLots(draft, contract, state, priced, opposite);
  const priceTicks = reckonedTicks(draft, priced, opposite);
  const size = readSize(draft, contract, most ?? 0, priceTicks);
  const wish = { ...priced, sizeLots: size.lots };
  const sizeFault = size.fault ?? boundsFault(draft, means, size, priceTicks);
  const isReckoned = wish.sizeLots > 0 && (wish.type === 'market' || wish.priceTicks > 0);
  const estimates = isReckoned && state !== undefined ? estimate(draft, means, wish, opposite) : {};
  const { opening, closing } = estimates;
  const presets = presetFaults(draft, prices, wish.priceTicks);
  const faults = [prices.price.fault, prices.trigger.fault, sizeFault];
  const isWrong = [...faults, presets.takeProfit, presets.stopLoss].some((fault) => fault);
  const isMissing = wish.sizeLots === 0 || isPriceMissing(draft, prices);
  const isUnbounded = draft.type === 'market' && draft.slippagePpm > 0 && wish.type === 'market';
  return {
    action: actionOf(draft),
    sizeText: size.text,
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
    liquidationTicks: state === undefined ? 0 : liquidationOf(contract, state, draft.side),
    priceTicks,
    boundTicks: draft.type === 'market' ? wish.priceTicks : 0,
    sizeLots: wish.sizeLots,
    takeProfitTicks: safeNumber(prices.takeProfit.value),
    stopLossTicks: safeNumber(prices.stopLoss.value),
    request:
      isWrong || isMissing || isUnbounded
        ? undefined
        : contractRequest({ draft, contract, prices, wish, now: means.now ?? {} }),
  };
}

/** The price at which the size is worth something; zero while it is not known. */
function reckonedTicks(
  { type }: ContractDraft,
  { priceTicks }: OrderWish,
  opposite: Opposite,
): number {
  return type === 'market' || priceTicks === 0 ? bestOf(opposite) : priceTicks;
}

function readPrices(draft: ContractDraft, contract: TradedContract): Prices {
  const { priceScale, priceStepTicks } = contract;
  const isPlan = draft.type === 'plan';
  const isPriced = draft.type === 'limit' || (isPlan && draft.executes === 'limit');
  const hasPresets = draft.does === 'open';
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
function wishOf(draft: ContractDraft, { price, trigger }: Prices, means: ContractMeans): OrderWish {
  const { type, force } = draft;
  if (type === 'market') return marketWish(draft, means);
  const isAtTrigger = type === 'plan' && draft.executes === 'market';
  const priceTicks = safeNumber(isAtTrigger ? trigger.value : price.value);
  return { type: 'limit', force: type === 'plan' ? 'gtc' : force, priceTicks, sizeLots: 0 };
}

/** With a limit to its slippage it is a limit order that takes at once what it can. */
function marketWish(draft: ContractDraft, { contract, opposite, now }: ContractMeans): OrderWish {
  const { slippagePpm } = draft;
  const { priceBandPpm, priceStepTicks } = contract;
  const force = draft.force === 'fok' ? 'fok' : 'ioc';
  const side = takingSide(draft);
  const best = bestOf(opposite);
  if (slippagePpm > 0 && best > 0) {
    const priceTicks = boundTicks(side, best, slippagePpm, priceStepTicks);
    return { type: 'limit', force, priceTicks, sizeLots: 0 };
  }
  const market = { type: 'market', force, priceTicks: 0, sizeLots: 0 } as const;
  if (now?.mark === undefined) return market;
  const { highestTicks, lowestTicks } = priceBand(now.mark, priceBandPpm, priceStepTicks);
  return { ...market, worstTicks: side === 'buy' ? highestTicks : lowestTicks };
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

/** A size as the field shows it, and in lots. */
interface ReadSize {
  readonly text: string;
  readonly lots: number;
  readonly fault: Fault | undefined;
  readonly isEmpty: boolean;
  /** Less than a lot. */
  readonly isTooSmall: boolean;
}

function readSize(
  { size, unit }: ContractDraft,
  contract: TradedContract,
  most: number,
  priceTicks: number,
): ReadSize {
  if (size.kind === 'part') {
    const lots = lotsAtPercent(most, size.percent);
    const text = lots === 0 ? '' : sizeIn(contract, unit, lots, priceTicks);
    return { text, lots, fault: undefined, isEmpty: lots === 0, isTooSmall: false };
  }
  const { text } = size;
  const scale = unitScale(contract, unit);
  const isCounted = unit === 'contracts';
  const { value, fault, isEmpty } = isCounted
    ? readContracts(text, scale)
    : readField(text, scale, 'quantity_invalid');
  const lots = safeNumber(lotsIn(contract, unit, value, priceTicks));
  const isTooSmall = value > 0n && lots === 0 && priceTicks > 0;
  return { text, lots, fault, isEmpty, isTooSmall };
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
  { does, side, unit }: ContractDraft,
  { contract, state }: ContractMeans,
  { lots: sizeLots, isTooSmall }: ReadSize,
  priceTicks: number,
): Fault | undefined {
  if (sizeLots === 0 && !isTooSmall) return undefined;
  const { minLots, maxLots } = contract;
  const text = (lots: number) => boundText(contract, unit, lots, priceTicks);
  const held = state === undefined ? 0 : sideOf(state, side).availableLots;
  const isRest = does === 'close' && sizeLots === held;
  if (sizeLots < minLots && !isRest) {
    return { reject: 'quantity_below_minimum', detail: { kind: 'least', text: text(minLots) } };
  }
  if (sizeLots <= maxLots) return undefined;
  return { reject: 'quantity_above_maximum', detail: { kind: 'most', text: text(maxLots) } };
}

/** A bound in the unit that the size is typed in; contracts, which need no price, have no word. */
function boundText(
  contract: TradedContract,
  unit: SizeUnit,
  lots: number,
  priceTicks: number,
): string {
  const inUnit = sizeIn(contract, unit, lots, priceTicks);
  if (unit === 'contracts' || inUnit === '') return formatTrimmed(lots, contract.quantityScale);
  return `${inUnit} ${unit === 'base' ? contract.baseCode : contract.quoteCode}`;
}

/** The trigger of a preset against the order's price; the venue also holds it against the last. */
function presetFaults(
  { type, side }: ContractDraft,
  { takeProfit, stopLoss }: Prices,
  orderTicks: number,
): { readonly takeProfit: Fault | undefined; readonly stopLoss: Fault | undefined } {
  const order = BigInt(orderTicks);
  const isHeld = type !== 'market' && order > 0n;
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
  { sizeLots, priceTicks }: OrderWish,
  cost: bigint | undefined,
  most: number,
): Fault | undefined {
  if (state === undefined || sizeLots === 0) return undefined;
  if (draft.type === 'market' && opposite.length === 0) return { reject: 'no_opposite_depth' };
  if (draft.does === 'close') {
    return closingFault(draft, contract, state, { sizeLots, priceTicks });
  }
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
  { side, type, unit }: ContractDraft,
  contract: TradedContract,
  state: MarginState,
  { sizeLots, priceTicks }: Pick<OrderWish, 'sizeLots' | 'priceTicks'>,
): Fault | undefined {
  const { lots, availableLots } = sideOf(state, side);
  const closable = type === 'plan' ? lots : availableLots;
  if (sizeLots <= closable) return undefined;
  const text = boundText(contract, unit, closable, priceTicks);
  return { reject: 'close_exceeds_position', detail: { kind: 'closable', text } };
}
