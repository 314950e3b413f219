/** The scrub of the history in PostgreSQL: a row that anybody has changed by hand is found, too. */
import { HistoryAway, type HistoryScrub } from '../port.ts';
import { RowScrub } from '../rows/row-scrub.ts';
import { openReadingPool } from './connection.ts';
import { asUnusable } from './errors.ts';
import { placeOf } from './place.ts';

export function openPostgresScrub(url: string): HistoryScrub {
  const place = placeOf(url);
  const pool = openReadingPool(
    url,
    (error) => asUnusable(place, error),
    async () => {},
  );
  return new RowScrub({
    place,
    db: pool.db,
    faultOf: (error) => (error instanceof HistoryAway ? undefined : String(error)),
    forget: () => undefined,
    close: pool.close,
  });
}
