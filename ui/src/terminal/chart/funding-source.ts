/** The settled funding rates of a contract, for the indicator; pairs have none. */
import { native } from '#client';
import type { SettledRate } from '../../model/funding-line.ts';
import { ask } from '../../wire/ask.ts';
import type { Instrument } from '../context.ts';
import { indicators } from './chart-settings.ts';

const ROWS = 500;
/** Rates are settled every few hours. */
const READ_EVERY_MS = 60_000;

/** Reads them while the indicator is on the chart, and again each minute. Returns how to stop. */
export function followFunding(
  instrument: Instrument,
  take: (rates: readonly SettledRate[]) => void,
): () => void {
  if (instrument.kind !== 'contract') return () => undefined;
  const { symbol } = instrument;
  let isOver = false;
  let isWanted = false;
  const read = (): void => {
    if (!isWanted || document.visibilityState !== 'visible') return;
    readRates(symbol).then(
      (rates) => (isOver ? undefined : take(rates)),
      // The old ones stay: the connection says that the venue is away.
      () => undefined,
    );
  };
  const notice = (): void => {
    const wasWanted = isWanted;
    isWanted = indicators.get().some(({ kind }) => kind === 'funding');
    if (isWanted && !wasWanted) read();
  };
  notice();
  const timer = setInterval(read, READ_EVERY_MS);
  const end = indicators.subscribe(notice);
  return () => {
    isOver = true;
    clearInterval(timer);
    end();
  };
}

async function readRates(symbol: string): Promise<readonly SettledRate[]> {
  const { rows } = await ask(native.funding, { symbol, limit: ROWS });
  return rows.map(({ time, rate }) => ({ timeMs: time, rate: Number(rate) })).reverse();
}
