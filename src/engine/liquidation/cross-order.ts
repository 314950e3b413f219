/** In which order a cross unit over several contracts is closed. */
import { feeOnFine, fineToFloor, fineValue } from '#domain';
import { forcedFeePpm } from '../margin/fee-rate.ts';
import type { LiquidationUnit, MarginAccount } from '../margin/margin-account.ts';
import type { MarginWallet } from '../margin/margin-wallet.ts';
import type { State } from '../state.ts';
import { lossOf } from './bankruptcy.ts';

type Wallet = MarginWallet<MarginAccount>;

/**
 * The contracts of a wallet's cross unit that can be closed now, worst loss first. One whose index
 * is stale or that is suspended cannot: it stays, and counts at the mark price it has.
 */
export function closableOf(state: State, wallet: Wallet): LiquidationUnit[] {
  return wallet
    .crossHeld()
    .filter(
      ({ market }) => market.contract.status !== 'suspended' && !market.isIndexStale(state.timeMs),
    )
    .toSorted((one, other) => {
      const [a, b] = [one.finePnl(), other.finePnl()];
      if (a !== b) return a < b ? -1 : 1;
      return one.market.contract.instrumentId - other.market.contract.instrumentId;
    })
    .map(unitOf);
}

/**
 * The contract with the best gain, when that has to be closed before those that lose: their losses
 * are more than the money, or cannot be closed now. A profit that is kept while others are left
 * with the loss would be theirs. Undefined when the worst loss goes first.
 */
export function gainFirst(
  wallet: Wallet,
  closable: readonly LiquidationUnit[],
): LiquidationUnit | undefined {
  const best = closable.at(-1);
  const worst = closable[0];
  if (best === undefined || worst === undefined || best.margin.finePnl() <= 0n) return undefined;
  const losing = wallet.crossHeld().filter((margin) => lossOf(margin) > 0n);
  if (losing.length === 0) return undefined;
  const isLossStuck = lossOf(worst.margin) === 0n;
  const needed = losing.reduce((sum, margin) => sum + costOf(margin), 0n);
  return isLossStuck || needed > wallet.crossMoney() ? best : undefined;
}

/** Whether a contract that a liquidation goes on in has begun as the gain that goes first. */
export function isGainBegun(wallet: Wallet, { margin }: LiquidationUnit): boolean {
  return margin.finePnl() > 0n && wallet.crossHeld().some((one) => lossOf(one) > 0n);
}

/** What closing a contract that loses costs at its mark price, fee included. */
function costOf(margin: MarginAccount): bigint {
  const { contract, markTicks } = margin.market;
  const larger = Math.max(margin.long.lots, margin.short.lots);
  const fee = feeOnFine(contract, fineValue(contract, larger, markTicks), forcedFeePpm(margin));
  return fee - fineToFloor(contract, -lossOf(margin));
}

function unitOf(margin: MarginAccount): LiquidationUnit {
  return margin.unit('both');
}
