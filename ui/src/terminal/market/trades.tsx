/** Recent public trades, newest first. */
import { memo } from 'react';
import { Skeleton, Time } from '../../look/mod.ts';
import { fixed, grouped } from '../../model/numbers.ts';
import type { TradeLine } from '../../model/trades.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { useTrades } from './trade-feed.ts';
import { useIsStale } from './use-freshness.ts';

export function Trades() {
  const instrument = useInstrument();
  return instrument === undefined ? null : (
    <InstrumentTrades key={instrument.symbol} instrument={instrument} />
  );
}

function InstrumentTrades({ instrument }: { readonly instrument: Instrument }) {
  const { market, layout } = useTexts();
  const lines = useTrades(instrument);
  const isStale = useIsStale();
  if (lines === undefined) return <Skeleton lines={8} />;
  return (
    <section
      className="trades"
      data-state={isStale ? 'old' : 'live'}
      aria-label={layout.trades}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus
      tabIndex={0}
    >
      <table className="trades-table">
        <thead>
          <tr>
            <th scope="col">{`${market.price} (${instrument.quote})`}</th>
            <th scope="col">{`${market.size} (${instrument.quantityUnit || market.contracts})`}</th>
            <th scope="col">{market.time}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.id} line={line} instrument={instrument} />
          ))}
        </tbody>
      </table>
      {lines.length === 0 ? <p className="empty">{market.noTrades}</p> : null}
    </section>
  );
}

interface LineProps {
  readonly line: TradeLine;
  readonly instrument: Instrument;
}

const Line = memo(function Line({ line, instrument }: LineProps) {
  const { market } = useTexts();
  const { side, price, size, time } = line;
  return (
    <tr>
      <td className={`figure direction-${side === 'buy' ? 'up' : 'down'}`}>
        <span className="only-read-out">{market[side]} </span>
        {grouped(fixed(price, instrument.priceScale))}
      </td>
      <td className="figure">{grouped(fixed(size, instrument.quantityScale))}</td>
      <td className="figure">
        <Time at={time} shape="clock" />
      </td>
    </tr>
  );
});
