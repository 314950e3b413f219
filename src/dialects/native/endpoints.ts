/** All endpoints of the house's own API. */
import { ACCOUNT } from './account.ts';
import { MARKET_DATA } from './market-data.ts';
import { ORDERS } from './orders.ts';
import { PAST } from './past.ts';

export const NATIVE_ENDPOINTS = { ...MARKET_DATA, ...ORDERS, ...PAST, ...ACCOUNT };
