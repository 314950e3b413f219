/** Looks at the metrics of the venue every second while the console is open and can be seen. */
import { createStore } from '../../store/store.ts';
import { describeFailure } from '../../wire/failure.ts';
import { type Degradation, METRICS, METRICS_PAST, readiness } from '../../wire/vitals.ts';
import { operator } from '../operator.ts';
import { readReading, type Sample, withReading } from './samples.ts';

const EVERY_MS = 1_000;

export interface Vitals {
  /** Of the last ten minutes, oldest first. */
  readonly samples: readonly Sample[];
  /** Why the venue does not serve; empty when it does, undefined before the first answer. */
  readonly notReady: string | undefined;
  /** What is wrong while it does. */
  readonly degradations: readonly Degradation[];
  /** Why the last look failed; undefined when it did not. */
  readonly failure: { readonly code: string; readonly text: string } | undefined;
}

export const vitals = createStore<Vitals>({
  samples: [],
  notReady: undefined,
  degradations: [],
  failure: undefined,
});

/** The venue makes its text once a second: the same again is no second look. */
let lastText = '';

async function look(): Promise<void> {
  try {
    const metrics = operator.call(METRICS, {});
    const [text, ready] = await Promise.all([metrics, readiness()]);
    const isNew = text !== lastText;
    lastText = text;
    const reading = readReading(text, Date.now());
    vitals.set(({ samples }) => ({
      samples: isNew ? withReading(samples, reading) : samples,
      ...ready,
      failure: undefined,
    }));
  } catch (error) {
    vitals.set((now) => ({ ...now, failure: describeFailure(error) }));
  }
}

/** What the venue remembers of the time before this page: it is as good as seen. */
async function lookBack(): Promise<void> {
  const pages = operator.call(METRICS_PAST, {});
  const past = await pages.catch(() => []);
  const nowMs = Date.now();
  vitals.set((now) => {
    const [first] = now.samples;
    const before = past
      .map(({ ageMs, text }) => readReading(text, nowMs - ageMs))
      .filter(({ timeMs }) => first === undefined || timeMs < first.timeMs)
      .reduce<readonly Sample[]>(withReading, []);
    return { ...now, samples: [...before, ...now.samples] };
  });
}

/** Begins to look; what it returns ends it. What was seen is kept. */
export function startSampling(): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = async (): Promise<void> => {
    if (!document.hidden) await look();
    if (!isOver) timer = setTimeout(() => void next(), EVERY_MS);
  };
  void lookBack();
  void next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
