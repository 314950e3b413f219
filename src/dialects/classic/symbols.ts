/**
 * How the classic interface spells markets: BTCUSDT_SPBL is BTC-USDT, cmt_btcusdt BTC-USDT-PERP.
 * Its spelling is the compact form of the symbol, so that every market has one and only one.
 */
import {
  type Contract,
  type ContractSymbol,
  compactSymbol,
  contractSymbol,
  isContractSymbol,
  isOfContract,
  type Listings,
  type SpotInstrument,
  type Wallet,
} from '#domain';

const SPOT_SUFFIX = '_SPBL';
const CONTRACT_PREFIX = 'cmt_';
/** Of a contract's name here: a pattern for whoever takes names of both spellings. */
export const CONTRACT_NAME_PATTERN = `${CONTRACT_PREFIX}[a-z0-9]{2,32}`;
const CONTRACT_NAME = new RegExp(`^${CONTRACT_NAME_PATTERN}$`);

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

/** Of a pair or a contract. */
export function marketName(market: SpotInstrument | Contract): string {
  return 'base' in market ? pairName(market.symbol) : contractName(market.symbol);
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

/** The symbol of a new contract, by either spelling; undefined when it is none. */
export function newContractSymbol(
  name: string,
  baseCode: string,
  quoteCode: string,
): ContractSymbol | undefined {
  if (isContractSymbol(name)) return name;
  if (!CONTRACT_NAME.test(name)) return undefined;
  const compact = name.slice(CONTRACT_PREFIX.length).toUpperCase();
  const isOfCoins = compact === baseCode + quoteCode;
  return isOfCoins ? contractSymbol(baseCode, quoteCode) : contractSymbol(compact);
}

/** What a person who writes a pair by either spelling means, without separators. */
export function pairMeant(name: string): string {
  const upper = name.toUpperCase();
  return compactSymbol(upper.endsWith(SPOT_SUFFIX) ? upper.slice(0, -SPOT_SUFFIX.length) : upper);
}

/** As pairMeant, by one of the two spellings to the letter; undefined for any other. */
export function pairNamed(name: string): string | undefined {
  const symbol = pairMeant(name);
  return name === pairName(symbol) || name.includes('-') ? symbol : undefined;
}

/** As pairMeant, of a contract: BTCUSDT-PERP. */
export function contractMeant(name: string): ContractSymbol {
  const isClassic = name.toLowerCase().startsWith(CONTRACT_PREFIX);
  const market = isClassic ? name.slice(CONTRACT_PREFIX.length) : name;
  return contractSymbol(compactSymbol(market.toUpperCase()));
}

/** As pairMeant, of a contract that says so or of a pair. */
export function marketMeant(name: string): string {
  return /^cmt_|-perp$/i.test(name) ? contractMeant(name) : pairMeant(name);
}
