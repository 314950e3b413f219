/** Positions that an account holds, with what they are worth and how near liquidation is. */
import {
  AVERAGE_EXTRA_SCALE,
  HOLD_SIDES,
  type MarginAccountView,
  type PositionView,
  RATIO_SCALE,
  type StateReader,
  type Ticks,
  thresholdPpm,
  valueFloor,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { priceText } from '../kit/amounts.ts';
import { formatMoney, formatRate, formatValue } from '../kit/contract-figures.ts';
import { TIME_MS } from '../kit/examples.ts';
import { decimal, listedName, oneOf, row, truth, whole } from '../kit/row.ts';
import { type OwnContract, ownContracts } from './margin-rows.ts';
import { sizeText } from './terms.ts';

export interface HeldSide extends OwnContract {
  readonly position: PositionView;
  /** As of the last tick. */
  readonly markTicks: Ticks;
}

/** What an account holds, contract by contract, long before short. */
export function heldSides(
  state: StateReader,
  accountId: Parameters<typeof ownContracts>[1],
): readonly HeldSide[] {
  return ownContracts(state, accountId).flatMap(({ contract, account }) => {
    const held = HOLD_SIDES.map((side) => account[side]).filter(({ lots }) => lots > 0);
    if (held.length === 0) return [];
    const prices = present(state.contractPrices(contract.instrumentId), 'prices of a contract');
    const { markTicks } = prices;
    return held.map((position) => ({ contract, account, position, markTicks }));
  });
}

function money(description: string, example: string, of: (position: PositionView) => bigint) {
  return decimal<HeldSide>(description, example, ({ contract, position }) =>
    formatMoney(contract, of(position)),
  );
}

/** The size that the tier goes by: in cross mode both sides together. */
function countedLots({ marginMode, long, short }: MarginAccountView, { lots }: PositionView) {
  return marginMode === 'isolated' ? lots : long.lots + short.lots;
}

export const POSITION = row<HeldSide>()({
  symbol: listedName('Contract', 'BTC-USDT-PERP', ({ contract }) => contract.symbol),
  side: oneOf(HOLD_SIDES, 'Side', 'long', ({ position }) => position.side),
  size: decimal('Contracts', '10', ({ contract, position }) => sizeText(position.lots, contract)),
  closable: decimal('Of them those that no resting order will close', '10', (held) =>
    sizeText(held.position.availableLots, held.contract),
  ),
  entry: decimal('Average price of entry', '30000', ({ contract, position }) =>
    formatTrimmed(position.averageEntry, contract.priceScale + AVERAGE_EXTRA_SCALE),
  ),
  entryValue: decimal('Exact value at which it was opened', '300', ({ contract, position }) =>
    formatValue(contract, position.open),
  ),
  mark: decimal('Mark price', '29999.0', ({ contract, markTicks }) =>
    priceText(markTicks, contract),
  ),
  value: decimal('Value at the mark price', '299.99', ({ contract, position, markTicks }) =>
    formatMoney(contract, valueFloor(contract, position.lots, markTicks)),
  ),
  marginMode: oneOf(
    ['isolated', 'cross'],
    'How it is margined',
    'isolated',
    ({ account }) => account.marginMode,
  ),
  leverage: whole('Leverage', 20, ({ position }) => position.leverage),
  margin: money('Margin in use, in the money of the contract', '15', ({ margin }) => margin),
  autoMargin: truth(
    'Whether it is given margin by itself before it is liquidated',
    false,
    ({ position }) => position.autoAppend,
  ),
  unrealizedPnl: money('At the mark price', '-0.01', ({ unrealizedPnl }) => unrealizedPnl),
  realizedPnl: money('Since it was opened', '0', ({ realizedPnl }) => realizedPnl),
  fees: money('Paid since it was opened', '0.18', ({ totals }) => {
    return totals.openedFee + totals.closedFee + totals.liquidationFee;
  }),
  funding: money(
    'Of it since it was opened; above zero it was received',
    '0',
    ({ totals }) => totals.funding,
  ),
  liquidation: decimal(
    'Estimated price that liquidates it; 0 for none',
    '28652.1',
    ({ contract, position }) => priceText(position.liquidationTicks, contract),
  ),
  marginRatio: decimal(
    'Margin and profit over value; in cross mode equity over value of all that is cross',
    '0.0499',
    ({ account, position }) =>
      formatTrimmed(position.marginRatio ?? account.marginRatio ?? 0n, RATIO_SCALE),
  ),
  maintenanceRate: decimal('Of the tier of its size, as a fraction', '0.005', ({ position }) =>
    formatRate(position.maintenanceRatePpm),
  ),
  liquidationRatio: decimal(
    'Margin ratio at which this contract alone would be liquidated',
    '0.0056',
    ({ contract, account, position }) =>
      formatRate(thresholdPpm(contract, countedLots(account, position))),
  ),
  time: whole(
    'When it was opened, in Unix milliseconds',
    TIME_MS,
    ({ position }) => position.openedTimeMs,
  ),
  changedTime: whole('When it last changed', TIME_MS, ({ position }) => position.updatedTimeMs),
});
