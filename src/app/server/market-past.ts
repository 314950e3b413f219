/**
 * The simulated market's past where candles are read: the history answers with it, and the live
 * views get it as soon as there is one. The tables of the history never hold it.
 */
import {
  CANDLE_PRICES,
  CANDLE_TIME_MAX_MS,
  type Contract,
  PERIODS,
  type SpotInstrument,
  type StateReader,
  type Step,
} from '#domain';
import type { HistoryReader } from '#history';
import { joinSeries, type LiveMarkets } from '#market-data';
import { SimulatedPast, type SimulationPlan } from '#simulation';

export class MarketPast {
  readonly #past: SimulatedPast;
  readonly #state: StateReader;
  /** In released steps: the engine is ahead of them. */
  #isOpen = false;

  constructor(plan: SimulationPlan, state: StateReader) {
    this.#past = new SimulatedPast(plan, state);
    this.#state = state;
  }

  /** A reader whose candles go on into that past; where both have a part of one, it is joined. */
  readBy(history: HistoryReader): HistoryReader {
    if (this.#past.openedBy === undefined) return history;
    const { listings } = this.#state;
    return {
      ...history,
      candles: async (query) => {
        const stored = await history.candles(query);
        const candles = joinSeries(this.#past.candles(listings, query), stored);
        return query.keep === 'oldest'
          ? candles.slice(0, query.limit)
          : candles.slice(-query.limit);
      },
      lastCandleBefore: async (candles, timeMs) => {
        const stored = await history.lastCandleBefore(candles, timeMs);
        const window = { fromMs: 0, toMs: timeMs - 1, limit: 1, keep: 'newest' } as const;
        const earlier = this.#past.candles(listings, { ...candles, ...window });
        return joinSeries(earlier, stored === undefined ? [] : [stored]).at(-1);
      },
    };
  }

  /** Called with every released step, once the views have it. */
  onStep({ events }: Step, live: LiveMarkets): void {
    const { openedBy } = this.#past;
    if (openedBy === undefined) return;
    for (const event of events) {
      if (event.kind === 'account_created' && event.settings.name === openedBy) {
        this.#isOpen = true;
        this.#fillAll(live);
      } else if (this.#isOpen && event.kind === 'spot_listed') this.#fill(live, event.instrument);
      else if (this.#isOpen && event.kind === 'contract_listed') this.#fill(live, event.contract);
    }
  }

  /** The views begin with this state: at the start, and when the venue has gone back to another. */
  begin(state: StateReader, live: LiveMarkets): void {
    this.#isOpen = this.#hasOpened(state);
    if (this.#isOpen) this.#fillAll(live);
  }

  #hasOpened(state: StateReader): boolean {
    const { openedBy } = this.#past;
    return openedBy !== undefined && state.accountByName(openedBy) !== undefined;
  }

  #fillAll(live: LiveMarkets): void {
    for (const market of live.listings.instruments) this.#fill(live, market);
  }

  #fill(live: LiveMarkets, market: SpotInstrument | Contract): void {
    const { instrumentId } = market;
    const window = { fromMs: 0, toMs: CANDLE_TIME_MAX_MS, keep: 'newest' } as const;
    for (const price of 'base' in market ? (['last'] as const) : CANDLE_PRICES) {
      for (const { period } of PERIODS) {
        const of = { instrumentId, period, price };
        live.precede(instrumentId, period, price, (limit) =>
          this.#past.candles(live.listings, { ...of, ...window, limit }),
        );
      }
    }
  }
}
