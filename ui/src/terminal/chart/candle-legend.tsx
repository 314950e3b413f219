/** Open, high, low, close and volume of the bar under the cursor, else of the newest one. */

import { plainNumberText } from '#kernel';
import type { Bar } from '../../model/candles.ts';
import { compact, grouped } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Instrument } from '../context.ts';
import { changeText } from '../market/price-text.ts';

/** The bar that the legend shows, and the one before it. */
export interface PointedBar {
  readonly bar: Bar;
  readonly before: Bar | undefined;
}

interface CandleLegendProps {
  readonly instrument: Instrument;
  readonly pointed: PointedBar;
}

const RATIO_SCALE = 6;

export function CandleLegend({ instrument, pointed }: CandleLegendProps) {
  const { market } = useTexts();
  const { bar, before } = pointed;
  const direction = bar.close < bar.open ? 'down' : 'up';
  const price = (value: number): string => grouped(value.toFixed(instrument.priceScale));
  const from = before?.close ?? bar.open;
  const change = from === 0 ? '0' : ((bar.close - from) / from).toFixed(RATIO_SCALE);
  const figures = [
    [market.open, price(bar.open)],
    [market.high, price(bar.high)],
    [market.low, price(bar.low)],
    [market.close, price(bar.close)],
    [market.volume, `${compact(plainNumberText(bar.volume))} ${unitOf(instrument, market)}`],
  ] as const;
  return (
    <p className="chart-legend">
      {figures.map(([label, text]) => (
        <span key={label}>
          <span className="chart-label">{label}</span>{' '}
          <span className={`direction-${direction}`}>{text}</span>
        </span>
      ))}
      <span className={`direction-${direction}`}>{changeText(change, 2)}</span>
    </p>
  );
}

function unitOf(
  { quantityUnit }: Instrument,
  { contracts }: { readonly contracts: string },
): string {
  return quantityUnit === '' ? contracts : quantityUnit;
}
