/** The star of a market: pressed, it is one of the favourites. */
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Instrument } from '../context.ts';
import { favourites, toggleFavourite } from './favourites.ts';
import { useMarketName } from './market-name.ts';

export function MarketStar({ instrument }: { readonly instrument: Instrument }) {
  const { market } = useTexts();
  const isFavourite = useStore(favourites, (known) => known.includes(instrument.symbol));
  return (
    <button
      type="button"
      className="star"
      aria-label={market.favourite(useMarketName(instrument))}
      aria-pressed={isFavourite}
      onClick={(event) => {
        // The row that it stands in would choose the market.
        event.stopPropagation();
        toggleFavourite(instrument.symbol);
      }}
    >
      {isFavourite ? '★' : '☆'}
    </button>
  );
}
