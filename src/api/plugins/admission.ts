/**
 * What is looked at before a request costs anything: whether the venue is so far behind that this
 * kind of work has to be refused, and whose turn it is. Neither reads a body nor checks a
 * signature.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Refused, refuse } from '#domain';
import type { Clock } from '#kernel';
import { FairTurns } from '../bounds/fair-turns.ts';
import { LoopLag } from '../bounds/loop-lag.ts';
import type { Dialect, Frames, Signer } from '../dialect.ts';
import type { Endpoint } from '../endpoint.ts';
import { refuseSaying } from '../refusal.ts';
import type { Gauge } from './gauge.ts';
import type { Metrics } from './metrics.ts';
import { networkOf } from './network.ts';
import { sendRefusal } from './reply.ts';

/** Kinds of work, in the order in which they are refused; what is vital never is. */
const SHED_ORDER = ['public', 'read', 'trade', 'cancel'] as const;
export type Work = (typeof SHED_ORDER)[number] | 'vital';

/** From how much lag on public data is refused; each further kind at twice as much. */
const SHED_LAG_MS = 100;

const CANCEL = /cancel/i;
/** What supervisors and monitors read. */
const VITAL_PATH = /^\/(health|metrics)(\/|$)/;

/** What an endpoint does, as far as an overload is concerned. */
export function workOf({ method, path, permission }: Endpoint): Work {
  if (permission === 'operator') return 'vital';
  if (permission === 'none') return 'public';
  if (permission === 'read' || permission === 'person') return 'read';
  return method === 'DELETE' || CANCEL.test(path) ? 'cancel' : 'trade';
}

type Lag = Pick<LoopLag, 'lagMs' | 'stop'>;

export class Admission {
  readonly turns = new FairTurns();
  readonly #lag: Lag;
  readonly #shedLagMs: number;
  /** By method and path of the endpoint. */
  readonly #works = new Map<string, Work>();
  #shedCount = 0;

  constructor(shedLagMs: number = SHED_LAG_MS, lag: Lag = new LoopLag()) {
    this.#lag = lag;
    this.#shedLagMs = shedLagMs;
  }

  learn(endpoint: Endpoint): void {
    this.#works.set(`${endpoint.method} ${endpoint.path}`, workOf(endpoint));
  }

  workAt({ method, url, routeOptions }: FastifyRequest): Work {
    const known = this.#works.get(`${method} ${routeOptions.url}`);
    return known ?? (VITAL_PATH.test(url) ? 'vital' : 'public');
  }

  /** Why work of this kind is refused now; undefined when it is not. */
  refuse(work: Work): Refused | undefined {
    if (work === 'vital') return undefined;
    if (this.#lag.lagMs < this.#shedLagMs * 2 ** SHED_ORDER.indexOf(work)) return undefined;
    this.#shedCount += 1;
    return refuse('venue_busy');
  }

  /** Has a request wait for its turn: why it may not, when too many do. */
  enter(address: string, key: string, go: () => void): Refused | undefined {
    const isIn = this.turns.enter({ from: networkOf(address), key }, go);
    return isIn ? undefined : refuseSaying('rate_exceeded', 'requests that wait for their turn');
  }

  close(): void {
    this.#lag.stop();
    this.turns.close();
  }

  get gauges(): Gauge[] {
    return [
      {
        name: 'outcry_admission_waiting_requests',
        help: 'Requests of callers with many that wait for their turn',
        read: () => this.turns.waitingCount,
      },
      {
        name: 'outcry_admission_deferred_requests',
        help: 'Requests that had to wait for their turn since the start',
        read: () => this.turns.deferredCount,
      },
      {
        name: 'outcry_shed_requests',
        help: 'Requests refused since the start because the thread was too far behind',
        read: () => this.#shedCount,
      },
      {
        name: 'outcry_loop_lag_ms',
        help: 'How far the market thread is behind with its work, for half a second or longer',
        read: () => this.#lag.lagMs,
      },
    ];
  }
}

export interface AdmissionOptions {
  readonly admission: Admission;
  readonly dialects: readonly Dialect[];
  readonly frames: Frames;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Must run before routes are added, and before what costs more. */
export function installAdmission(app: FastifyInstance, options: AdmissionOptions): void {
  const { admission, frames, clock, metrics } = options;
  const keysOf = [...new Set(options.dialects.map(({ signer }) => signer.keyOf))];
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request;
    const work = admission.workAt(request);
    const key = work === 'vital' ? work : keyShown(request, keysOf);
    const refused = admission.refuse(work) ?? admission.enter(request.ip, key, done);
    if (refused === undefined) return;
    metrics.refused(refused.reject);
    sendRefusal(reply, frames.of(url), refused, clock.nowMs());
  });
  app.addHook('preClose', async () => admission.close());
}

function keyShown(
  { headers, url: target }: FastifyRequest,
  keysOf: readonly Signer['keyOf'][],
): string {
  for (const keyOf of keysOf) {
    const key = keyOf({ headers, target });
    if (key !== '') return key;
  }
  return '';
}
