/** An account's money behind all contracts of a coin, as the private stream shows it. */
import type { Asset, MarginFundsView } from '#domain';
import { formatTrimmed } from '#kernel';

/** What is not counted, or is not to be had here. */
const NOTHING_PENDING = {
  pendingDepositAmount: '0',
  pendingWithdrawAmount: '0',
  pendingTransferInAmount: '0',
  pendingTransferOutAmount: '0',
  liquidating: false,
} as const;

const NOT_COUNTED = {
  cumDepositAmount: '0',
  cumWithdrawAmount: '0',
  cumTransferInAmount: '0',
  cumTransferOutAmount: '0',
  cumMarginMoveInAmount: '0',
  cumMarginMoveOutAmount: '0',
  cumPositionOpenLongAmount: '0',
  cumPositionOpenShortAmount: '0',
  cumPositionCloseLongAmount: '0',
  cumPositionCloseShortAmount: '0',
  cumPositionFillFeeAmount: '0',
  cumPositionLiquidateFeeAmount: '0',
  cumPositionFundingAmount: '0',
  cumOrderFillFeeIncomeAmount: '0',
  cumOrderLiquidateFeeIncomeAmount: '0',
} as const;

/** Without the time of the change, which comes behind it. */
export function writeFunds(
  coin: Asset,
  { balance, available }: MarginFundsView,
  createdTimeMs: number,
): string {
  return JSON.stringify({
    coin: coin.code,
    marginMode: 'CROSSED',
    crossSymbol: '',
    isolatedPositionId: '0',
    amount: formatTrimmed(available, coin.scale),
    ...NOTHING_PENDING,
    legacyAmount: formatTrimmed(balance, coin.scale),
    ...NOT_COUNTED,
    createdTime: String(createdTimeMs),
  });
}
