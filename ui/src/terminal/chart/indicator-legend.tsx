/** Name, settings and values of each indicator, at the top of its pane; each opens the settings. */
import { useEffect, useRef, useState } from 'react';
import { type IndicatorChoice, settingsText } from '../../model/indicators.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ChartView } from './chart-view.ts';
import { IndicatorDialog } from './indicator-dialog.tsx';
import type { Reading } from './indicator-painter.ts';

/** "EMA 20". */
export function indicatorName(choice: IndicatorChoice, chart: Texts['chart']): string {
  return `${chart.indicatorShort[choice.kind]} ${settingsText(choice)}`.trim();
}

interface IndicatorLegendProps {
  readonly view: ChartView;
  readonly readings: readonly Reading[];
}

export function IndicatorLegend({ view, readings }: IndicatorLegendProps) {
  const [isOpen, setOpen] = useState(false);
  const panes = [...Map.groupBy(readings, ({ pane }) => pane)];
  return (
    <>
      {panes.map(([pane, group]) => (
        <PaneLegend key={pane} {...{ view, pane }} readings={group} onOpen={() => setOpen(true)} />
      ))}
      {isOpen ? (
        <IndicatorDialog instrument={view.instrument} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

interface PaneLegendProps extends IndicatorLegendProps {
  readonly pane: number;
  readonly onOpen: () => void;
}

function PaneLegend({ view, pane, readings, onOpen }: PaneLegendProps) {
  const { chart } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = (): void => {
      if (box.current === null) return;
      box.current.style.transform = `translateY(${view.indicatorPainter.topOf(pane)}px)`;
    };
    place();
    return view.onPaint(place);
  }, [view, pane]);
  return (
    <div className={`indicator-legend ${pane === 0 ? 'indicator-legend-prices' : ''}`} ref={box}>
      {readings.map(({ id, choice, values }) => (
        <button
          key={id}
          type="button"
          className="indicator-line"
          title={chart.settingsOf(indicatorName(choice, chart))}
          onClick={onOpen}
        >
          <span className="chart-label">{indicatorName(choice, chart)}</span>
          {values.map(({ name, text, colour }) => (
            <span key={name} style={{ color: colour }}>
              {text}
            </span>
          ))}
        </button>
      ))}
    </div>
  );
}
