/** What a venue is made of, and what it says of a command that made the engine fail. */
import type { Command, Contract, SpotInstrument, Step } from '#domain';
import type { Engine } from '#engine';
import type { Clock } from '#kernel';
import type { Journal } from '#log';

export interface VenueOptions {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Called with every step in order, once durable and before its own caller is answered. */
  readonly onStep: (step: Step) => void;
  /** Called once, when the venue halts. */
  readonly onHalt: (reason: Error) => void;
  /** Keeps account of commands that made the engine fail; without one they are only fatal. */
  readonly faults?: FaultKeeper;
  /** How long the venue keeps the thread at a time; as shipped when left out. */
  readonly turnMs?: number;
  /** Characters of an entry; as shipped when left out. */
  readonly entryCharactersMax?: number | undefined;
  /** What commands do at first: this release's rules when left out. */
  readonly rules?: number | undefined;
}

export interface FaultKeeper {
  /** Called before the venue halts: what must outlive the process is kept by its return. */
  failed(fault: EngineFault): void;
  /** Whether this command has failed so often that it is not to be tried again. */
  withholds(command: Command): boolean;
}

/** A command that made the engine fail: it was not journaled and has no answer. */
export interface EngineFault {
  readonly command: Command;
  /** The pair or contract it was at work on; undefined when it concerned no one market. */
  readonly instrument: SpotInstrument | Contract | undefined;
  readonly seq: number;
  readonly timeMs: number;
  readonly error: unknown;
}
