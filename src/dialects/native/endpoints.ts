/** All endpoints of the house's own API. */
import { ACCOUNT } from './account.ts';
import { CONTRACT_PAST } from './contract-past.ts';
import { EQUITY_ENDPOINTS } from './equity.ts';
import { LEDGER_ENDPOINTS } from './ledger.ts';
import { MARKET_DATA } from './market-data.ts';
import { ORDERS } from './orders.ts';
import { OWN_ACCOUNT_ENDPOINTS } from './own-account.ts';
import { PAST } from './past.ts';
import { PAST_TRIGGERS } from './past-triggers.ts';
import { PLACE_ORDERS } from './place-orders.ts';
import { POSITION_ORDERS } from './position-orders.ts';
import { SETTINGS } from './settings.ts';
import { TRANSFERS } from './transfers.ts';
import { TRIGGERS } from './triggers.ts';

export const NATIVE_ENDPOINTS = {
  ...MARKET_DATA,
  ...CONTRACT_PAST,
  ...PLACE_ORDERS,
  ...ORDERS,
  ...POSITION_ORDERS,
  ...TRIGGERS,
  ...PAST,
  ...PAST_TRIGGERS,
  ...OWN_ACCOUNT_ENDPOINTS,
  ...ACCOUNT,
  ...SETTINGS,
  ...TRANSFERS,
  ...LEDGER_ENDPOINTS,
  ...EQUITY_ENDPOINTS,
};
