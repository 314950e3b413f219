/** One side of a contract account: what is held, what it cost, and what stands behind it. */
import { type Amount, type FineAmount, type HoldSide, type Lots, lots } from '#domain';

/** What is liquidated as one: a side of an isolated account, or the account when cross. */
export type UnitSide = HoldSide | 'both';

export class Position {
  readonly side: HoldSide;
  lots: Lots = lots(0);
  /** Exact sum of the values at which the held lots were opened. */
  open: FineAmount = 0n;
  /** Money set aside for this side in isolated mode; zero in cross mode. */
  margin: Amount = 0n;
  /** Entry value whose V / L has not become margin: less than a unit of it, or what was lacking. */
  marginOwed: FineAmount = 0n;
  leverage: number;
  /** Whether margin is added by itself before a liquidation; isolated mode only. */
  autoAppend = false;
  /** Lots that resting close orders will take. */
  frozenLots: Lots = lots(0);
  /** Lots that resting opening orders may still add. */
  pendingLots = 0;
  /** Since the side was last flat, fees not included. */
  realizedPnl: Amount = 0n;
  /** When the side was opened; zero when flat. */
  openedTimeMs = 0;
  updatedTimeMs = 0;

  constructor(side: HoldSide, leverage: number) {
    this.side = side;
    this.leverage = leverage;
  }

  /** What can still be closed. */
  get availableLots(): Lots {
    return lots(this.lots - this.frozenLots);
  }
}
