/** Everything the HTTP interface is given. It creates none of it and closes none of it. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Step } from '#domain';
import type { SharedBounds } from './bounds/shared.ts';
import type { Dialect } from './dialect.ts';
import type { FaultInjector } from './faults/injector.ts';
import type { HttpThreads } from './http-threads/http-threads.ts';
import type { KeyMakers, KeyRegistry } from './keys/port.ts';
import type { Certificate, OwnListener } from './listeners.ts';
import type { CallWatcher } from './plugins/calls.ts';
import type { Gauge } from './plugins/gauge.ts';
import type { Timings } from './plugins/timings.ts';
import type { Services } from './services.ts';
import type { Monitors, Sessions } from './sessions.ts';
import type { StreamLimits } from './streams/limits.ts';

/** Something an operator has to look after while the venue trades on. */
export interface Degradation {
  readonly kind:
    | 'instrument_suspended'
    | 'command_withheld'
    | 'clock_skew'
    | 'history_stopped'
    | 'snapshot_failed'
    | 'journal_damaged'
    | 'history_damaged'
    | 'disk_low'
    | 'log_filling';
  /** The pair, contract, command or part of the venue it is about. */
  readonly subject: string;
  readonly text: string;
}

/** With those who decide what the venue's log holds. */
export interface Contact {
  /** Whether what this process shows is no older than it may be. */
  readonly isFresh: boolean;
  /** Resolves once it is; rejects with VenueHalted when that cannot be known. */
  ensure(): Promise<void>;
  /** How long ago they were last heard of. */
  readonly contactAgeMs: number;
}

export interface AppOptions extends Services {
  /** What is spoken; the first one also words the refusals of paths that belong to none. */
  readonly dialects: readonly [Dialect, ...Dialect[]];
  readonly keys: KeyRegistry;
  /** Of persons who sign in; without it nobody does. */
  readonly sessions?: Sessions | undefined;
  /** What persons who have made keys may do; without it their keys are worth nothing. */
  readonly makers?: KeyMakers | undefined;
  /** Who reads the metrics besides those who may by their address; nobody without it. */
  readonly monitors?: Monitors;
  /** False switches every rate limit off. */
  readonly rateLimits: boolean;
  /** From how much lag of the thread on work is refused; as shipped without it. */
  readonly shedLagMs?: number | undefined;
  /** How what is shown is known to be new where others write; without it this process does. */
  readonly contact?: Contact;
  /** What bounds accounts where several processes serve the venue; without it this one does. */
  readonly bounds?: SharedBounds;
  readonly log: Logger;
  /** Is shown every call that was answered; without it nobody is. */
  readonly onCall?: CallWatcher | undefined;
  /** Proxies whose X-Forwarded-For is believed: addresses or CIDR blocks; empty for none. */
  readonly trustedProxies: readonly string[];
  /** Names it is served under besides loopback and addresses; without them none is checked. */
  readonly hosts?: readonly string[];
  /** Who reads the metrics besides this machine and operators: addresses or CIDR blocks. */
  readonly scrapers?: readonly string[];
  /** A listener apart for operator, desk and metrics, to listen once the app does. */
  readonly operatorListener?: OwnListener;
  /** Threads that speak HTTP instead of the app's own server, to listen once it is ready. */
  readonly httpThreads?: HttpThreads;
  /** Serves TLS with it; plain HTTP without. */
  readonly tls?: Certificate;
  /** Why the venue takes no commands; undefined while it does. */
  notReadyReason(): string | undefined;
  /** Whether nothing that it says is to be believed: then it answers a supervisor alone. */
  readonly isSuspended?: () => boolean;
  /** What is wrong while it does; without it nothing ever is. */
  readonly degradations?: () => readonly Degradation[];
  /** What /health/ready says besides whether it is. */
  readonly status?: () => Readonly<Record<string, string | number>>;
  readonly gauges: readonly Gauge[];
  /** What /metrics shows of how long others take. */
  readonly timings?: readonly Timings[];
  /** Calls back with every released step, once `live` has it. Without it there are no streams. */
  readonly follow?: (listener: (step: Step) => void) => void;
  /** Calls the listener when the venue went back to a checkpoint, after `live` has. */
  readonly followResets?: (listener: () => void) => void;
  /** The bounds of a stream connection; STREAM_LIMITS when not given. */
  readonly streamLimits?: StreamLimits;
  /** What goes wrong on purpose; only a sandbox has it. */
  readonly faults?: FaultInjector;
  /** Adds further routes, such as those of the pages, under the same errors and metrics. */
  readonly routes?: (app: FastifyInstance) => void;
}
