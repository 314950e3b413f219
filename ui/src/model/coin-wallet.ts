/**
 * What else stands on the wallet of all linear contracts of a coin, from the rows of them all: they
 * are of one moment, since a change of one publishes all.
 */
import {
  type Amount,
  type FineAmount,
  finePnl,
  fineValue,
  type OtherContracts,
  thresholdPpm,
} from '#domain';
import type { TradedContract } from './contract.ts';
import type { MarginMode } from './contract-words.ts';

interface HeldSide {
  readonly lots: number;
  readonly open: FineAmount;
  /** Set aside when isolated. */
  readonly margin: Amount;
}

/** What an account holds in one contract. */
export interface HeldContract {
  readonly contract: TradedContract;
  readonly mode: MarginMode;
  /** Zero where nothing is held. */
  readonly markTicks: number;
  readonly long: HeldSide;
  readonly short: HeldSide;
}

/** What isolated positions have been given of the wallet. */
export function isolatedOf(held: readonly HeldContract[]): Amount {
  return held
    .filter(({ mode }) => mode === 'isolated')
    .reduce((sum, { long, short }) => sum + long.margin + short.margin, 0n);
}

/** What stands or falls with the wallet; undefined when nothing does. */
export function othersOf(held: readonly HeldContract[]): OtherContracts | undefined {
  const cross = held.filter(({ mode, markTicks }) => mode === 'cross' && markTicks > 0);
  if (cross.length === 0) return undefined;
  return cross.map(marketValue).reduce((sum, { pnl, value, kept }) => {
    return { pnl: sum.pnl + pnl, value: sum.value + value, kept: sum.kept + kept };
  });
}

function marketValue({ contract, markTicks, long, short }: HeldContract): OtherContracts {
  const at = (lots: number) => fineValue(contract, lots, markTicks);
  const value = at(Math.max(long.lots, short.lots));
  const pnl =
    finePnl(contract, 'long', long.open, at(long.lots)) +
    finePnl(contract, 'short', short.open, at(short.lots));
  return { pnl, value, kept: value * BigInt(thresholdPpm(contract, long.lots + short.lots)) };
}
