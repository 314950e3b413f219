/**
 * What a market is called where the pages trade: the terminal still speaks two interfaces that have
 * names of their own, while the rest of the venue knows markets by their symbols.
 */
import { compactSymbol, isOfContract } from '#domain';

const PAIR_END = '_SPBL';
const CONTRACT_START = 'cmt_';

/** BTCUSDT_SPBL of BTC-USDT, cmt_btcusdt of BTC-USDT-PERP. */
export function tradedName(symbol: string): string {
  const compact = compactSymbol(symbol);
  return isOfContract(symbol) ? CONTRACT_START + compact.toLowerCase() : compact + PAIR_END;
}

/** The name of a wallet that is a contract's own. */
export function shownWallet(wallet: string): string {
  return isOfContract(wallet) ? tradedName(wallet) : wallet;
}

/** BTCUSDT of either traded name, as pairs and contracts are called by the other interface. */
export function bareName(name: string): string {
  if (name.startsWith(CONTRACT_START)) return name.slice(CONTRACT_START.length).toUpperCase();
  return name.endsWith(PAIR_END) ? name.slice(0, -PAIR_END.length) : name;
}
