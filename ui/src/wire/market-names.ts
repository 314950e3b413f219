/**
 * What the calls and streams that the lists still use call a market, while the pages know it by its
 * symbol: names go out and come in here alone.
 */
import { compactSymbol, isOfContract } from '#domain';

/** BTCUSDT_SPBL of BTC-USDT, cmt_btcusdt of BTC-USDT-PERP; what is no symbol as it is. */
export function tradedName(symbol: string): string {
  if (!symbol.includes('-')) return symbol;
  const compact = compactSymbol(symbol);
  return isOfContract(symbol) ? `cmt_${compact.toLowerCase()}` : `${compact}_SPBL`;
}

const symbols = new Map<string, string>();

/** From now on text has these symbols in place of their names. */
export function learnSymbols(listed: readonly string[]): void {
  for (const symbol of listed) symbols.set(tradedName(symbol), symbol);
}

const NAMES = /\b(?:cmt_[a-z0-9]+|[A-Z0-9]+_SPBL)\b/g;

export function withSymbols(text: string): string {
  return text.replace(NAMES, (name) => symbols.get(name) ?? name);
}

/** The input of a call with names in place of symbols. */
export function withNames(input: object): object {
  const { symbol } = Object(input);
  return typeof symbol === 'string' ? { ...input, symbol: tradedName(symbol) } : input;
}
