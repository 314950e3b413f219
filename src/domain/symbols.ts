/**
 * What markets are called: BTC-USDT is a pair, BTC-USDT-PERP a perpetual contract. An API that
 * spells them otherwise maps them. In the compact form, without separators, every pair and every
 * contract still has a name of its own, so that no spelling without separators is ambiguous.
 */

const PERPETUAL = '-PERP';

export type ContractSymbol = `${string}-PERP`;

/**
 * The spot wallet, the margin wallet of a contract, which has its symbol, or the one margin wallet
 * that an account may have for all linear contracts of a coin (see walletMeant).
 */
export type Wallet = 'spot' | 'margin' | ContractSymbol;

const CONTRACT_SYMBOL = /^[A-Z0-9]+(-[A-Z0-9]+)*-PERP$/;
const COMPACT_LENGTH_MIN = 2;
const COMPACT_LENGTH_MAX = 32;

export function spotSymbol(baseCode: string, quoteCode: string): string {
  return `${baseCode}-${quoteCode}`;
}

/** BTC-USDT-PERP of the coins, or one with any other beginning. */
export function contractSymbol(...parts: readonly string[]): ContractSymbol {
  return `${parts.join('-')}${PERPETUAL}`;
}

export function isContractSymbol(symbol: string): symbol is ContractSymbol {
  const { length } = compactSymbol(symbol);
  const isOfLength = length >= COMPACT_LENGTH_MIN && length <= COMPACT_LENGTH_MAX;
  return isOfLength && CONTRACT_SYMBOL.test(symbol);
}

/**
 * The symbol that the name of a new contract means: that of its coins if it is the same without
 * the dashes. Undefined when it is none.
 */
export function contractSymbolMeant(
  name: string,
  baseCode: string,
  quoteCode: string,
): ContractSymbol | undefined {
  if (!isContractSymbol(name)) return undefined;
  const isOfCoins = compactSymbol(name) === baseCode + quoteCode;
  return isOfCoins ? contractSymbol(baseCode, quoteCode) : name;
}

/** Whether a symbol, in compact form or not, is that of a contract. */
export function isOfContract(symbol: string): symbol is ContractSymbol {
  return symbol.endsWith(PERPETUAL);
}

/** BTCUSDT of BTC-USDT and of BTC-USDT-PERP; what is compact stays as it is. */
export function compactSymbol(symbol: string): string {
  if (!symbol.includes('-')) return symbol;
  const market = symbol.endsWith(PERPETUAL) ? symbol.slice(0, -PERPETUAL.length) : symbol;
  return market.replaceAll('-', '');
}
