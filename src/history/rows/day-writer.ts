/** What was owned when a day began, on its way to the tables; days that are too old leave them. */
import { LIMITS } from '#domain';
import type { DayOpening } from '../day-port.ts';
import { DAY_EQUITIES, DAY_FUNDS } from '../tables/day-tables.ts';
import type { RowInsert, RowStore } from './row-store.ts';

const DAY_MS = 86_400_000;

export class DayWriter {
  readonly #store: RowStore;
  readonly #equities: RowInsert<(typeof DAY_EQUITIES)['columns']>;
  readonly #funds: RowInsert<(typeof DAY_FUNDS)['columns']>;

  constructor(store: RowStore) {
    this.#store = store;
    this.#equities = store.into(DAY_EQUITIES);
    this.#funds = store.into(DAY_FUNDS);
  }

  async open({ dayMs, equities, funds }: DayOpening, seq: number): Promise<void> {
    for (const equity of equities) this.#equities.add({ ...equity, dayMs, seq });
    for (const fund of funds) this.#funds.add({ ...fund, dayMs, seq });
    // What is on its way to the tables may be too old already.
    await this.#store.flush();
    const firstKeptMs = dayMs - (LIMITS.openingDaysMax - 1) * DAY_MS;
    for (const { name } of [DAY_EQUITIES, DAY_FUNDS]) {
      await this.#store.db.deleteFrom(name).where('day_ms', '<', firstKeptMs).execute();
    }
  }
}
