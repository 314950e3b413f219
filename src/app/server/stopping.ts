/**
 * A stop in order, watched: what it is waiting for, and an end by force for a process whose data do
 * not depend on it.
 */
import type { Logger } from 'pino';

/** What is being closed: of all that was opened, the last part first. */
export class Stopping {
  #waitsFor: string | undefined;

  /** Undefined until a stop has begun. */
  get waitsFor(): string | undefined {
    return this.#waitsFor;
  }

  /** What was opened since the last call is closed under this name. */
  name(what: string, opened: AsyncDisposableStack): void {
    opened.defer(() => {
      this.#waitsFor = what;
    });
  }
}

/** Ends the process after so long; whoever supervises it sees that the stop did not succeed. */
export function endWithin(
  ms: number,
  waitsFor: () => string | undefined,
  log: Logger,
  end: (exitCode: number) => void = process.exit,
): void {
  const force = (): void => {
    const what = waitsFor() ?? 'what was under way before the stop';
    log.fatal({ ms, waitsFor: what }, `could not stop in order: ${what} did not end`);
    end(1);
  };
  setTimeout(force, ms).unref();
}
