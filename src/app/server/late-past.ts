/**
 * A start that could not read the history begins with live views of its own time. Once the history
 * is back they get what was before: candles, trades and the figures of the last 24 hours.
 */
import type { Logger } from 'pino';
import type { StateReader } from '#domain';
import { fillPast } from '#venue';
import type { Recovered } from './recovered.ts';

const TRY_EVERY_MS = 1_000;

/** Tries until it has worked or the returned function is called. */
export function fillPastLater(parts: Recovered, log: Logger): () => void {
  let isOver = !parts.lacksPast;
  let timer: NodeJS.Timeout | undefined;
  const onReset = (state: StateReader): void => {
    for (const listener of parts.resetListeners) listener(state);
  };
  const fill = async (): Promise<void> => {
    try {
      await fillPast({ ...parts, onReset });
      isOver = true;
      log.info('the live views have their past again');
    } catch (error) {
      log.debug({ err: error }, 'the live views wait for the history');
      later();
    }
  };
  const later = (): void => {
    if (!isOver) timer = setTimeout(fill, TRY_EVERY_MS).unref();
  };
  later();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
