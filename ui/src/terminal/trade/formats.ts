/** Numbers and names as the trader's parts show them, by the terms of the market they are of. */
import { isReject, REJECTS } from '#domain';
import { formatTrimmed } from '#kernel';
import { compare, cut, fixed, grouped, percentText } from '../../model/numbers.ts';
import type { OrderLine } from '../../model/orders.ts';
import type { PlanLine } from '../../model/plans.ts';
import { SHARED } from '../../model/positions.ts';
import type { Texts } from '../../texts/en.ts';
import { textsNow } from '../../texts/texts.ts';
import { type Instrument, instruments } from '../context.ts';

type Words = Texts['trade'];

export function instrumentOf(symbol: string): Instrument | undefined {
  return instruments.get().find((instrument) => instrument.symbol === symbol);
}

/** The coin of margin, fees and profit; empty of a pair. */
export function marginCoinOf(symbol: string): string {
  const found = instrumentOf(symbol);
  return found?.kind === 'contract' ? found.marginCoin : '';
}

/** The name of a wallet: spot, that of all contracts of a coin, or that of one contract. */
export function walletName(wallet: string, coin: string, trade: Words): string {
  if (wallet === SHARED) return trade.coinWallet(coin);
  return wallet === 'spot' ? trade.spot : marketName(wallet, trade);
}

/** BTC/USDT, with a mark for a contract, which may share its name with a pair. */
export function marketName(symbol: string, trade: Words): string {
  const found = instrumentOf(symbol);
  if (found === undefined) return symbol;
  return found.kind === 'spot' ? found.title : `${found.title} ${trade.perpetual}`;
}

/** With all decimals of the market; undefined for zero, which means there is none. */
export function priceOf(price: string | undefined, symbol: string): string | undefined {
  if (price === undefined || compare(price, '0') <= 0) return undefined;
  const found = instrumentOf(symbol);
  return grouped(found === undefined ? price : fixed(price, found.priceScale));
}

/** A size with all decimals of the market, without its unit. */
export function sizeOf(size: string, symbol: string): string {
  const found = instrumentOf(symbol);
  return grouped(found === undefined ? size : fixed(size, found.quantityScale));
}

/** The unit of a size: a coin, or contracts. */
export function sizeUnit(symbol: string, trade: Words): string {
  const found = instrumentOf(symbol);
  return found?.kind === 'spot' ? found.quantityUnit : trade.contractsUnit;
}

/** The size of an order with its unit: a market buy of a pair names what it may spend. */
export function orderSize({ symbol, size, spends }: OrderLine, trade: Words): string {
  const found = instrumentOf(symbol);
  if (found !== undefined && spends) return `${moneyOf(size, found.quote)} ${found.quote}`;
  return `${sizeOf(size, symbol)} ${sizeUnit(symbol, trade)}`;
}

/** Why it failed or was cancelled, in English; empty where the status says it all. */
export function planReason({ reason }: PlanLine): string {
  if (reason === '' || reason === 'cancelled_by_owner') return '';
  if (reason === 'other_tp_sl_fired') return 'other preset fired';
  return isReject(reason) ? REJECTS[reason].meaning : reason.replaceAll('_', ' ');
}

/** The size of a trigger with its unit, or that it is all that is held then. */
export function planSize({ symbol, size }: PlanLine, trade: Words): string {
  if (size === undefined) return trade.wholePosition;
  return `${sizeOf(size, symbol)} ${sizeUnit(symbol, trade)}`;
}

const COIN_DECIMALS = 8;
const CURRENCY_DECIMALS = 4;

/** Decimals of a coin on the screen: few for what prices are counted in, all for the others. */
function decimalsOf(coin: string): number {
  const isBase = instruments.get().some(({ base }) => base === coin);
  return isBase ? COIN_DECIMALS : CURRENCY_DECIMALS;
}

/** An amount of a coin, rounded for the screen. */
export function moneyOf(amount: string, coin: string): string {
  return grouped(fixed(amount, decimalsOf(coin)));
}

/** What an order does, with its market: "Buy 0.5 BTC, BTC/USDT". */
export function orderName(order: OrderLine): string {
  const { trade } = textsNow();
  const { action, symbol } = order;
  return `${trade.actions[action]} ${orderSize(order, trade)}, ${marketName(symbol, trade)}`;
}

const PERCENT_PPM_SCALE = 4;

/** A rate in parts per million as per cent, with no more digits than it has: 0.06%. */
export function ratePercent(ppm: number): string {
  return `${formatTrimmed(ppm, PERCENT_PPM_SCALE)}%`;
}

export function ratioText(ratio: string): string {
  return percentText(ratio, 2);
}

/** Not more digits than a reader takes in; the export has all of them. */
export function shortNumber(text: string): string {
  return grouped(cut(text, COIN_DECIMALS));
}

/** Whether an action buys: the colour of its words. */
export function toneOf(action: OrderLine['action']): 'up' | 'down' {
  return action === 'buy' || action === 'open_long' || action === 'close_short' ? 'up' : 'down';
}
