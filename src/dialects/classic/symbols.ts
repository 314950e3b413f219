/**
 * How the classic interface spells markets: BTCUSDT_SPBL is BTC-USDT, cmt_btcusdt BTC-USDT-PERP.
 * Its spelling is the compact form of the symbol, so that every market has one and only one.
 */
import {
  type Contract,
  type ContractSymbol,
  compactSymbol,
  contractSymbol,
  isOfContract,
  type Listings,
  type SpotInstrument,
  spotSymbol,
  type Wallet,
} from '#domain';

const SPOT_SUFFIX = '_SPBL';
const CONTRACT_PREFIX = 'cmt_';

/** Names kept; one more and all are spelled anew. Refused transfers may name what is not listed. */
const NAMES_MAX = 4_096;

/** Of symbols that were spelled before. */
const pairNames = new Map<string, string>();
const contractNames = new Map<string, string>();
/** Listed contracts by their names: every order asks for one. Another venue may have others. */
const knownContracts = new Map<string, Pick<Contract, 'instrumentId' | 'symbol'>>();

/** BTCUSDT_SPBL of BTC-USDT. */
export function pairName(symbol: string): string {
  return named(pairNames, symbol, (compact) => compact + SPOT_SUFFIX);
}

/** cmt_btcusdt of BTC-USDT-PERP. */
export function contractName(symbol: string): string {
  return named(contractNames, symbol, (compact) => CONTRACT_PREFIX + compact.toLowerCase());
}

/** `spot`, the contract of a wallet, or `margin` for that of all linear contracts of a coin. */
export function walletName(wallet: Wallet): string {
  return wallet === 'spot' || wallet === 'margin' ? wallet : contractName(wallet);
}

/** Of a pair or a contract by its symbol. */
export function symbolName(symbol: string): string {
  return isOfContract(symbol) ? contractName(symbol) : pairName(symbol);
}

function named(
  names: Map<string, string>,
  symbol: string,
  spell: (compact: string) => string,
): string {
  const known = names.get(symbol);
  if (known !== undefined) return known;
  const name = spell(compactSymbol(symbol));
  if (names.size >= NAMES_MAX) names.clear();
  names.set(symbol, name);
  return name;
}

/** Of a name by which the interface knew a market before markets had symbols of their own. */
const OLD_NAME = /^(?:([A-Z0-9]{2,40})_SPBL|cmt_([A-Z0-9]{2,32}))$/i;

/** Coins that prices are in: where one of them ends a name is where its dash goes. */
const QUOTES = ['USDT', 'USDC', 'USD', 'EUR', 'BTC', 'ETH'];

/**
 * The symbol of the market that an old name means, for files that have it; undefined for what is
 * no old name. Without a dash where none of QUOTES ends it: it means the same market.
 */
export function neutralOf(name: string): string | undefined {
  const [, pair, contract] = OLD_NAME.exec(name) ?? [];
  const compact = (pair ?? contract)?.toUpperCase();
  if (compact === undefined) return undefined;
  const quote = QUOTES.find((coin) => compact.endsWith(coin) && compact !== coin);
  const market = quote === undefined ? compact : spotSymbol(compact.slice(0, -quote.length), quote);
  return pair === undefined ? contractSymbol(market) : market;
}

/** The pair of this name, in any case and with or without its suffix. */
export function pairOfName(listings: Listings, name: string): SpotInstrument | undefined {
  const upper = name.toUpperCase();
  const market = upper.endsWith(SPOT_SUFFIX) ? upper.slice(0, -SPOT_SUFFIX.length) : upper;
  return market.includes('-') ? undefined : listings.spotBySymbol(market);
}

/** The contract of this name, in any case and with or without its prefix. */
export function contractOfName(listings: Listings, name: string): Contract | undefined {
  const lower = name.toLowerCase();
  const full = lower.startsWith(CONTRACT_PREFIX) ? lower : CONTRACT_PREFIX + lower;
  const known = knownContracts.get(full);
  const same = known && listings.contractById(known.instrumentId);
  if (same !== undefined && same.symbol === known?.symbol) return same;
  if (full.includes('-')) return undefined;
  const found = listings.contract(contractMeant(full));
  if (found === undefined || contractName(found.symbol) !== full) return undefined;
  knownContracts.set(full, found);
  return found;
}

/** The wallet of a contract of this name, listed or not; undefined when none can have it. */
export function walletOfName(name: string): Wallet | undefined {
  const full = name.startsWith(CONTRACT_PREFIX) ? name : CONTRACT_PREFIX + name;
  if (!/^cmt_[a-z0-9]+$/.test(full)) return undefined;
  return contractMeant(full);
}

/** BTCUSDT-PERP of any spelling of the contract. */
function contractMeant(name: string): ContractSymbol {
  const isClassic = name.toLowerCase().startsWith(CONTRACT_PREFIX);
  const market = isClassic ? name.slice(CONTRACT_PREFIX.length) : name;
  return contractSymbol(compactSymbol(market.toUpperCase()));
}
