/** The order book: asks above, bids below, the last price between them. */
import { useState } from 'react';
import { Select, Skeleton } from '../../look/mod.ts';
import { groupSteps } from '../../model/book-view.ts';
import { scaledNumber } from '../../model/numbers.ts';
import { createKept } from '../../store/kept.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { useBook } from './book-feed.ts';
import { BookLadder } from './book-ladder.tsx';
import { ticksText } from './price-text.ts';
import { type Segment, Segments } from './segments.tsx';
import { type ShownSides, SIDES } from './shown-sides.ts';
import { useIsStale } from './use-freshness.ts';

const shownSides = createKept<ShownSides>('outcry.book.sides', SIDES, 'both');

export function Book() {
  const instrument = useInstrument();
  return instrument === undefined ? null : (
    <InstrumentBook key={instrument.symbol} instrument={instrument} />
  );
}

function InstrumentBook({ instrument }: { readonly instrument: Instrument }) {
  const { market } = useTexts();
  const view = useBook(instrument);
  const isStale = useIsStale();
  const sides = useStore(shownSides);
  const steps = useSteps(instrument, view?.book.bids[0]?.priceTicks);
  const [chosenTicks, chooseTicks] = useState<number | undefined>();
  const stepTicks = chosenTicks ?? steps[0] ?? 1;
  const isOld = isStale || view?.isResyncing === true;
  return (
    <div className="book" data-state={isOld ? 'old' : 'live'}>
      <div className="book-tools">
        <Segments
          label={market.shownSides}
          segments={sideSegments(market)}
          value={sides}
          onValue={shownSides.set}
        />
        <span className="market-old" role="status">
          {isStale ? market.stale : view?.isResyncing === true ? market.resyncing : null}
        </span>
        <Select
          label={market.grouping}
          isLabelHidden
          value={String(stepTicks)}
          choices={steps.map((step) => [
            String(step),
            ticksText(step, instrument.priceScale, step),
          ])}
          onValue={(text) => chooseTicks(Number(text))}
        />
      </div>
      {view === undefined ? (
        <Skeleton lines={12} />
      ) : (
        <BookLadder {...{ instrument, view, sides, stepTicks }} />
      )}
    </div>
  );
}

/** Chosen once per market, so that the list does not change under the reader's hand. */
function useSteps(instrument: Instrument, priceTicks: number | undefined): readonly number[] {
  const step = scaledNumber(instrument.priceStep, instrument.priceScale);
  const [steps, setSteps] = useState<readonly number[]>();
  if (steps === undefined && priceTicks !== undefined) setSteps(groupSteps(step, priceTicks));
  return steps ?? [step];
}

interface SideWords {
  readonly both: string;
  readonly bids: string;
  readonly asks: string;
}

function sideSegments(words: SideWords): readonly Segment<ShownSides>[] {
  return SIDES.map((choice) => ({
    choice,
    label: words[choice],
    title: <span className={`book-picture book-picture-${choice}`} aria-hidden="true" />,
  }));
}
