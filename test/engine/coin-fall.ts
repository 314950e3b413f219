/** A fall over wallets that several contracts stand on, counted and not timed. */
import type { AccountId } from '#domain';
import { Hall } from '../../bench/coin-hall.ts';

/** Of prices, for each liquidation. */
export const LOOKS_MOST = 12;

interface Counted {
  /** Who was liquidated, in this order. */
  readonly liquidated: readonly AccountId[];
  readonly unitsLookedAt: number;
}

/** The same accounts are liquidated in the midst of so many. */
export function fallAmong(accountsCount: number): Counted {
  const hall = new Hall(accountsCount);
  const before = hall.engine.unitsLookedAtCount;
  const liquidated: AccountId[] = [];
  for (const { events } of hall.falls()) {
    for (const event of events) if (event.kind === 'liquidated') liquidated.push(event.accountId);
  }
  hall.engine.check();
  return { liquidated, unitsLookedAt: hall.engine.unitsLookedAtCount - before };
}
