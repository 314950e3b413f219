/** The tables of endpoints: what is documented, and what older clients call under other names. */
import { EQUITY_ENDPOINTS } from './equity.ts';
import { SPOT_MOVES, SWAP_MOVES } from './moves.ts';
import { OLDER_SPOT_ACCOUNT, SPOT_ACCOUNT } from './spot-account.ts';
import { SPOT_LISTINGS } from './spot-listings.ts';
import { OLDER_SPOT_MARKET, SPOT_MARKET } from './spot-market.ts';
import { SPOT_ORDERS } from './spot-orders.ts';
import { OLDER_SPOT_TRADE, SPOT_TRADE } from './spot-trade.ts';
import { SWAP_ACCOUNT } from './swap-account.ts';
import { SWAP_LEDGER } from './swap-ledger.ts';
import { SWAP_MARKET } from './swap-market.ts';
import { OLDER_SWAP_ORDERS, SWAP_ORDERS } from './swap-orders.ts';
import { SWAP_PRICES } from './swap-prices.ts';
import { SWAP_RISK } from './swap-risk.ts';
import { SWAP_TRADE } from './swap-trade.ts';
import { SWAP_TRIGGER_MOVES } from './swap-trigger-moves.ts';
import { SWAP_TRIGGERS } from './swap-triggers.ts';
import { SWAP_WALLETS } from './swap-wallets.ts';

export const SPOT_ENDPOINTS = {
  ...SPOT_LISTINGS,
  ...SPOT_MARKET,
  ...SPOT_TRADE,
  ...SPOT_MOVES,
  ...SPOT_ORDERS,
  ...SPOT_ACCOUNT,
  ...EQUITY_ENDPOINTS,
} as const;

export type SpotEndpointName = keyof typeof SPOT_ENDPOINTS;

export const OLDER_SPOT_ENDPOINTS = {
  ...OLDER_SPOT_ACCOUNT,
  ...OLDER_SPOT_MARKET,
  ...OLDER_SPOT_TRADE,
} as const;

const SIGNED_SWAP = {
  ...SWAP_TRADE,
  ...SWAP_MOVES,
  ...SWAP_ORDERS,
  ...SWAP_TRIGGERS,
  ...SWAP_TRIGGER_MOVES,
  ...SWAP_ACCOUNT,
  ...SWAP_LEDGER,
  ...SWAP_WALLETS,
} as const;

export const SWAP_ENDPOINTS = {
  ...SWAP_MARKET,
  ...SWAP_PRICES,
  ...SWAP_RISK,
  ...SIGNED_SWAP,
} as const;

export type SwapEndpointName = keyof typeof SWAP_ENDPOINTS;
export type SignedSwapName = keyof typeof SIGNED_SWAP;

export const LEGACY_ENDPOINTS = { ...OLDER_SPOT_ENDPOINTS, ...OLDER_SWAP_ORDERS } as const;
