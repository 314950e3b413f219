/**
 * What rules 1 and 2 called things. Commands under their tag and rows of their snapshots are given
 * the names of today as they are read; nothing is ever written under these.
 */

import { compactSymbol, contractSymbol, spotSymbol, walletOf } from './symbols.ts';

type Names = Readonly<Record<string, string>>;

const SPOT_SUFFIX = '_SPBL';
const CONTRACT_PREFIX = 'cmt_';

const COMMAND_KINDS: Names = {
  place_plan_order: 'place_trigger_order',
  cancel_plan_order: 'cancel_trigger_order',
};

const MARGIN_MODES: Names = { fixed: 'isolated', crossed: 'cross' };

const CONTRACT_TERMS: Names = { planOrdersMax: 'triggerOrdersMax', presetsMax: 'tpSlMax' };

export type Fields = Readonly<Record<string, unknown>>;

/** A command as the first journals have it, by the names of today. */
export function renamedCommand(command: Fields): Fields {
  const kind = renamed(COMMAND_KINDS, command.kind);
  switch (kind) {
    case 'set_margin_mode':
      return { ...command, mode: renamedMode(command.mode) };
    case 'list_spot':
      return { ...command, spec: renamedPair(Object(command.spec)) };
    case 'list_contract':
      return { ...command, spec: renamedContract(Object(command.spec)) };
    case 'update_contract':
      return { ...command, changes: renamedTerms(command.changes) };
    case 'place_trigger_order': {
      // Zero was the price of an order at the market.
      const { executeTicks, ...market } = command;
      return { ...(executeTicks === 0 ? market : command), kind };
    }
    case 'deposit':
    case 'withdraw':
      return { ...command, wallet: renamedWallet(command.wallet) };
    case 'transfer':
      return { ...command, from: renamedWallet(command.from), to: renamedWallet(command.to) };
    default:
      return { ...command, kind };
  }
}

export function renamedMode(mode: unknown): unknown {
  return renamed(MARGIN_MODES, mode);
}

/** A pair as it was listed; its name without the suffix was a field of its own. */
export function renamedPair({ name: _, ...pair }: Fields): Fields {
  return { ...pair, symbol: spotSymbol(String(pair.baseCode), String(pair.quoteCode)) };
}

/** A contract named after its coins is so again; another one keeps its own name. */
export function renamedContract(contract: Fields): Fields {
  const symbol = String(renamedWallet(contract.symbol));
  const ofCoins = contractSymbol(String(contract.baseCode), String(contract.quoteCode));
  const isOfCoins = compactSymbol(ofCoins) === compactSymbol(symbol);
  return { ...renamedTerms(contract), symbol: isOfCoins ? ofCoins : symbol };
}

/** The terms of a contract, all of them or some, in the order they have. */
export function renamedTerms(terms: unknown): Fields {
  const entries = Object.entries(Object(terms));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      CONTRACT_TERMS[name] ?? name,
      name === 'indexSources' && Array.isArray(value) ? value.map(renamedSource) : value,
    ]),
  );
}

function renamedSource(source: Fields): Fields {
  return source.kind === 'spot' ? { ...source, symbol: renamedMarket(source.symbol) } : source;
}

/** `spot`, or the contract that a wallet was named after. */
export function renamedWallet(wallet: unknown): unknown {
  const name = String(wallet);
  return name.startsWith(CONTRACT_PREFIX) ? walletOf(renamedMarket(name)) : wallet;
}

/** The compact form of the symbol of a pair or contract. */
export function renamedMarket(symbol: unknown): string {
  const name = String(symbol);
  if (name.startsWith(CONTRACT_PREFIX)) return name.slice(CONTRACT_PREFIX.length).toUpperCase();
  return name.endsWith(SPOT_SUFFIX) ? name.slice(0, -SPOT_SUFFIX.length) : name;
}

function renamed(names: Names, name: unknown): unknown {
  return names[String(name)] ?? name;
}
