/** All endpoints of the house's own API. */
import { ACCOUNT } from './account.ts';
import { MARKET_DATA } from './market-data.ts';
import { ORDERS } from './orders.ts';
import { PAST } from './past.ts';
import { PAST_TRIGGERS } from './past-triggers.ts';
import { PLACE_ORDERS } from './place-orders.ts';
import { POSITION_ORDERS } from './position-orders.ts';
import { TRIGGERS } from './triggers.ts';

export const NATIVE_ENDPOINTS = {
  ...MARKET_DATA,
  ...PLACE_ORDERS,
  ...ORDERS,
  ...POSITION_ORDERS,
  ...TRIGGERS,
  ...PAST,
  ...PAST_TRIGGERS,
  ...ACCOUNT,
};
