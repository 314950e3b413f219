/** An account's money behind all contracts of a coin, as the private stream shows it. */
import type { AccountId, Amount, Asset, StateReader } from '#domain';
import { formatTrimmed, present } from '#kernel';
import { shownContracts } from './symbols.ts';

interface Funds {
  /** Settled: with what positions use and orders freeze, without unrealized profit. */
  readonly balance: Amount;
  /** What can open positions or be moved out. */
  readonly available: Amount;
}

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

/** Of a wallet per contract the sum. */
export function fundsOf(state: StateReader, accountId: AccountId, coin: Asset): Funds {
  const ofCoin = shownContracts(state.listings).filter(({ margin }) => margin === coin);
  const views = ofCoin.map(({ instrumentId }) =>
    present(state.marginAccount(accountId, instrumentId), 'contract account'),
  );
  return {
    balance: views.reduce((sum, { balance }) => sum + balance, 0n),
    available: views.reduce((sum, { available }) => sum + available, 0n),
  };
}

/** Without the time of the change, which comes behind it. */
export function writeFunds(
  coin: Asset,
  { balance, available }: Funds,
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
