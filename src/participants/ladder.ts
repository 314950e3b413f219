/**
 * What the ladders of pairs and contracts have in common. A ladder is planned as a pure function
 * of the venue's state, so nothing is remembered and a restart finds its own orders again.
 */
import type { Command, InstrumentId, Side, StateReader, Ticks } from '#domain';

/** Quotes of one market: orders per side, the step between them as a rate, the size of each. */
export interface Ladder {
  /** A pair (BTCUSDT_SPBL) or a contract (cmt_btcusdt). */
  readonly symbol: string;
  readonly levelsCount: number;
  /** Step from the centre and between levels, of the centre price; at least one price step. */
  readonly spacingPpm: number;
  readonly levelLots: number;
}

export interface LadderPlan {
  /** Cancels first, so that what they free can be used by the orders behind them. */
  readonly commands: readonly Command[];
  /** A level is missing until somebody else's order leaves the book or money comes in. */
  readonly incomplete: boolean;
}

export const NOTHING: LadderPlan = { commands: [], incomplete: false };
export const SIDES: readonly Side[] = ['buy', 'sell'];

/** Best price on the other side of the book; undefined when that side is empty. */
export function bestOpposite(
  state: StateReader,
  instrumentId: InstrumentId,
  side: Side,
): Ticks | undefined {
  const levels = state.bookLevels(instrumentId, side === 'buy' ? 'sell' : 'buy');
  for (const { priceTicks } of levels) return priceTicks;
  return undefined;
}

/** Whether an order at this price would take instead of rest. */
export function crosses(side: Side, price: Ticks, opposite: Ticks | undefined): boolean {
  if (opposite === undefined) return false;
  return side === 'buy' ? price >= opposite : price <= opposite;
}
