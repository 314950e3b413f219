/** The tables of endpoints. */
import { CONTRACT_ACCOUNT } from './contract-account.ts';
import { CONTRACT_ALGO } from './contract-algo.ts';
import { CONTRACT_INCOME } from './contract-income.ts';
import { CONTRACT_LISTINGS } from './contract-listings.ts';
import { CONTRACT_MARKET } from './contract-market.ts';
import { CONTRACT_ORDERS } from './contract-orders.ts';
import { CONTRACT_POSITIONS } from './contract-positions.ts';
import { CONTRACT_PRICES } from './contract-prices.ts';
import { CONTRACT_SETTINGS } from './contract-settings.ts';
import { CONTRACT_TP_SL } from './contract-tp-sl.ts';
import { CONTRACT_TRADE } from './contract-trade.ts';
import { DEMO_CALLS } from './demo-names.ts';
import { OTHER_SPOT_ACCOUNT, SPOT_ACCOUNT } from './spot-account.ts';
import { OTHER_SPOT_BILLS, SPOT_BILLS } from './spot-bills.ts';
import { SPOT_GENERAL } from './spot-general.ts';
import { SPOT_LISTINGS } from './spot-listings.ts';
import { SPOT_MARKET } from './spot-market.ts';
import { SPOT_MOVE } from './spot-move.ts';
import { SPOT_ORDERS } from './spot-orders.ts';
import { SPOT_TRADE } from './spot-trade.ts';

export const CURRENT_SPOT_ENDPOINTS = {
  ...SPOT_GENERAL,
  ...SPOT_LISTINGS,
  ...SPOT_MARKET,
  ...SPOT_ACCOUNT,
  ...SPOT_BILLS,
  ...SPOT_TRADE,
  ...SPOT_MOVE,
  ...SPOT_ORDERS,
} as const;

export const CURRENT_CONTRACT_ENDPOINTS = {
  ...CONTRACT_LISTINGS,
  ...CONTRACT_MARKET,
  ...CONTRACT_PRICES,
  ...CONTRACT_ACCOUNT,
  ...CONTRACT_POSITIONS,
  ...CONTRACT_INCOME,
  ...CONTRACT_SETTINGS,
  ...CONTRACT_TRADE,
  ...CONTRACT_ORDERS,
  ...CONTRACT_ALGO,
  ...CONTRACT_TP_SL,
} as const;

/** What is documented under another path. */
export const OTHER_CURRENT_ENDPOINTS = {
  ...OTHER_SPOT_ACCOUNT,
  ...OTHER_SPOT_BILLS,
  ...DEMO_CALLS,
} as const;
