/** The settled funding rates of a contract, for the indicator; pairs have none. */
import type { SettledRate } from '../../model/funding-line.ts';
import { publicGet } from '../../wire/rest.ts';
import type { Instrument } from '../context.ts';
import { indicators } from './chart-settings.ts';

interface FundingRow {
  readonly fundingRate: string;
  readonly fundingTime: number | string;
}

const ROWS = 500;
/** Rates are settled every few hours. */
const READ_EVERY_MS = 60_000;

/** Reads them while the indicator is on the chart, and again each minute. Returns how to stop. */
export function followFunding(
  instrument: Instrument,
  take: (rates: readonly SettledRate[]) => void,
): () => void {
  if (instrument.kind !== 'contract') return () => undefined;
  const symbol = `${instrument.base}${instrument.quote}`;
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
  const path = '/capi/v3/market/fundingRate';
  const rows = await publicGet<readonly FundingRow[]>(path, { symbol, limit: ROWS });
  return rows
    .map(({ fundingRate, fundingTime }) => ({
      timeMs: Number(fundingTime),
      rate: Number(fundingRate),
    }))
    .sort((one, other) => one.timeMs - other.timeMs);
}
