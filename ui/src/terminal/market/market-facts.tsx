/** The line of market facts: last price, 24 hours, and for contracts mark, index and funding. */
import { useEffect, useState } from 'react';
import { directionOf, Fact, Figure } from '../../look/mod.ts';
import { compact, grouped } from '../../model/numbers.ts';
import { countdown } from '../../model/times.ts';
import { useTexts } from '../../texts/texts.ts';
import { venueNowMs, venueTimeMs } from '../../wire/clock.ts';
import {
  type ContractInstrument,
  type Instrument,
  type Ticker,
  useInstrument,
} from '../context.ts';
import { MarketInfoButton } from './market-info.tsx';
import { useMarketName } from './market-name.ts';
import { changeText, priceText } from './price-text.ts';
import { useTicker } from './ticker-feed.ts';
import { useIsStale } from './use-freshness.ts';

const SECOND_MS = 1_000;

export function MarketFacts() {
  const instrument = useInstrument();
  return instrument === undefined ? null : <Facts key={instrument.symbol} {...{ instrument }} />;
}

function Facts({ instrument }: { readonly instrument: Instrument }) {
  const { market } = useTexts();
  const isStale = useIsStale();
  const view = useTicker(instrument);
  const { priceScale } = instrument;
  const ticker = view?.ticker;
  const last = ticker === undefined ? undefined : priceText(ticker.last, priceScale);
  useTitle(last, useMarketName(instrument));
  return (
    <section
      className="facts"
      aria-label={market.facts}
      data-state={isStale ? 'old' : 'live'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus
      tabIndex={0}
    >
      <div className="facts-last">
        <Figure text={last} direction={view?.direction ?? 'none'} />
        {isStale ? <span className="market-old">{market.stale}</span> : null}
      </div>
      {instrument.kind === 'contract' ? <MarkFacts {...{ instrument, ticker }} /> : null}
      <DayFacts instrument={instrument} ticker={ticker} />
      {instrument.kind === 'contract' ? <FundingFacts {...{ instrument, ticker }} /> : null}
    </section>
  );
}

/** The last price is seen in the title of the tab as well. */
function useTitle(last: string | undefined, title: string): void {
  useEffect(() => {
    document.title = last === undefined ? `${title} | Outcry` : `${last} ${title} | Outcry`;
  }, [last, title]);
}

interface DayFactsProps {
  readonly instrument: Instrument;
  readonly ticker: Ticker | undefined;
}

function DayFacts({ instrument, ticker }: DayFactsProps) {
  const { market } = useTexts();
  const { priceScale, quantityUnit, money } = instrument;
  const change = ticker && changeText(ticker.change, 2);
  return (
    <>
      <Fact label={market.change} text={change} direction={directionOf(ticker?.change)} />
      <Fact label={market.high24h} text={ticker && priceText(ticker.high, priceScale)} />
      <Fact label={market.low24h} text={ticker && priceText(ticker.low, priceScale)} />
      <Fact
        label={market.volume24h}
        text={ticker && compact(ticker.volume)}
        unit={quantityUnit || market.contracts}
      />
      <Fact label={market.turnover24h} text={ticker && compact(ticker.turnover)} unit={money} />
    </>
  );
}

interface ContractFactsProps {
  readonly instrument: ContractInstrument;
  readonly ticker: Ticker | undefined;
}

function MarkFacts({ instrument, ticker }: ContractFactsProps) {
  const { market } = useTexts();
  const price = (text: string | null | undefined) => {
    return text ? priceText(text, instrument.priceScale) : undefined;
  };
  return (
    <>
      <Fact label={market.mark} text={price(ticker?.mark)} />
      <Fact label={market.index} text={price(ticker?.index)} />
    </>
  );
}

function FundingFacts({ instrument, ticker }: ContractFactsProps) {
  const { market } = useTexts();
  const nowMs = useVenueSeconds();
  const { fundingRate: rate, fundingTime, openInterest } = ticker ?? {};
  const left = fundingTime ? countdown(fundingTime - nowMs) : '–';
  return (
    <>
      <Fact label={market.funding} text={rate ? `${changeText(rate, 4)} / ${left}` : undefined} />
      <Fact
        label={market.openInterest}
        text={openInterest ? grouped(openInterest) : undefined}
        unit={market.contracts}
      />
      <MarketInfoButton instrument={instrument} />
    </>
  );
}

/** The venue's time, a second at a time; measured anew when that was long ago. */
function useVenueSeconds(): number {
  const [nowMs, setNowMs] = useState(venueNowMs);
  useEffect(() => {
    let isOver = false;
    const tick = (): void => {
      // While the venue is away the clock goes on as it was last known.
      void venueTimeMs().then(
        (timeMs) => (isOver ? undefined : setNowMs(timeMs)),
        () => (isOver ? undefined : setNowMs(venueNowMs())),
      );
    };
    tick();
    const timer = setInterval(tick, SECOND_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, []);
  return nowMs;
}
