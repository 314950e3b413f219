/**
 * Pairs, contracts and wallets by the names that the house gives them and people write: BTC-USDT,
 * BTC-USDT-PERP, in any case and with or without the dash between the coins.
 */
import { refuseSaying } from '#api';
import {
  type Contract,
  isRefused,
  type Listings,
  type Refused,
  type SpotInstrument,
  type Wallet,
} from '#domain';
import { shown } from './fields.ts';

export const PAIR_SYMBOL = 'BTC-USDT';
export const CONTRACT_SYMBOL = 'BTC-USDT-PERP';

export function pairNamed(listings: Listings, name: string): SpotInstrument | Refused {
  return listings.spotBySymbol(name.toUpperCase()) ?? refuseSaying('symbol_unknown', shown(name));
}

export function contractNamed(listings: Listings, name: string): Contract | Refused {
  return listings.contract(name.toUpperCase()) ?? refuseSaying('contract_unknown', shown(name));
}

export function marketNamed(listings: Listings, name: string): SpotInstrument | Contract | Refused {
  return listings.contract(name.toUpperCase()) ?? pairNamed(listings, name);
}

/** spot, margin, or the contract whose wallet it is. */
export function walletNamed(listings: Listings, name: string): Wallet | Refused {
  const lower = name.toLowerCase();
  if (lower === 'spot' || lower === 'margin') return lower;
  const contract = contractNamed(listings, name);
  return isRefused(contract) ? contract : contract.symbol;
}
