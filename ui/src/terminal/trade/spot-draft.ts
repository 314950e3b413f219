/** A spot order before it is sent: what its fields mean, what it would cost, what is wrong. */
import type { native } from '#client';
import type { Force, OrderType, Side } from '#domain';
import { formatTrimmed } from '#kernel';
import { lotsAtPercent } from '../../model/contract-estimate.ts';
import type { Opposite, OrderWish } from '../../model/expected.ts';
import { scaled } from '../../model/numbers.ts';
import type { TradedPair } from '../../model/pair.ts';
import type { Balance } from '../../model/positions.ts';
import { boundTicks } from '../../model/slippage.ts';
import {
  marketBuyEstimate,
  type SpotEstimate,
  spotEstimate,
  spotLotsMax,
  spotLotsOf,
} from '../../model/spot-estimate.ts';
import {
  exactMoney,
  type Fault,
  NO_SIZE,
  type OrderRequest,
  readField,
  readPrice,
  type Size,
  safeNumber,
} from './draft.ts';

export interface SpotDraft {
  readonly side: Side;
  readonly type: OrderType;
  /** Of a limit order; a market order takes what is there at once. */
  readonly force: Force;
  readonly price: string;
  readonly size: Size;
  /** What a typed size counts; a market buy without a slippage limit always names quote coin. */
  readonly unit: 'base' | 'quote';
  /** How far beyond the best price a market order may go; zero for as far as the venue lets it. */
  readonly slippagePpm: number;
}

/** A form in which nothing was typed. */
export const EMPTY_SPOT_DRAFT: SpotDraft = {
  ...{ side: 'buy', type: 'limit', force: 'gtc', price: '' },
  ...{ size: NO_SIZE, unit: 'base', slippagePpm: 0 },
};

export interface ReadSpotDraft {
  /** What the field of the size shows. */
  readonly sizeText: string;
  /** Of the most that is available, 0 to 100. */
  readonly percent: number;
  readonly priceFault: Fault | undefined;
  readonly sizeFault: Fault | undefined;
  /** What the account is short of, as far as this page knows: the venue has the last word. */
  readonly moneyFault: Fault | undefined;
  readonly estimate: SpotEstimate | undefined;
  /** Zero while it is not known, and for a market buy, which names what it spends. */
  readonly sizeLots: number;
  /** The worst price of a market order whose slippage is limited; zero for any other. */
  readonly boundTicks: number;
  /** Undefined while something is missing or wrong. */
  readonly request: OrderRequest | undefined;
}

/** What the draft may draw on: amounts are zero for who has not signed in. */
export interface SpotMeans {
  readonly pair: TradedPair;
  readonly opposite: Opposite;
  /** Of the coin that the order spends. */
  readonly available: bigint | undefined;
}

/** A clicked price is the limit. What a market buy would spend in quote coin is no size of one. */
export function pricedBy(draft: SpotDraft, price: string): Partial<SpotDraft> {
  return { type: 'limit', price, ...(namesSpending(draft) ? { size: NO_SIZE } : {}) };
}

/** Whether the order names what it spends and not what it buys: a market buy without a bound. */
export function namesSpending({
  side,
  type,
  slippagePpm,
}: Pick<SpotDraft, 'side' | 'type' | 'slippagePpm'>): boolean {
  return side === 'buy' && type === 'market' && slippagePpm === 0;
}

/** What the field of the size counts. */
export function unitOf(draft: SpotDraft): SpotDraft['unit'] {
  return namesSpending(draft) ? 'quote' : draft.unit;
}

/** The coin that an order spends, and its decimals in the ledger. */
export function spentCoin(pair: TradedPair, side: Side): { code: string; scale: number } {
  if (side === 'buy') return { code: pair.quoteCode, scale: pair.quoteScale };
  return { code: pair.baseCode, scale: pair.baseScale };
}

export function availableOf(
  balances: readonly Balance[] | undefined,
  { code, scale }: { readonly code: string; readonly scale: number },
): bigint | undefined {
  const row = balances?.find((each) => each.wallet === 'spot' && each.coin === code);
  return row === undefined ? undefined : scaled(row.available, scale);
}

export function readSpotDraft(draft: SpotDraft, means: SpotMeans): ReadSpotDraft {
  return namesSpending(draft) ? readMarketBuy(draft, means) : readSized(draft, means);
}

const HUNDRED = 100n;

function readMarketBuy({ size }: SpotDraft, means: SpotMeans): ReadSpotDraft {
  const { pair, opposite, available = 0n } = means;
  const { quoteScale: scale } = pair;
  const part = size.kind === 'part' ? (available * BigInt(size.percent)) / HUNDRED : 0n;
  const sizeText = size.kind === 'typed' ? size.text : formatTrimmed(part, scale);
  const read = readField(sizeText, scale, 'quantity_invalid');
  const sizeFault = read.fault ?? notionalFault(pair, read.value);
  const isWhole = !read.isEmpty && read.fault === undefined;
  const share = available > 0n ? Number((read.value * HUNDRED) / available) : 0;
  return {
    sizeText,
    percent: size.kind === 'part' ? size.percent : Math.min(100, share),
    priceFault: undefined,
    sizeFault: read.isEmpty ? undefined : sizeFault,
    moneyFault: isWhole ? shortOf(means, 'buy', read.value) : undefined,
    estimate: isWhole ? marketBuyEstimate(pair, read.value, opposite) : undefined,
    sizeLots: 0,
    boundTicks: 0,
    request:
      isWhole && sizeFault === undefined
        ? request(pair, {
            side: 'buy',
            type: 'market',
            spend: formatTrimmed(read.value, scale),
          })
        : undefined,
  };
}

function readSized(draft: SpotDraft, means: SpotMeans): ReadSpotDraft {
  const { side, type, force, size } = draft;
  const { pair, opposite, available = 0n } = means;
  const isLimit = type === 'limit';
  const price = readPrice(isLimit ? draft.price : '', pair.priceScale, 1);
  const bound = isLimit ? 0 : boundOf(draft, means);
  const priceTicks = isLimit ? safeNumber(price.value) : bound;
  const isSent = isLimit || bound > 0;
  const most = spotLotsMax(pair, side, available, priceTicks);
  const read = readSize(draft, means, { most, priceTicks });
  const sizeLots = read.lots;
  const isPriced = !isLimit || priceTicks > 0;
  const isSized = sizeLots > 0;
  const wish: OrderWish = {
    type: isSent ? 'limit' : 'market',
    force: isLimit ? force : 'ioc',
    priceTicks,
    sizeLots,
  };
  const estimate = isPriced && isSized ? spotEstimate(pair, side, wish, opposite) : undefined;
  const isValued = isPriced && !read.isEmpty && (isSent || opposite.length > 0);
  const sizeFault = read.fault ?? (isValued ? boundsFault(pair, sizeLots) : undefined);
  const valueFault =
    isSent && estimate !== undefined && sizeFault === undefined
      ? notionalFault(pair, side === 'buy' ? estimate.needed : quoteValue(pair, wish))
      : undefined;
  const isReady = estimate !== undefined && sizeFault === undefined && valueFault === undefined;
  const isUnbounded = !isLimit && draft.slippagePpm > 0 && bound === 0;
  return {
    sizeText: read.text,
    percent: size.kind === 'part' ? size.percent : shareOf(sizeLots, most),
    priceFault: price.fault,
    sizeFault: sizeFault ?? valueFault,
    moneyFault: estimate === undefined ? undefined : shortOf(means, side, estimate.needed),
    estimate,
    sizeLots,
    boundTicks: bound,
    request:
      isReady && !isUnbounded
        ? request(pair, {
            side,
            type: wish.type,
            ...(isSent
              ? {
                  timeInForce: wish.force,
                  price: formatTrimmed(priceTicks, pair.priceScale),
                }
              : {}),
            size: formatTrimmed(sizeLots, pair.quantityScale),
          })
        : undefined,
  };
}

/** The worst price of a market order whose slippage is limited; zero for any other. */
function boundOf({ side, slippagePpm }: SpotDraft, { opposite }: SpotMeans): number {
  const best = opposite[0]?.priceTicks ?? 0;
  return slippagePpm === 0 || best === 0 ? 0 : boundTicks(side, best, slippagePpm, 1);
}

/** A size as the field shows it, and in lots. */
interface ReadSize {
  readonly text: string;
  readonly lots: number;
  readonly fault: Fault | undefined;
  readonly isEmpty: boolean;
}

interface Priced {
  readonly most: number;
  /** The limit; zero for a market order. */
  readonly priceTicks: number;
}

function readSize(draft: SpotDraft, means: SpotMeans, priced: Priced): ReadSize {
  const { size, unit } = draft;
  const { pair, opposite } = means;
  const valueTicks = draft.type === 'limit' ? priced.priceTicks : (opposite[0]?.priceTicks ?? 0);
  if (size.kind === 'part') {
    const lots = lotsAtPercent(priced.most, size.percent);
    const text = lots === 0 ? '' : spotSizeIn(pair, unit, lots, valueTicks);
    return { text, lots, fault: undefined, isEmpty: lots === 0 };
  }
  const { text } = size;
  const scale = unit === 'base' ? pair.quantityScale : pair.quoteScale;
  const { value, fault, isEmpty } = readField(text, scale, 'quantity_invalid');
  const lots = unit === 'base' ? safeNumber(value) : lotsFor(draft, means, priced, value);
  return { text, lots, fault, isEmpty };
}

/** The whole lots of an amount of quote coin; a bounded buy goes through the book by level. */
function lotsFor(
  { side, type }: SpotDraft,
  { pair, opposite, available = 0n }: SpotMeans,
  { priceTicks, most }: Priced,
  amount: bigint,
): number {
  const best = opposite[0]?.priceTicks ?? 0;
  if (side === 'buy' && type === 'market') {
    const reached = opposite.filter((level) => level.priceTicks <= priceTicks);
    const { filledLots } = marketBuyEstimate(pair, amount, reached);
    // The venue sets aside the bound price of all of it.
    return amount <= available ? Math.min(filledLots, most) : filledLots;
  }
  return spotLotsOf(pair, amount, type === 'limit' ? priceTicks : best);
}

/** A size in its unit; a value at a price is rounded down. */
function spotSizeIn(
  pair: TradedPair,
  unit: SpotDraft['unit'],
  lots: number,
  ticks: number,
): string {
  if (unit === 'base') return formatTrimmed(lots, pair.quantityScale);
  if (ticks === 0) return '';
  return formatTrimmed(quoteValue(pair, { priceTicks: ticks, sizeLots: lots }), pair.quoteScale);
}

function request(
  { symbol }: TradedPair,
  order: Omit<native.PlaceOrderInput, 'symbol'>,
): OrderRequest {
  return { kind: 'order', order: { symbol, ...order } };
}

/** Of the most there is, in whole per cent, at most all of it. */
export function shareOf(lots: number, most: number): number {
  return most === 0 ? 0 : Math.min(100, Math.floor((lots / most) * 100));
}

function quoteValue(pair: TradedPair, wish: { priceTicks: number; sizeLots: number }): bigint {
  return BigInt(wish.priceTicks) * BigInt(wish.sizeLots) * pair.quoteUnitsPerTickLot;
}

function boundsFault(pair: TradedPair, sizeLots: number): Fault | undefined {
  const { minLots, maxLots, quantityScale, baseCode } = pair;
  const text = (value: number) => `${formatTrimmed(value, quantityScale)} ${baseCode}`;
  if (sizeLots < minLots) {
    return { reject: 'quantity_below_minimum', detail: { kind: 'least', text: text(minLots) } };
  }
  if (sizeLots <= maxLots) return undefined;
  return { reject: 'quantity_above_maximum', detail: { kind: 'most', text: text(maxLots) } };
}

function notionalFault(pair: TradedPair, value: bigint): Fault | undefined {
  const { minNotional, quoteScale, quoteCode } = pair;
  if (value === 0n || value >= minNotional) return undefined;
  const text = exactMoney(minNotional, quoteScale, quoteCode);
  return { reject: 'notional_below_minimum', detail: { kind: 'least', text } };
}

function shortOf({ pair, available }: SpotMeans, side: Side, needed: bigint): Fault | undefined {
  if (available === undefined || needed <= available) return undefined;
  const { code, scale } = spentCoin(pair, side);
  const needs = exactMoney(needed, scale, code);
  const has = exactMoney(available, scale, code);
  return { reject: 'balance_insufficient', detail: { kind: 'needs', needs, has } };
}
