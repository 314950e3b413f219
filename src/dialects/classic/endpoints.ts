/** The tables of endpoints: what is documented, and what older clients call under other names. */
import { OLDER_SPOT_ACCOUNT, SPOT_ACCOUNT } from './spot-account.ts';
import { SPOT_LISTINGS } from './spot-listings.ts';
import { OLDER_SPOT_MARKET, SPOT_MARKET } from './spot-market.ts';
import { SPOT_ORDERS } from './spot-orders.ts';
import { OLDER_SPOT_TRADE, SPOT_TRADE } from './spot-trade.ts';

export const SPOT_ENDPOINTS = {
  ...SPOT_LISTINGS,
  ...SPOT_MARKET,
  ...SPOT_TRADE,
  ...SPOT_ORDERS,
  ...SPOT_ACCOUNT,
} as const;

export type SpotEndpointName = keyof typeof SPOT_ENDPOINTS;

export const OLDER_SPOT_ENDPOINTS = {
  ...OLDER_SPOT_ACCOUNT,
  ...OLDER_SPOT_MARKET,
  ...OLDER_SPOT_TRADE,
} as const;
