/** Every contract endpoint: public market data, orders, and the account with its positions. */
import type { Endpoint } from '#api';
import { SWAP_ACCOUNT_ENDPOINTS } from './swap-account-endpoints.ts';
import { SWAP_MARKET_ENDPOINTS } from './swap-market-endpoints.ts';
import { SWAP_TRADE_ENDPOINTS } from './swap-trade-endpoints.ts';

const SIGNED_ENDPOINTS = { ...SWAP_TRADE_ENDPOINTS, ...SWAP_ACCOUNT_ENDPOINTS };

export const SWAP_ENDPOINTS = {
  ...SWAP_MARKET_ENDPOINTS,
  ...SIGNED_ENDPOINTS,
} as const satisfies Record<string, Endpoint>;

export type SwapEndpointName = keyof typeof SWAP_ENDPOINTS;

/** Endpoints without authentication. */
export type OpenSwapName = keyof typeof SWAP_MARKET_ENDPOINTS;
export const OPEN_SWAP_NAMES = Object.keys(SWAP_MARKET_ENDPOINTS) as OpenSwapName[];

/** Endpoints that take a signed call. */
export type SignedSwapName = keyof typeof SIGNED_ENDPOINTS;
export const SIGNED_SWAP_NAMES = Object.keys(SIGNED_ENDPOINTS) as SignedSwapName[];
