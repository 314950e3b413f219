/** How long the shared log takes, for those who watch it: only calls that it has answered count. */

/** An append of the leader, its heartbeat, or a process's question where the log ends. */
export const LOG_CALLS = ['append', 'heartbeat', 'read'] as const;
export type LogCall = (typeof LOG_CALLS)[number];

type Listener = (call: LogCall, tookMs: number) => void;

export class LogCalls {
  readonly #listeners: Listener[] = [];

  follow(listener: Listener): void {
    this.#listeners.push(listener);
  }

  async timed<T>(call: LogCall, answer: Promise<T>): Promise<T> {
    const sentMs = performance.now();
    const value = await answer;
    const tookMs = performance.now() - sentMs;
    for (const listener of this.#listeners) listener(call, tookMs);
    return value;
  }
}
