/**
 * What one command has set off and is not done yet: units that a price has breached, trigger orders
 * that a trade met, orders that met many others, and the orders of an account that the operator
 * clears. It waits in the state, liquidations in front, then orders, else in the order in which it
 * came up.
 */
import type { AccountId, HoldSide, InstrumentId, Ticks } from '#domain';
import type { LiquidationUnit, MarginAccount } from './margin/margin-account.ts';
import type { MarginWallet } from './margin/margin-wallet.ts';
import type { SpotOrder } from './spot/order.ts';
import type { ContractOrder } from './swap/order.ts';
import type { DueTriggers } from './trigger/levels.ts';

/** Orders up to an id are cancelled: what is placed meanwhile stays. */
export interface CancelSpotWork {
  readonly kind: 'cancel_spot';
  readonly accountId: AccountId;
  readonly ordersTo: number;
}

/** First the orders, then the trigger orders that are there by then; zero until that is known. */
export interface CancelContractWork {
  readonly kind: 'cancel_contract';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly ordersTo: number;
  triggersTo: number;
}

/** What one trade has set off. */
export interface TriggersWork {
  readonly kind: 'triggers';
  readonly instrumentId: InstrumentId;
  readonly due: DueTriggers;
}

/** One side of a contract as it was ranked for deleveraging. */
export interface Ranking {
  readonly instrumentId: InstrumentId;
  readonly side: HoldSide;
  readonly ranked: readonly MarginAccount[];
  /** Who opened a position since, by account. */
  readonly late: readonly MarginAccount[];
}

/** A wave of liquidations between two pieces of it. */
export interface WaveState {
  /** Units that have not had their turn in this round, in the order of their turns. */
  readonly due: readonly LiquidationUnit[];
  /** How often units were tried since the price, and contracts of one over several taken over. */
  readonly tries: ReadonlyMap<LiquidationUnit, number>;
  readonly takeOvers: ReadonlyMap<LiquidationUnit, number>;
  /** Units whose liquidation goes on, with the contract that it goes on in. */
  readonly begun: ReadonlyMap<LiquidationUnit, LiquidationUnit>;
  /** Down to how many lots a unit is being reduced, in a contract. */
  readonly reductions: ReadonlyMap<LiquidationUnit, number>;
  readonly rankings: readonly Ranking[];
}

/** Numbers that a wave knows of units. */
export type CountedPart = 'tries' | 'takeOvers' | 'reductions';

/** What one price of a contract has breached. */
export interface LiquidationsWork {
  readonly kind: 'liquidations';
  readonly instrumentId: InstrumentId;
  readonly wave: {
    state(): WaveState;
    covers(margin: MarginAccount, side: HoldSide | undefined): boolean;
    coversWallet(wallet: MarginWallet<MarginAccount>): boolean;
  };
}

interface AtWork {
  /** The worst price that it may trade at, as it was when the order came. */
  readonly limitTicks: Ticks;
  /** Resting orders that it has traded with. */
  tradesCount: number;
}

/** A pair's order that goes on: listed with what the rest of it holds, and in no book. */
export interface SpotOrderWork extends AtWork {
  readonly kind: 'spot_order';
  readonly order: SpotOrder;
}

/** A contract's order that goes on: listed, in no book, and with nothing frozen. */
export interface ContractOrderWork extends AtWork {
  readonly kind: 'contract_order';
  readonly order: ContractOrder;
  /** As much as it closes is then opened on the other side. */
  reverses?: true;
}

export type OrderWork = SpotOrderWork | ContractOrderWork;

export type Work =
  | CancelSpotWork
  | CancelContractWork
  | TriggersWork
  | LiquidationsWork
  | OrderWork;
