/** The depth chart: how much stands in the book at each price or better. */
import { type MouseEvent, useState } from 'react';
import { Skeleton } from '../../look/mod.ts';
import { type BookLine, depthCurve, middleOf } from '../../model/book-view.ts';
import { scaledNumber } from '../../model/numbers.ts';
import { createKept } from '../../store/kept.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { type BookView, useBook } from './book-feed.ts';
import {
  AXIS_PIXELS,
  area,
  type DepthScale,
  lineAt,
  outline,
  ticksAt,
  xOf,
  yOf,
} from './depth-shape.ts';
import { lotsText, ticksText } from './price-text.ts';
import { Segments } from './segments.tsx';
import { useIsStale } from './use-freshness.ts';
import { useSize } from './use-size.ts';

/** How far to either side of the middle, in per cent. */
const REACHES = ['0.5', '1', '2', '5', '10'] as const;
const PPM_PER_PERCENT = 10_000;
const reach = createKept('outcry.depth', REACHES, '1');
/** Where on the axis prices stand, from the left edge (-1) to the right one (1). */
const AXIS_MARKS = [-0.8, -0.4, 0, 0.4, 0.8];

export function DepthChart() {
  const instrument = useInstrument();
  return instrument === undefined ? null : (
    <InstrumentDepth key={instrument.symbol} instrument={instrument} />
  );
}

function InstrumentDepth({ instrument }: { readonly instrument: Instrument }) {
  const { market } = useTexts();
  const view = useBook(instrument);
  const isStale = useIsStale();
  const percent = useStore(reach);
  const isOld = isStale || view?.isResyncing === true;
  return (
    <div className="depth" data-state={isOld ? 'old' : 'live'}>
      <div className="chart-tools">
        <Segments
          label={market.reach}
          value={percent}
          onValue={reach.set}
          segments={REACHES.map((choice) => ({ choice, title: `±${choice}%` }))}
        />
        <span className="market-old" role="status">
          {isStale ? market.stale : view?.isResyncing === true ? market.resyncing : null}
        </span>
      </div>
      {view === undefined ? (
        <Skeleton lines={12} />
      ) : (
        <Curve {...{ instrument, view }} reachPpm={Number(percent) * PPM_PER_PERCENT} />
      )}
    </div>
  );
}

interface CurveProps {
  readonly instrument: Instrument;
  readonly view: BookView;
  readonly reachPpm: number;
}

function Curve({ instrument, view: { book }, reachPpm }: CurveProps) {
  const { market } = useTexts();
  const [box, size] = useSize<HTMLDivElement>();
  const [pointedX, pointAt] = useState<number | undefined>();
  const middleTicks = middleOf(book.asks, book.bids);
  const point = (event: MouseEvent): void => {
    pointAt(event.clientX - event.currentTarget.getBoundingClientRect().left);
  };
  if (middleTicks === undefined) {
    return (
      <div className="depth-body" ref={box}>
        <p className="empty">{market.emptyBook}</p>
      </div>
    );
  }
  const asks = depthCurve(book.asks, 'asks', middleTicks, reachPpm);
  const bids = depthCurve(book.bids, 'bids', middleTicks, reachPpm);
  const lotsMax = Math.max(asks.at(-1)?.cumulatedLots ?? 0, bids.at(-1)?.cumulatedLots ?? 0, 1);
  const reachTicks = (middleTicks * reachPpm) / 1_000_000;
  const scale: DepthScale = { ...size, middleTicks, reachTicks, lotsMax };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only follows the cursor
    <div
      className="depth-body"
      ref={box}
      onMouseMove={point}
      onMouseLeave={() => pointAt(undefined)}
    >
      <svg
        className="depth-picture"
        role="img"
        aria-label={market.depthOf(instrument.title)}
        width={size.width}
        height={size.height}
      >
        <Side side="bids" lines={bids} scale={scale} />
        <Side side="asks" lines={asks} scale={scale} />
        <Axis instrument={instrument} scale={scale} />
        {pointedX === undefined ? null : (
          <Pointer {...{ instrument, asks, bids, scale }} x={pointedX} />
        )}
      </svg>
    </div>
  );
}

interface SideProps {
  readonly side: 'asks' | 'bids';
  readonly lines: readonly BookLine[];
  readonly scale: DepthScale;
}

function Side({ side, lines, scale }: SideProps) {
  return (
    <>
      <path className={`depth-area depth-${side}`} d={area(lines, scale)} />
      <path className={`depth-outline depth-${side}`} d={outline(lines, scale)} />
    </>
  );
}

interface AxisProps {
  readonly instrument: Instrument;
  readonly scale: DepthScale;
}

function Axis({ instrument, scale }: AxisProps) {
  const { height, middleTicks, reachTicks, width } = scale;
  const floor = height - AXIS_PIXELS;
  const step = scaledNumber(instrument.priceStep, instrument.priceScale);
  return (
    <>
      <line className="depth-floor" x1={0} x2={width} y1={floor} y2={floor} />
      {AXIS_MARKS.map((mark) => {
        const ticks = Math.round((middleTicks + mark * reachTicks) / step) * step;
        return (
          <text key={mark} className="depth-text depth-mark" x={xOf(ticks, scale)} y={height - 6}>
            {ticksText(ticks, instrument.priceScale, 1)}
          </text>
        );
      })}
    </>
  );
}

interface PointerProps extends AxisProps {
  readonly asks: readonly BookLine[];
  readonly bids: readonly BookLine[];
  readonly x: number;
}

/** The price under the cursor, and how much stands there or better. */
function Pointer({ instrument, asks, bids, scale, x }: PointerProps) {
  const { market } = useTexts();
  const line = lineAt(asks, bids, ticksAt(x, scale), scale.middleTicks);
  if (line === undefined) return null;
  const { priceScale, quantityScale, quantityUnit } = instrument;
  const y = yOf(line.cumulatedLots, scale);
  const isLeft = x < scale.width / 2;
  const unit = quantityUnit === '' ? market.contracts : quantityUnit;
  const price = ticksText(line.priceTicks, priceScale, 1);
  return (
    <>
      <line className="depth-floor" x1={x} x2={x} y1={0} y2={scale.height - AXIS_PIXELS} />
      <circle className="depth-point" cx={x} cy={y} r={4} />
      <text
        className={isLeft ? 'depth-text' : 'depth-text depth-text-left'}
        x={isLeft ? x + 8 : x - 8}
        y={Math.max(14, y - 10)}
      >
        {`${price} · ${lotsText(line.cumulatedLots, quantityScale)} ${unit}`}
      </text>
    </>
  );
}
