/**
 * The rows of the order book, as many as there is room for. A click, or Enter on the row that the
 * arrows have reached, hands its price to the order form.
 */
import { type KeyboardEvent, memo, useId, useState } from 'react';
import { formatDecimal } from '#kernel';
import { type BookLine, type BookSide, bookLines } from '../../model/book-view.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, pickedPrice } from '../context.ts';
import type { BookView } from './book-feed.ts';
import { BookMiddle } from './book-middle.tsx';
import { useOwnPrices } from './own-orders.ts';
import { lotsText, ticksText } from './price-text.ts';
import type { ShownSides } from './shown-sides.ts';
import { useSize } from './use-size.ts';

/** Both also in market.css. */
const ROW_MIN_PIXELS = 20;
const MIDDLE_PIXELS = 36;

interface BookLadderProps {
  readonly instrument: Instrument;
  readonly view: BookView;
  readonly sides: ShownSides;
  readonly stepTicks: number;
}

export function BookLadder({ instrument, view, sides, stepTicks }: BookLadderProps) {
  const { market } = useTexts();
  const [box, { height }] = useSize<HTMLDivElement>();
  const { rows, rowPixels } = roomFor(sides, height);
  const asks = sides === 'bids' ? [] : bookLines(view.book.asks, 'asks', stepTicks, rows);
  const bids = sides === 'asks' ? [] : bookLines(view.book.bids, 'bids', stepTicks, rows);
  const shown = [...asks.toReversed(), ...bids];
  const id = useId();
  const { activeTicks, onKeyDown } = usePicking(instrument, shown, asks.length);
  const room = { rows, rowPixels, lotsMax: largest(asks, bids) };
  const side = { instrument, stepTicks, activeTicks, id, ...room };
  return (
    <div className="book-body">
      <div className="book-row book-titles" aria-hidden="true">
        <span>{`${market.price} (${instrument.quote})`}</span>
        <span>{`${market.size} (${instrument.quantityUnit || market.contracts})`}</span>
        <span>{market.total}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out from below */}
      <div
        className="book-rows"
        ref={box}
        role="grid"
        tabIndex={0}
        aria-label={market.bookHelp}
        aria-activedescendant={activeTicks === undefined ? undefined : `${id}-${activeTicks}`}
        onKeyDown={onKeyDown}
      >
        {asks.length + bids.length === 0 ? <NoLines /> : null}
        {sides === 'bids' ? null : <Lines {...side} side="asks" lines={asks.toReversed()} />}
        <BookMiddle instrument={instrument} book={view.book} />
        {sides === 'asks' ? null : <Lines {...side} side="bids" lines={bids} />}
      </div>
    </div>
  );
}

/** Read out only: a grid without a row is none. */
function NoLines() {
  const { look } = useTexts();
  return (
    // biome-ignore lint/a11y/useSemanticElements: as for the grid around it
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div role="row" className="only-read-out">
      <Cell>{look.nothing}</Cell>
    </div>
  );
}

/** How many rows a side has, and how tall they are so that they fill it. */
function roomFor(sides: ShownSides, height: number): { rows: number; rowPixels: number } {
  const pixels = Math.max(0, (height - MIDDLE_PIXELS) / (sides === 'both' ? 2 : 1));
  const rows = Math.floor(pixels / ROW_MIN_PIXELS);
  return { rows, rowPixels: rows === 0 ? ROW_MIN_PIXELS : Math.floor(pixels / rows) };
}

function largest(asks: readonly BookLine[], bids: readonly BookLine[]): number {
  return Math.max(asks.at(-1)?.cumulatedLots ?? 0, bids.at(-1)?.cumulatedLots ?? 0, 1);
}

function pick(ticks: number, { priceScale }: Instrument): void {
  pickedPrice.set({ price: formatDecimal(ticks, priceScale) });
}

/** The row that the keyboard is on, by its price: it stays there while the book moves. */
function usePicking(instrument: Instrument, shown: readonly BookLine[], asksCount: number) {
  const [chosen, choose] = useState<number | undefined>();
  const at = shown.findIndex(({ priceTicks }) => priceTicks === chosen);
  const onKeyDown = (event: KeyboardEvent): void => {
    // Between the sides when it is nowhere yet.
    const to = nextRow(event.key, at === -1 ? asksCount - 0.5 : at, shown.length);
    if (event.key === 'Enter' && at !== -1 && chosen !== undefined) pick(chosen, instrument);
    else if (event.key === 'Escape') choose(undefined);
    else if (to === undefined) return;
    else choose(shown[to]?.priceTicks);
    event.preventDefault();
  };
  return { activeTicks: at === -1 ? undefined : chosen, onKeyDown };
}

function nextRow(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, Math.ceil(at) - 1);
    case 'ArrowDown':
      return Math.min(count - 1, Math.floor(at) + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

interface LinesProps {
  readonly instrument: Instrument;
  readonly side: BookSide;
  readonly lines: readonly BookLine[];
  readonly rows: number;
  readonly rowPixels: number;
  readonly stepTicks: number;
  readonly lotsMax: number;
  readonly activeTicks: number | undefined;
  readonly id: string;
}

function Lines(props: LinesProps) {
  const { instrument, side, lines, rows, rowPixels, stepTicks, lotsMax, activeTicks, id } = props;
  const own = useOwnPrices(instrument, side, stepTicks);
  const { market } = useTexts();
  return (
    // Of one height whether full or not, so that the last price stands still.
    // biome-ignore lint/a11y/useSemanticElements: as for the grid around it
    <div
      className={`book-side book-${side}`}
      role="rowgroup"
      aria-label={market[side]}
      style={{ height: rows * rowPixels }}
    >
      {lines.map(({ priceTicks, lots, cumulatedLots }) => (
        <Line
          key={priceTicks}
          id={`${id}-${priceTicks}`}
          {...{ instrument, priceTicks, stepTicks, lots, cumulatedLots }}
          share={Math.round((cumulatedLots / lotsMax) * 1_000) / 1_000}
          rowPixels={rowPixels}
          isOwn={own.has(priceTicks)}
          isActive={priceTicks === activeTicks}
        />
      ))}
    </div>
  );
}

interface LineProps extends BookLine {
  readonly instrument: Instrument;
  readonly id: string;
  readonly stepTicks: number;
  readonly share: number;
  readonly rowPixels: number;
  readonly isOwn: boolean;
  readonly isActive: boolean;
}

const Line = memo(function Line(props: LineProps) {
  const { instrument, id, priceTicks, stepTicks, lots, cumulatedLots, share } = props;
  const { rowPixels, isOwn, isActive } = props;
  const { market } = useTexts();
  const { priceScale, quantityScale } = instrument;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the grid names the active row
    // biome-ignore lint/a11y/useSemanticElements: as for its group
    <div
      id={id}
      role="row"
      className={isActive ? 'book-row book-line book-line-active' : 'book-row book-line'}
      aria-selected={isActive}
      style={{ height: rowPixels }}
      onClick={() => pick(priceTicks, instrument)}
    >
      <span className="book-bar" style={{ transform: `scaleX(${share})` }} />
      <Cell className="book-price">
        {isOwn ? <span className="book-own" title={market.ownOrder} /> : null}
        {ticksText(priceTicks, priceScale, stepTicks)}
      </Cell>
      <Cell>{lotsText(lots, quantityScale)}</Cell>
      <Cell>{lotsText(cumulatedLots, quantityScale)}</Cell>
    </div>
  );
});

interface CellProps {
  readonly className?: string;
  readonly children: React.ReactNode;
}

function Cell({ className = '', children }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as for its row
    // biome-ignore lint/a11y/useFocusableInteractive: the grid takes the focus
    <span role="gridcell" className={`figure ${className}`}>
      {children}
    </span>
  );
}
