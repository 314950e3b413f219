/**
 * What a sandbox can do to the venue that holds it: move its clock, keep its state under a name and
 * go back to it, and spoil its answers by rule. Plain data; the engine keeps it, so that it is
 * journaled and survives a restart. How a fault is acted out is the API's business.
 */
import type { AccountId } from './units.ts';

/** Speeds are in thousandths of real time: 0 stands still, 1000 is as fast as the system clock. */
export const CLOCK = { speedPermilleMax: 1_000_000, speedPermilleReal: 1_000 } as const;

/** The clock of the venue once a command has set it; until then the system's counts. */
export interface VenueClockSetting {
  readonly speedPermille: number;
}

/** An account as a checkpoint has it. Ids are given again after a reset; the rest is its own. */
export interface KeptAccount {
  readonly accountId: AccountId;
  readonly name: string;
  readonly createdTimeMs: number;
}

export interface CheckpointView {
  readonly name: string;
  /** The command that saved it, and when. */
  readonly seq: number;
  readonly timeMs: number;
  /** What it takes: rows of state. */
  readonly rowsCount: number;
}

/**
 * What happens to a call or message that a rule picks. Calls: answered late, refused with 429 or a
 * 5xx, carried out without an answer, cut off before they are read, or refused because of
 * maintenance, which also ends streams. Messages of streams: lost, sent twice, sent late, or the
 * connection ends in their place.
 */
export type FaultEffect =
  | { readonly kind: 'latency'; readonly ms: number; readonly jitterMs: number }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number }
  | { readonly kind: 'server_error'; readonly status: 500 | 502 | 503 | 504 }
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'disconnect' }
  | { readonly kind: 'maintenance' }
  | { readonly kind: 'drop_message' }
  | { readonly kind: 'duplicate_message' }
  | { readonly kind: 'delay_message'; readonly ms: number }
  | { readonly kind: 'disconnect_stream' };

export type FaultKind = FaultEffect['kind'];

/** Faults of calls, then of the messages of streams. */
export const FAULT_KINDS = [
  'latency',
  'rate_limited',
  'server_error',
  'no_answer',
  'disconnect',
  'maintenance',
  'drop_message',
  'duplicate_message',
  'delay_message',
  'disconnect_stream',
] as const satisfies readonly FaultKind[];

/** What a server error may answer. */
export const FAULT_STATUSES = ['500', '502', '503', '504'] as const;

/** Which calls or messages go wrong, how often, and how. */
export interface FaultRule {
  readonly faultId: number;
  /** For people; may be empty. */
  readonly label: string;
  /** The key that is hit; empty for every call, also without a key. */
  readonly key: string;
  /**
   * What is hit; empty for all. Of a call: method and path as in `POST /people/v1/accounts`,
   * either alone, or a path that ends in `*`. Of a message: its stream, with or without a channel,
   * as in `native`, `native book` or `swap depth`.
   */
  readonly target: string;
  readonly effect: FaultEffect;
  /** Of a million calls or messages that match, how many are hit. */
  readonly probabilityPpm: number;
  /** So many that match pass first. */
  readonly skipCount: number;
  /** The rule is spent after so many hits; 0 for never. */
  readonly hitsMax: number;
  /** Which of them are hit follows from it. */
  readonly seed: number;
}

/** What the engine keeps of the sandbox. */
export interface SandboxView {
  /** Undefined while the venue follows the system's clock. */
  readonly clock: VenueClockSetting | undefined;
  checkpoints(): Iterable<CheckpointView>;
  /** The accounts of a checkpoint, by id; none of one that is unknown. */
  accountsOf(name: string): Iterable<KeptAccount>;
  faults(): Iterable<FaultRule>;
}
