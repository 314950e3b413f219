/** A spot order before it is sent: what its fields mean, what it would cost, what is wrong. */
import type { Force, OrderType, Side } from '#domain';
import { formatTrimmed } from '#kernel';
import { lotsAtPercent } from '../../model/contract-estimate.ts';
import type { Opposite } from '../../model/expected.ts';
import { scaled } from '../../model/numbers.ts';
import type { TradedPair } from '../../model/pair.ts';
import type { BalanceRow } from '../../model/positions.ts';
import {
  marketBuyEstimate,
  type SpotEstimate,
  spotEstimate,
  spotLotsMax,
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
  /** In base coin; in quote coin for a market buy. */
  readonly size: Size;
}

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
export function pricedBy({ side, type }: SpotDraft, price: string): Partial<SpotDraft> {
  const isSpending = type === 'market' && side === 'buy';
  return { type: 'limit', price, ...(isSpending ? { size: NO_SIZE } : {}) };
}

/** The coin that an order spends, and its decimals in the ledger. */
export function spentCoin(pair: TradedPair, side: Side): { code: string; scale: number } {
  if (side === 'buy') return { code: pair.quoteCode, scale: pair.quoteScale };
  return { code: pair.baseCode, scale: pair.baseScale };
}

export function availableOf(
  balances: readonly BalanceRow[] | undefined,
  { code, scale }: { readonly code: string; readonly scale: number },
): bigint | undefined {
  const row = balances?.find(({ coinName }) => coinName === code);
  return row === undefined ? undefined : scaled(row.available, scale);
}

export function readSpotDraft(draft: SpotDraft, means: SpotMeans): ReadSpotDraft {
  const { side, type } = draft;
  return side === 'buy' && type === 'market'
    ? readMarketBuy(draft, means)
    : readSized(draft, means);
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
    request:
      isWhole && sizeFault === undefined
        ? request(pair, {
            side: 'buy',
            orderType: 'market',
            quantity: formatTrimmed(read.value, scale),
          })
        : undefined,
  };
}

function readSized(draft: SpotDraft, means: SpotMeans): ReadSpotDraft {
  const { side, type, force, size } = draft;
  const { pair, opposite, available = 0n } = means;
  const isLimit = type === 'limit';
  const price = readPrice(isLimit ? draft.price : '', pair.priceScale, 1);
  const priceTicks = safeNumber(price.value);
  const most = spotLotsMax(pair, side, available, priceTicks);
  const sizeText = size.kind === 'typed' ? size.text : partText(pair, most, size.percent);
  const read = readField(sizeText, pair.quantityScale, 'quantity_invalid');
  const sizeLots = safeNumber(read.value);
  const isPriced = !isLimit || priceTicks > 0;
  const isSized = sizeLots > 0;
  const wish = { type, force: isLimit ? force : 'ioc', priceTicks, sizeLots } as const;
  const estimate = isPriced && isSized ? spotEstimate(pair, side, wish, opposite) : undefined;
  const sizeFault = read.fault ?? (isSized ? boundsFault(pair, sizeLots) : undefined);
  const valueFault =
    isLimit && estimate !== undefined && sizeFault === undefined
      ? notionalFault(pair, side === 'buy' ? estimate.needed : quoteValue(pair, wish))
      : undefined;
  const isReady = estimate !== undefined && sizeFault === undefined && valueFault === undefined;
  return {
    sizeText,
    percent: size.kind === 'part' ? size.percent : shareOf(sizeLots, most),
    priceFault: price.fault,
    sizeFault: sizeFault ?? valueFault,
    moneyFault: estimate === undefined ? undefined : shortOf(means, side, estimate.needed),
    estimate,
    request: isReady
      ? request(pair, {
          side,
          orderType: type,
          ...(isLimit
            ? { force: SPOT_FORCES[force], price: formatTrimmed(priceTicks, pair.priceScale) }
            : {}),
          quantity: formatTrimmed(sizeLots, pair.quantityScale),
        })
      : undefined,
  };
}

const SPOT_FORCES: Readonly<Record<Force, string>> = {
  gtc: 'normal',
  post_only: 'post_only',
  fok: 'fok',
  ioc: 'ioc',
};

function request({ symbol }: TradedPair, body: object): OrderRequest {
  return { path: '/api/spot/v1/trade/orders', body: { symbol, ...body } };
}

function partText({ quantityScale }: TradedPair, most: number, percent: number): string {
  const part = lotsAtPercent(most, percent);
  return part === 0 ? '' : formatTrimmed(part, quantityScale);
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
