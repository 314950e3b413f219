/** The table of everything a step can do. */
import type { Action } from '../action.ts';
import { ACCOUNT_ACTIONS } from './account.ts';
import { CLOCK_ACTIONS } from './clock.ts';
import { EXPECT_ACTIONS } from './expect.ts';
import { FAULT_ACTIONS } from './faults.ts';
import { MARKET_ACTIONS } from './market.ts';
import { TRADE_ACTIONS } from './trade.ts';

export const ACTIONS: readonly Action[] = [
  ...TRADE_ACTIONS,
  ...ACCOUNT_ACTIONS,
  ...MARKET_ACTIONS,
  ...CLOCK_ACTIONS,
  ...FAULT_ACTIONS,
  ...EXPECT_ACTIONS,
];
