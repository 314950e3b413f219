/** What the auditor keeps while it judges one command. */
import type { Command, Event } from '#domain';
import type { Begun, ContractRest, Ranked } from './model.ts';

/** Units of a contract that a new mark price has breached, and who was dealt with first. */
export interface Wave {
  /** The worst ratio first. */
  readonly breached: readonly string[];
  readonly dealt: Set<string>;
  readonly forced: string[];
  /** Who was closed by others meanwhile: what is expected of them is not known any more. */
  readonly disturbed: Set<string>;
}

export class Turn {
  readonly command: Command;
  readonly timeMs: number;
  readonly events: readonly Event[];
  /** Orders that have come in and neither rest nor are over. */
  readonly incoming = new Map<number, ContractRest>();
  /** The contracts of those that came in with this step. */
  readonly bookOf = new Map<number, number>();
  readonly filledMakers = new Set<number>();
  /** Orders with presets of which something has filled, with their contracts. */
  readonly protectedBy = new Map<ContractRest, number>();
  /** Trigger orders whose orders have come in. */
  readonly hasFired = new Set<number>();
  /** Which of the events is being looked at. */
  at = 0;
  /** The marks that a tick or report leads to, by contract. */
  readonly marks = new Map<number, number>();
  /** Contracts without a fresh index. */
  readonly stale = new Set<number>();
  readonly waves = new Map<number, Wave>();
  /** Accounts and coins of wallets over several contracts, before anything was liquidated. */
  spread: ReadonlySet<string> | undefined;
  /** Accounts that were closed, or netted, for others or for a better position of their own. */
  readonly wasDeleveraged = new Set<number>();
  /** Accounts whose own orders have filled: the next price looks at what they are left with. */
  readonly hasTraded = new Set<number>();
  readonly wavesEnded = new Set<number>();
  /** Trigger orders that prices of earlier commands had met. */
  readonly wereReachedBefore = new Set<number>();
  /** What the fund held before the liquidation that is under way, by contract. */
  readonly fundBefore = new Map<number, { readonly fund: bigint; readonly isExact: boolean }>();
  /** Orders of liquidations that the fund pays nothing for: of a gain, of an even hedge. */
  readonly unfunded = new Set<number>();
  /** What the fund may pay for the lots of a liquidation that nobody took at its price. */
  readonly means = new Map<number, { readonly lots: number; readonly money: bigint }>();
  /** Orders of owners that ended with lots left, by contract. */
  readonly dropped = new Map<number, ContractRest[]>();
  /** Who could be deleveraged when, by contract and side. */
  readonly rankings = new Map<string, readonly (readonly Ranked[])[]>();
  readonly rankedFor = new Set<number>();
  /** How often contracts were taken over, of each account. */
  readonly takenOver = new Map<string, number>();
  /** Accounts of whose seats something has changed, by contract. */
  readonly touched = new Map<number, Set<number>>();
  /** An order that has closed what is reversed, until as much is opened. */
  reversed: ContractRest | undefined;
  /** Liquidations that this step has begun, and whether one of them has ended it. */
  readonly begun = new Set<Begun>();
  isCut = false;
  readonly #judged: Map<string, number>;
  #place: number;

  constructor(
    command: Command,
    timeMs: number,
    events: readonly Event[],
    judged: Map<string, number>,
    place: number,
  ) {
    this.command = command;
    this.timeMs = timeMs;
    this.events = events;
    this.#judged = judged;
    this.#place = place;
  }

  touch(instrumentId: number, accountId: number): void {
    const accounts = this.touched.get(instrumentId) ?? new Set();
    accounts.add(accountId);
    this.touched.set(instrumentId, accounts);
  }

  /** Notes that a rule was looked at, for the table of what is judged. */
  count(what: string): void {
    const name = `judged: ${what}`;
    this.#judged.set(name, (this.#judged.get(name) ?? 0) + 1);
  }

  nextPlace(): number {
    this.#place += 1;
    return this.#place;
  }

  get lastPlace(): number {
    return this.#place;
  }
}
