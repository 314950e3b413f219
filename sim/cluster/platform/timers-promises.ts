/** Stands in for node:timers/promises: simulated time. */
import { here } from '../here.ts';

function after(ms: number, signal?: AbortSignal): Promise<void> {
  const life = here();
  return new Promise((resolve, reject) => {
    const id = life.setTimer(ms, resolve, false);
    signal?.addEventListener(
      'abort',
      () => {
        life.clearTimer(id);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

export function setTimeout(
  ms = 1,
  _value?: unknown,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  return after(ms, options.signal);
}

export function setImmediate(): Promise<void> {
  const life = here();
  return new Promise((resolve) => life.world.at(0, resolve, life));
}
