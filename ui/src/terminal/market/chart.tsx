/** The candle chart with its periods; what draws it is loaded when it is first shown. */
import { type ComponentType, useEffect } from 'react';
import type { Period } from '#domain';
import { Button, Skeleton, type Zone, zone } from '../../look/mod.ts';
import { isIntraday, PERIODS, periodRow } from '../../model/periods.ts';
import { createKept } from '../../store/kept.ts';
import { createStore, useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import type { CandleChartProps } from '../chart/chart-props.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { Segments } from './segments.tsx';
import { useIsStale } from './use-freshness.ts';
// Not with what draws it: a style that failed to load then would not be asked for again.
import '../chart/chart.css';

interface Drawing {
  readonly CandleChart: ComponentType<CandleChartProps> | undefined;
  readonly ChartButtons: ComponentType<ButtonsProps> | undefined;
  /** Whether the last attempt to load it has failed. */
  readonly isMissing: boolean;
}

interface ButtonsProps {
  readonly instrument: Instrument;
}

const AWAITED: Drawing = { CandleChart: undefined, ChartButtons: undefined, isMissing: false };
const drawing = createStore<Drawing>(AWAITED);

const chosenPeriod = createKept<Period>(
  'outcry.period',
  PERIODS.map(({ period }) => period),
  '1min',
);

export function Chart() {
  const { market, shell } = useTexts();
  const instrument = useInstrument();
  const chosen = useStore(chosenPeriod);
  const chosenZone = useStore(zone);
  if (instrument === undefined) return null;
  const row = periodRow(chosen);
  // A candle of a day or more is one of UTC days, whatever the reader's zone.
  const shownZone: Zone = isIntraday(row) ? chosenZone : 'utc';
  return (
    <div className="chart">
      <div className="chart-tools">
        <Segments
          label={market.period}
          value={row.period}
          onValue={chosenPeriod.set}
          segments={PERIODS.map(({ period }) => ({ choice: period, title: periodName(period) }))}
        />
        <LoadedButtons instrument={instrument} />
      </div>
      <LoadedChart
        key={`${instrument.symbol} ${row.period} ${shownZone}`}
        {...{ instrument, row }}
        zone={shownZone}
      />
      <p className="chart-foot">
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          {shell.chartBy}
        </a>
        <span className="chart-zone">
          <Staleness market={market} /> {shell.zones[shownZone]}
        </span>
      </p>
    </div>
  );
}

/** A venue that went away before its chart was loaded takes nothing else from the page. */
function LoadedChart(props: CandleChartProps) {
  const { market, shell } = useTexts();
  const { CandleChart, isMissing } = useStore(drawing);
  const isStale = useIsStale();
  useEffect(() => {
    if (!isStale || drawing.get() === AWAITED) loadDrawing();
  }, [isStale]);
  if (CandleChart !== undefined) return <CandleChart {...props} />;
  if (!isMissing) {
    return (
      <div className="chart-body">
        <Skeleton lines={12} />
      </div>
    );
  }
  return (
    <div className="chart-body">
      <div className="chart-fault" role="alert">
        <p>{market.noChart}</p>
        <Button onClick={loadDrawing}>{shell.retry}</Button>
      </div>
    </div>
  );
}

function LoadedButtons({ instrument }: ButtonsProps) {
  const { ChartButtons } = useStore(drawing);
  return ChartButtons === undefined ? null : <ChartButtons instrument={instrument} />;
}

function loadDrawing(): void {
  if (drawing.get().CandleChart !== undefined) return;
  drawing.set(AWAITED);
  import('../chart/candle-chart.tsx').then(
    ({ CandleChart, ChartButtons }) => drawing.set({ CandleChart, ChartButtons, isMissing: false }),
    () => drawing.set({ ...AWAITED, isMissing: true }),
  );
}

/** As in 15m and 4H, whatever the language: M is a month. */
function periodName(period: Period): string {
  return period.replace('min', 'm').replace(/[hdw]$/, (unit) => unit.toUpperCase());
}

interface StalenessProps {
  readonly market: Texts['market'];
}

function Staleness({ market }: StalenessProps) {
  const isStale = useIsStale();
  return (
    <span className="market-old" role="status">
      {isStale ? market.stale : null}
    </span>
  );
}
