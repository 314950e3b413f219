/** The candle chart with its periods; what draws it is loaded when it is first shown. */
import { lazy, Suspense } from 'react';
import type { Period } from '#domain';
import { Skeleton } from '../../look/mod.ts';
import { PERIODS, type PeriodRow, periodRow } from '../../model/periods.ts';
import { createKept } from '../../store/kept.ts';
import { useStore } from '../../store/store.ts';
import { type Texts, useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { Segments } from './segments.tsx';
import { useIsStale } from './use-freshness.ts';

const CandleChart = lazy(() => import('./candle-chart.tsx'));

const chosenPeriod = createKept<Period>(
  'outcry.period',
  PERIODS.map(({ period }) => period),
  '1min',
);
/** In place of a period that contracts do not have. */
const CONTRACT_PERIOD: Period = '1d';

export function Chart() {
  const { market, shell } = useTexts();
  const instrument = useInstrument();
  const chosen = useStore(chosenPeriod);
  if (instrument === undefined) return null;
  const periods = periodsOf(instrument);
  const row = periods.find(({ period }) => period === chosen) ?? periodRow(CONTRACT_PERIOD);
  return (
    <div className="chart">
      <div className="chart-tools">
        <Segments
          label={market.period}
          value={row.period}
          onValue={chosenPeriod.set}
          segments={periods.map(({ period }) => ({ choice: period, title: periodName(period) }))}
        />
        <span className="chart-zone">
          <Staleness instrument={instrument} market={market} /> UTC
        </span>
      </div>
      <Suspense fallback={<Skeleton lines={12} />}>
        <CandleChart key={`${instrument.symbol} ${row.period}`} {...{ instrument, row }} />
      </Suspense>
      <p className="chart-foot">
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          {shell.chartBy}
        </a>
      </p>
    </div>
  );
}

function periodsOf({ kind }: Instrument): readonly PeriodRow[] {
  return PERIODS.filter(({ swapSeconds }) => kind === 'spot' || swapSeconds !== undefined);
}

/** As in 15m and 4H, whatever the language: M is a month. */
function periodName(period: Period): string {
  return period.replace('min', 'm').replace(/[hdw]$/, (unit) => unit.toUpperCase());
}

interface StalenessProps {
  readonly instrument: Instrument;
  readonly market: Texts['market'];
}

function Staleness({ instrument, market }: StalenessProps) {
  const isStale = useIsStale(instrument);
  return (
    <span className="market-old" role="status">
      {isStale ? market.stale : null}
    </span>
  );
}
