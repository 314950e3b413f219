/** What the chart shows, in a sentence or two, for who does not see it. */
import { plainNumberText } from '#kernel';
import { grouped } from '../../model/numbers.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { boardOf } from './chart-settings.ts';
import type { ChartView } from './chart-view.ts';
import { indicatorName } from './indicator-legend.tsx';

interface ChartSummaryProps {
  readonly id: string;
  readonly view: ChartView;
}

export function ChartSummary({ id, view }: ChartSummaryProps) {
  const { chart } = useTexts();
  const { readings } = useStore(view.state);
  const { drawings } = useStore(boardOf(view.instrument.symbol));
  const seen = view.painter.seen;
  const from = Math.max(0, Math.floor(seen?.from ?? 0));
  const bars = view.bars.slice(from, Math.ceil(seen?.to ?? 0) + 1);
  const last = view.bars.at(-1);
  if (last === undefined || bars.length === 0) return <p id={id} className="only-read-out" />;
  const price = (value: number) => grouped(plainNumberText(view.rounded(value)));
  const low = bars.reduce((least, bar) => Math.min(least, bar.low), bars[0]?.low ?? 0);
  const high = bars.reduce((most, bar) => Math.max(most, bar.high), 0);
  const lines = readings.map(
    ({ choice, values }) =>
      `${indicatorName(choice, chart)} ${values.map(({ text }) => text).join(' ')}`,
  );
  return (
    <p id={id} className="only-read-out">
      {chart.summary(String(bars.length), price(low), price(high), price(last.close))}{' '}
      {lines.map((line) => `${line}. `)}
      {drawings.length === 0 ? '' : chart.drawingCount(drawings.length)}
    </p>
  );
}
