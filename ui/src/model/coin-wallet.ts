/**
 * The wallet that all linear contracts of a coin stand on, read back from the rows of them all:
 * they are of one moment, since a change of one publishes all. What the others are worth then is
 * known to one unit of the coin: a profit shows the mark price, an average price the open value but
 * for digits that no row has.
 */
import {
  type Amount,
  type FineAmount,
  finePnl,
  fineToFloor,
  fineValue,
  type OtherContracts,
  thresholdPpm,
} from '#domain';
import type { TradedContract } from './contract.ts';
import type { MarginMode } from './contract-words.ts';

export interface HeldSide {
  readonly lots: number;
  readonly open: FineAmount;
  /** Set aside when fixed. */
  readonly margin: Amount;
  /** At the mark price, rounded down. */
  readonly pnl: Amount;
}

/** What an account holds in one contract. */
export interface HeldContract {
  readonly contract: TradedContract;
  readonly mode: MarginMode;
  readonly long: HeldSide;
  readonly short: HeldSide;
}

/** The money behind a contract, its own fixed margins in it, and what else stands on it. */
export interface Backing {
  readonly balance: Amount;
  readonly others: OtherContracts | undefined;
}

/** `equity` is that of the whole wallet. */
export function backingOf(
  equity: Amount,
  own: HeldContract,
  siblings: readonly HeldContract[],
): Backing {
  const marked = [own, ...siblings].map(marketValue);
  const pnl = marked.reduce((sum, one) => sum + one.pnl, 0n);
  const set = siblings.filter(({ mode }) => mode === 'fixed');
  const isolated = set.reduce((sum, { long, short }) => sum + long.margin + short.margin, 0n);
  return {
    balance: equity - fineToFloor(own.contract, pnl) - isolated,
    others: othersOf(marked.slice(1)),
  };
}

type MarketValue = OtherContracts & { readonly isCross: boolean };

function othersOf(siblings: readonly MarketValue[]): OtherContracts | undefined {
  const cross = siblings.filter(({ isCross }) => isCross);
  if (cross.length === 0) return undefined;
  return cross.reduce((sum, { pnl, value, kept }) => {
    return { pnl: sum.pnl + pnl, value: sum.value + value, kept: sum.kept + kept };
  }, NOTHING);
}

const NOTHING: OtherContracts = { pnl: 0n, value: 0n, kept: 0n };

function marketValue(held: HeldContract): MarketValue {
  const { contract, mode, long, short } = held;
  const markTicks = markOf(held);
  if (markTicks === 0) return { ...NOTHING, isCross: false };
  const at = (lots: number) => fineValue(contract, lots, markTicks);
  const value = at(Math.max(long.lots, short.lots));
  const pnl =
    finePnl(contract, 'long', long.open, at(long.lots)) +
    finePnl(contract, 'short', short.open, at(short.lots));
  const kept = value * BigInt(thresholdPpm(contract, long.lots + short.lots));
  return { pnl, value, kept, isCross: mode === 'crossed' };
}

/** The mark price at which a side has the profit that it shows; zero where nothing is held. */
function markOf({ contract, long, short }: HeldContract): number {
  const [side, sign] = long.lots > 0 ? [long, 1n] : [short, -1n];
  if (side.lots === 0) return 0;
  const value = side.open + sign * side.pnl * contract.fineFactor;
  const tick = fineValue(contract, side.lots, 1);
  return Number((2n * value + tick) / (2n * tick));
}
