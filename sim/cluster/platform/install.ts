/**
 * Puts simulated ones in the place of clocks, timers, files, sockets and what is random, before
 * anything of a cluster is loaded: its code runs unchanged. Only in a thread of its own.
 */
import { registerHooks } from 'node:module';
import '../drain.ts';
import { here, nowHere } from '../here.ts';
import { simulatedFetch } from './fetch.ts';

/** Which module stands in for which, and for whom. */
const STAND_INS: readonly (readonly [specifier: string, standIn: string, users: RegExp])[] = [
  ['ws', './ws.ts', /\/src\/(cluster|api\/streams)\//],
  ['@grpc/grpc-js', './grpc.ts', /\/src\/log\/etcd\//],
  ['node:http', './http.ts', /\/src\/cluster\//],
  [
    'node:crypto',
    './crypto.ts',
    /\/src\/(cluster\/(member|handshake)|log\/shared\/stored-log|log\/etcd\/store)\.ts$/,
  ],
  [
    'node:timers/promises',
    './timers-promises.ts',
    /\/src\/(cluster|venue|log\/(shared|etcd)|api|dialects)\//,
  ],
  ['node:fs', './fs.ts', /\/src\/(log\/(snapshots|files)|venue\/fault-record|cluster\/.*)\.ts$/],
];

class Timer {
  readonly #clear: () => void;

  constructor(clear: () => void) {
    this.#clear = clear;
  }

  clear(): void {
    this.#clear();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

export function install(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = STAND_INS.find(
        ([one, , users]) => one === specifier && users.test(context.parentURL ?? ''),
      );
      if (found === undefined) return nextResolve(specifier, context);
      return { url: new URL(found[1], import.meta.url).href, shortCircuit: true };
    },
  });
  Object.assign(globalThis, {
    setTimeout: (ring: () => void, ms = 1) => timer(ring, ms, false),
    setInterval: (ring: () => void, ms = 1) => timer(ring, ms, true),
    setImmediate: (act: (...given: readonly unknown[]) => void, ...given: readonly unknown[]) =>
      soon(() => act(...given)),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    fetch: simulatedFetch,
  });
  Object.defineProperty(performance, 'now', { value: nowHere });
  Object.defineProperty(Date, 'now', { value: () => Math.round(nowHere()) });
  Object.defineProperty(AbortSignal, 'timeout', { value: timeoutSignal });
}

function timer(ring: () => void, ms: number, isRepeated: boolean): Timer {
  const life = here();
  const id = life.setTimer(ms, ring, isRepeated);
  return new Timer(() => life.clearTimer(id));
}

function soon(act: () => void): Timer {
  const life = here();
  let isCleared = false;
  life.world.at(0, () => isCleared || act(), life);
  return new Timer(() => {
    isCleared = true;
  });
}

function clear(given: unknown): void {
  if (given instanceof Timer) given.clear();
}

function timeoutSignal(ms: number): AbortSignal {
  const ending = new AbortController();
  here().setTimer(ms, () => ending.abort(new Error('timeout')), false);
  return ending.signal;
}
