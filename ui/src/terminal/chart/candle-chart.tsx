/** The chart of one instrument and period. This file is loaded when it is first shown. */
import { useEffect, useId, useRef, useState } from 'react';
import { Button, Skeleton } from '../../look/mod.ts';
import { createStore, useStore } from '../../store/store.ts';
import { language, textsNow, useTexts } from '../../texts/texts.ts';
import { describeFailure } from '../../wire/failure.ts';
import { CandleLegend } from './candle-legend.tsx';
import type { CandleChartProps } from './chart-props.ts';
import { ChartSummary } from './chart-summary.tsx';
import { ChartView, NOTHING } from './chart-view.ts';
import { DrawingHand } from './drawing-hand.ts';
import { showDrawings } from './drawing-layer.ts';
import { TextQuestion } from './drawing-list.tsx';
import { DrawingTools } from './drawing-tools.tsx';
import { IndicatorLegend } from './indicator-legend.tsx';
import { OwnLevels } from './own-levels.tsx';

export { ChartButtons } from './chart-buttons.tsx';

/** A chart that is drawn, and the hand that draws on it. */
interface Drawn {
  readonly view: ChartView;
  readonly hand: DrawingHand;
}

/** Stands in while nothing is drawn. */
const NO_STATE = createStore(NOTHING);

export function CandleChart(props: CandleChartProps) {
  const { market, shell } = useTexts();
  const { instrument } = props;
  const box = useRef<HTMLDivElement>(null);
  const summaryId = useId();
  const [attempt, setAttempt] = useState(0);
  const drawn = useDrawn(box, props, attempt);
  const { isLoaded, fault, pointed, readings } = useStore(drawn?.view.state ?? NO_STATE);
  return (
    <div className="chart-stage">
      {drawn === undefined ? <div className="drawing-tools" /> : <DrawingTools hand={drawn.hand} />}
      <div className="chart-body">
        <div
          className="chart-canvas"
          ref={box}
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrows scroll it
          tabIndex={0}
          aria-label={market.chartOf(instrument.title)}
          aria-describedby={summaryId}
        />
        {drawn === undefined ? null : (
          <>
            <ChartSummary id={summaryId} view={drawn.view} />
            <IndicatorLegend view={drawn.view} readings={readings} />
            <TextQuestion hand={drawn.hand} />
            <OwnLevels view={drawn.view} />
          </>
        )}
        {pointed === undefined ? null : <CandleLegend instrument={instrument} pointed={pointed} />}
        {isLoaded || fault !== undefined ? null : <Skeleton lines={12} />}
        {isLoaded || fault === undefined ? null : (
          <div className="chart-fault" role="alert">
            <p>{faultText(fault)}</p>
            <Button onClick={() => setAttempt((count) => count + 1)}>{shell.retry}</Button>
          </div>
        )}
      </div>
    </div>
  );
}

function faultText(fault: unknown): string {
  const { code, text } = describeFailure(fault);
  return code === '' ? text : `${code} ${text}`;
}

/** Draws into the element while it stands; a new attempt begins anew. */
function useDrawn(
  box: React.RefObject<HTMLDivElement | null>,
  { instrument, row, zone }: CandleChartProps,
  attempt: number,
): Drawn | undefined {
  const [drawn, setDrawn] = useState<Drawn | undefined>();
  const locale = useStore(language);
  useEffect(() => {
    const element = box.current;
    if (element === null || attempt < 0) return;
    const view = new ChartView(element, { instrument, row, zone }, locale);
    const hand = new DrawingHand(view);
    const { chart } = textsNow();
    const ends = [hand.attach(), showDrawings(view, hand, chart.measured)];
    setDrawn({ view, hand });
    return () => {
      for (const end of ends) end();
      setDrawn(undefined);
      view.close();
    };
  }, [box, instrument, row, zone, locale, attempt]);
  return drawn;
}
