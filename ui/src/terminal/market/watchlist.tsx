/** The markets in a panel: searched, sorted, by group, and chosen with one click or Enter. */
import { useState } from 'react';
import { directionOf, Figure } from '../../look/mod.ts';
import { createKept } from '../../store/kept.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { instruments, select, tickers, useInstrument } from '../context.ts';
import { favourites } from './favourites.ts';
import {
  GROUPS,
  type Group,
  type MarketRow,
  marketRows,
  type Sorting,
  turnoverText,
} from './market-list.ts';
import { MarketStar } from './market-star.tsx';
import { MarketTitles } from './market-titles.tsx';
import { changeText, priceText } from './price-text.ts';
import { Segments } from './segments.tsx';

const COLUMNS = ['name', 'last', 'change', 'turnover'] as const;
const chosenGroup = createKept<Group>('outcry.watchlist', GROUPS, 'all');

export function Watchlist() {
  const { market } = useTexts();
  const [search, setSearch] = useState('');
  const [sorting, setSorting] = useState<Sorting | undefined>();
  const group = useStore(chosenGroup);
  const rows = marketRows(useStore(instruments), useStore(tickers), useStore(favourites), {
    ...{ group, search, sorting },
  });
  return (
    <section className="watchlist" aria-label={market.watchlist}>
      <input
        className="field-box markets-search"
        type="search"
        aria-label={market.search}
        placeholder={market.search}
        autoComplete="off"
        spellCheck={false}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Segments
        label={market.groups}
        value={group}
        onValue={chosenGroup.set}
        segments={GROUPS.map((choice) => ({ choice, title: market.group[choice] }))}
      />
      <div className="watchlist-rows">
        <table className="table">
          <caption className="only-read-out">{market.watchlist}</caption>
          <MarketTitles columns={COLUMNS} sorting={sorting} onSorting={setSorting} />
          <tbody>
            {rows.map((row) => (
              <Row key={row.instrument.symbol} row={row} />
            ))}
          </tbody>
        </table>
        {rows.length === 0 ? <p className="empty">{emptyText(group, search, market)}</p> : null}
      </div>
    </section>
  );
}

interface EmptyWords {
  readonly noneFound: string;
  readonly noFavourites: string;
}

/** Nothing starred yet is told apart from nothing found. */
export function emptyText(group: Group, search: string, words: EmptyWords): string {
  return group === 'favourites' && search.trim() === '' ? words.noFavourites : words.noneFound;
}

function Row({ row: { instrument, ticker } }: { readonly row: MarketRow }) {
  const { market } = useTexts();
  const { title, kind, priceScale, quote, symbol } = instrument;
  const isCurrent = useInstrument()?.symbol === symbol;
  return (
    <tr className={isCurrent ? 'watchlist-current' : undefined}>
      <td className="markets-star">
        <MarketStar instrument={instrument} />
      </td>
      <td>
        <button
          type="button"
          className="market-link"
          aria-current={isCurrent ? 'true' : undefined}
          onClick={() => select(symbol)}
        >
          {title} <span className="unit">{kind === 'spot' ? market.spot : market.contract}</span>
        </button>
      </td>
      <td className="figure">
        <Figure text={ticker && priceText(ticker.last, priceScale)} />
      </td>
      <td className="figure">
        <Figure
          text={ticker && changeText(ticker.change, 2)}
          direction={directionOf(ticker?.change)}
        />
      </td>
      <td className="figure">
        <Figure text={ticker && turnoverText(ticker, instrument)} unit={quote} />
      </td>
    </tr>
  );
}
