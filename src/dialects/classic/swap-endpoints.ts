/** Every contract endpoint: public market data, orders, and the account with its positions. */
import type { Endpoint } from '#api';
import { SWAP_ACCOUNT } from './swap-account.ts';
import { SWAP_MARKET } from './swap-market.ts';
import { SWAP_PRICES } from './swap-prices.ts';
import { SWAP_TRADE_ENDPOINTS } from './swap-trade-endpoints.ts';

const SIGNED_ENDPOINTS = { ...SWAP_TRADE_ENDPOINTS, ...SWAP_ACCOUNT };

export const SWAP_ENDPOINTS = {
  ...SWAP_MARKET,
  ...SWAP_PRICES,
  ...SIGNED_ENDPOINTS,
} as const satisfies Record<string, Endpoint>;

export type SwapEndpointName = keyof typeof SWAP_ENDPOINTS;

/** Endpoints that take a signed call. */
export type SignedSwapName = keyof typeof SIGNED_ENDPOINTS;
