/** How a trader wants to place orders; kept in this browser. */
import { SIZE_UNITS, type SizeUnit } from '../../model/size-unit.ts';
import { createKept } from '../../store/kept.ts';
import { useStore } from '../../store/store.ts';

const YES_OR_NO = ['yes', 'no'] as const;

/** Whether an order is shown once more before it is sent. */
export const asksFirst = createKept('outcry.orders.confirm', YES_OR_NO, 'yes');

/** Whether keys place and cancel orders. */
export const tradesByKey = createKept('outcry.orders.keys', YES_OR_NO, 'no');

/** Of market orders, in per cent of the best price. */
export const SLIPPAGES = ['none', '0.1', '0.5', '1', '2', '5'] as const;
export const slippage = createKept('outcry.orders.slippage', SLIPPAGES, 'none');

const PPM_OF_PERCENT = 10_000;

/** In parts per million; zero for none. */
export function useSlippagePpm(): number {
  const chosen = useStore(slippage);
  return chosen === 'none' ? 0 : Math.round(Number(chosen) * PPM_OF_PERCENT);
}

/** Coin, as exchanges have it, until the trader chooses another. */
export const contractUnit = createKept<SizeUnit>('outcry.orders.contract-unit', SIZE_UNITS, 'base');

const SPOT_UNITS = ['base', 'quote'] as const;
export const spotUnit = createKept('outcry.orders.spot-unit', SPOT_UNITS, 'base');
