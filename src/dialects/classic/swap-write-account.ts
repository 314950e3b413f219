/**
 * Encodes contract accounts, settings and positions as JSON bodies. Account values are trimmed; a
 * position shows its money with a fixed least number of decimals, as clients know it.
 */
import type { DataJson } from '#api';
import {
  type Contract,
  formatId,
  type HoldSide,
  type MarginAccountView,
  type MarginMode,
  type PositionView,
} from '#domain';
import {
  formatAverage,
  formatMoney,
  formatPnl,
  formatPositionMargin,
  formatPrice,
  formatRate,
  formatRatio,
  formatSize,
} from './swap-format.ts';

function isForward({ kind }: Contract): boolean {
  return kind === 'linear';
}

const HOLD_SIDE_NUMBERS: Readonly<Record<HoldSide, string>> = { long: '1', short: '2' };
/** What clients call the modes. */
export const MARGIN_MODE_WORDS = { isolated: 'fixed', cross: 'crossed' } as const satisfies Record<
  MarginMode,
  string
>;
const HOLD_MODEL_NUMBERS: Readonly<Record<MarginMode, number>> = { isolated: 1, cross: 2 };

/** One contract account. `createdTimeMs` is that of the account it belongs to. */
export function writeContractAccount(
  contract: Contract,
  account: MarginAccountView,
  createdTimeMs: number,
): DataJson {
  return JSON.stringify({
    symbol: contract.symbol,
    equity: formatMoney(contract, account.equity),
    fixed_balance: '0',
    total_avail_balance: formatMoney(contract, account.available),
    margin: formatMoney(contract, account.margin),
    realized_pnl: formatMoney(contract, account.realizedPnl),
    unrealized_pnl: formatMoney(contract, account.unrealizedPnl),
    longMarginRatio: formatRatio(account.long.marginRatio),
    shortMarginRatio: formatRatio(account.short.marginRatio),
    marginRatio: formatRatio(account.marginRatio),
    margin_frozen: formatMoney(contract, account.marginFrozen),
    timestamp: String(createdTimeMs),
    margin_mode: MARGIN_MODE_WORDS[account.marginMode],
    forwardContractFlag: isForward(contract),
  });
}

export interface SettingsValues {
  readonly marginMode: MarginMode;
  readonly longLeverage: number;
  readonly shortLeverage: number;
}

/** Leverage and margin mode. */
export function writeSettings(contract: Contract, settings: SettingsValues): DataJson {
  return JSON.stringify({
    symbol: contract.symbol,
    long_leverage: String(settings.longLeverage),
    short_leverage: String(settings.shortLeverage),
    margin_mode: MARGIN_MODE_WORDS[settings.marginMode],
    forwardContractFlag: isForward(contract),
  });
}

/** Both sides of a contract, held or not: clients count on two rows. */
export function writePosition(
  contract: Contract,
  { marginMode, long, short }: MarginAccountView,
  createdTimeMs: number,
): DataJson {
  const holding = [long, short].map((side) => holdingFields(contract, side, createdTimeMs));
  return JSON.stringify({ margin_mode: MARGIN_MODE_WORDS[marginMode], holding });
}

function holdingFields(contract: Contract, position: PositionView, createdTimeMs: number) {
  return {
    symbol: contract.symbol,
    liquidation_price: formatPrice(contract, position.liquidationTicks),
    position: formatSize(contract, position.lots),
    avail_position: formatSize(contract, position.availableLots),
    avg_cost: formatAverage(contract, position.averageEntry),
    leverage: String(position.leverage),
    realized_pnl: formatPnl(contract, position.realizedPnl),
    keepMarginRate: formatRate(position.maintenanceRatePpm),
    side: position.side,
    holdSide: HOLD_SIDE_NUMBERS[position.side],
    timestamp: String(Math.max(position.updatedTimeMs, createdTimeMs)),
    margin: formatPositionMargin(contract, position.margin),
    unrealized_pnl: formatPnl(contract, position.unrealizedPnl),
    append_type: position.autoAppend ? '1' : '0',
  };
}

/** A margin adjustment that was just made. */
export function writeMarginAdjusted(adjustmentId: number): DataJson {
  return JSON.stringify({ result: true, orderNo: formatId(adjustmentId) });
}

/** Whether margin is now added by itself. */
export function writeAutoMargin(automatic: boolean): DataJson {
  return JSON.stringify({ result: true, append_type: automatic ? 1 : 0 });
}

/** The margin mode as it is now, by its number. */
export function writeHoldModel(contract: Contract, mode: MarginMode): DataJson {
  const { symbol } = contract;
  return JSON.stringify({
    symbol,
    resultHoldMode: HOLD_MODEL_NUMBERS[mode],
    switchSuccess: true,
  });
}
