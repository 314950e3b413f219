/** One example of everything that contract accounts and positions are answered with. */
import { SYMBOL } from './swap-terms.ts';

const TIME_TEXT = '1795235652453';

export const ACCOUNT = {
  symbol: SYMBOL,
  equity: '999.971994',
  fixed_balance: '0',
  total_avail_balance: '996.980994',
  margin: '3.001',
  realized_pnl: '0',
  unrealized_pnl: '-0.01',
  longMarginRatio: '0.0997',
  shortMarginRatio: '0',
  marginRatio: null,
  margin_frozen: '0',
  timestamp: TIME_TEXT,
  margin_mode: 'fixed',
  forwardContractFlag: true,
};

export const SETTINGS = {
  symbol: SYMBOL,
  long_leverage: '10',
  short_leverage: '20',
  margin_mode: 'fixed',
  forwardContractFlag: true,
};

const LONG = {
  symbol: SYMBOL,
  liquidation_price: '27161.2',
  position: '1',
  avail_position: '1',
  avg_cost: '30010.00',
  leverage: '10',
  realized_pnl: '0.00000000',
  keepMarginRate: '0.005',
  side: 'long',
  holdSide: '1',
  timestamp: TIME_TEXT,
  margin: '3.001000000000',
  unrealized_pnl: '-0.01000000',
  append_type: '0',
};

const NO_SHORT = {
  ...LONG,
  liquidation_price: '0.0',
  position: '0',
  avail_position: '0',
  avg_cost: '0.00',
  leverage: '20',
  side: 'short',
  holdSide: '2',
  margin: '0.000000000000',
  unrealized_pnl: '0.00000000',
};

export const POSITION = { margin_mode: 'fixed', holding: [LONG, NO_SHORT] };

export const MARGIN_ADJUSTED = { result: true, orderNo: '700000000000000043' };

export const AUTO_MARGIN = { result: true, append_type: 0 };

export const HOLD_MODEL = { symbol: SYMBOL, resultHoldMode: 1, switchSuccess: true };
