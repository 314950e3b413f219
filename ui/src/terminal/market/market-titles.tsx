/** The heading of a list of markets: each title sorts by its column. */
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.ts';
import type { SortColumn, Sorting } from './market-list.ts';

export interface TitlesProps {
  readonly columns: readonly SortColumn[];
  readonly sorting: Sorting | undefined;
  readonly onSorting: (sorting: Sorting | undefined) => void;
}

export function MarketTitles({ columns, sorting, onSorting }: TitlesProps) {
  const { market } = useTexts();
  const words: Readonly<Record<SortColumn, string>> = {
    name: market.name,
    last: market.last,
    change: market.change,
    turnover: market.turnover24h,
  };
  const title = (column: SortColumn): ReactNode => {
    const isSorted = sorting?.column === column;
    const arrow = isSorted ? (sorting.isDescending ? '↓' : '↑') : '';
    return (
      <th
        key={column}
        scope="col"
        className={column === 'name' ? undefined : 'figure'}
        aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
      >
        <button
          type="button"
          className="markets-sort"
          onClick={() => onSorting(nextSorting(sorting, column))}
        >
          {words[column]} <span aria-hidden="true">{arrow}</span>
        </button>
      </th>
    );
  };
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="only-read-out">{market.group.favourites}</span>
        </th>
        {columns.map(title)}
      </tr>
    </thead>
  );
}

/** Largest first, smallest first, and then the order of the venue again. */
function nextSorting(sorting: Sorting | undefined, column: SortColumn): Sorting | undefined {
  if (sorting?.column !== column) return { column, isDescending: true };
  return sorting.isDescending ? { column, isDescending: false } : undefined;
}
