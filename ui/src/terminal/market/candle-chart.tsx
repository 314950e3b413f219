/** Candles of one instrument and period on a canvas. This file is loaded when it is first shown. */
import { useEffect, useRef, useState } from 'react';
import { Button, Skeleton, theme, timesIn, type Zone } from '../../look/mod.ts';
import type { CandleChange } from '../../model/candles.ts';
import { isIntraday, type PeriodRow } from '../../model/periods.ts';
import { atNextFrame, createStore, type Store, useStore } from '../../store/store.ts';
import { language, useTexts } from '../../texts/texts.ts';
import { describeFailure } from '../../wire/failure.ts';
import type { Instrument } from '../context.ts';
import { CandleLegend, type PointedBar } from './candle-legend.tsx';
import { CandlePainter } from './candle-painter.ts';
import { CandleSource } from './candle-source.ts';

const ALL: CandleChange = { kind: 'all' };

interface ChartState {
  readonly isLoaded: boolean;
  readonly fault: unknown;
  readonly pointed: PointedBar | undefined;
}

const NOTHING: ChartState = { isLoaded: false, fault: undefined, pointed: undefined };

export interface CandleChartProps {
  readonly instrument: Instrument;
  readonly row: PeriodRow;
  /** In which its times are shown. */
  readonly zone: Zone;
}

export function CandleChart({ instrument, row, zone }: CandleChartProps) {
  const { market, shell } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const [store] = useState(() => createStore(NOTHING));
  const [attempt, setAttempt] = useState(0);
  const { isLoaded, fault, pointed } = useStore(store);
  const locale = useStore(language);
  useEffect(() => {
    const element = box.current;
    // A new attempt begins anew.
    return element === null || attempt < 0
      ? undefined
      : draw(element, { instrument, row, zone }, locale, store);
  }, [instrument, row, zone, locale, store, attempt]);
  return (
    <div className="chart-body">
      <div
        className="chart-canvas"
        ref={box}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrows scroll it
        tabIndex={0}
        aria-label={market.chartOf(instrument.title)}
      />
      {pointed === undefined ? null : <CandleLegend instrument={instrument} pointed={pointed} />}
      {isLoaded || fault !== undefined ? null : <Skeleton lines={12} />}
      {isLoaded || fault === undefined ? null : (
        <div className="chart-fault" role="alert">
          <p>{faultText(fault)}</p>
          <Button onClick={() => setAttempt((count) => count + 1)}>{shell.retry}</Button>
        </div>
      )}
    </div>
  );
}

function faultText(fault: unknown): string {
  const { code, text } = describeFailure(fault);
  return code === '' ? text : `${code} ${text}`;
}

/** Draws into the element until the returned function is called. */
function draw(
  element: HTMLElement,
  { instrument, row, zone }: CandleChartProps,
  locale: string,
  store: Store<ChartState>,
): () => void {
  store.set(NOTHING);
  let pointedAt: number | undefined;
  let due: CandleChange = { kind: 'none' };
  const point = (): void => {
    const at = pointedAt ?? source.bars.length - 1;
    const bar = source.bars[at];
    const pointed = bar === undefined ? undefined : { bar, before: source.bars[at - 1] };
    store.set((now) => ({ ...now, pointed }));
  };
  const painter = new CandlePainter(element, {
    instrument,
    locale,
    times: isIntraday(row) ? timesIn(zone) : undefined,
    onNearStart: () => source.readOlder(),
    onPoint: (at) => {
      pointedAt = at;
      point();
    },
  });
  const paint = (): void => {
    if (isOver) return;
    const change = due;
    due = { kind: 'none' };
    painter.paint(source.bars, change);
    point();
  };
  const source = new CandleSource(instrument, row, {
    onChange: (change) => {
      due = joined(due, change);
      store.set((now) => ({ ...now, isLoaded: true, fault: undefined }));
      atNextFrame(paint);
    },
    onFault: (fault) => store.set((now) => ({ ...now, fault })),
  });
  let isOver = false;
  const endTheme = theme.subscribe(() => {
    painter.paintTheme();
    painter.paint(source.bars, ALL);
  });
  return () => {
    isOver = true;
    endTheme();
    source.close();
    painter.remove();
  };
}

/** What has to be painted after both. */
function joined(one: CandleChange, other: CandleChange): CandleChange {
  if (one.kind === 'none') return other;
  if (other.kind === 'none') return one;
  if (one.kind === 'all' || other.kind === 'all') return ALL;
  return { kind: 'tail', from: Math.min(one.from, other.from) };
}
