/** The candles of a market as a stream: the newest at first, then the current one as it changes. */
import type { Candle, InstrumentId } from '#domain';
import { LIMITS } from '#domain';
import type { PublicFeed } from './dialect.ts';

/** How a dialect shows the candles of a market. */
export interface CandleChoices {
  /** Rows of a snapshot. */
  readonly shownMax: number;
  /** The newest `limit` candles, or those from `fromMs` on, ascending, the current one included. */
  read(limit: number, fromMs: number | undefined): readonly Candle[];
  row(candle: Candle): string;
  /** The `data` of a push of rows, oldest first. */
  write(rows: readonly string[]): string;
}

/** A candle that is over is sent once more, as it ended; a leap of the clock begins all anew. */
export class CandleFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = false;
  readonly #choices: CandleChoices;
  /** Of the last candle sent. */
  #openTimeMs: number | undefined;
  #row: string | undefined;

  constructor(instrumentId: InstrumentId, choices: CandleChoices) {
    this.instrumentId = instrumentId;
    this.#choices = choices;
    this.update();
  }

  /** Up to the last candle sent, as it was sent. */
  snapshot(): string | undefined {
    if (this.#row === undefined) return undefined;
    return this.#choices.write([...this.#before(), this.#row]);
  }

  update() {
    const { row, write, shownMax, read } = this.#choices;
    const candles = this.#candles();
    // The clock has leapt: page by page it would take minutes to come to what is traded now.
    if (candles.length === LIMITS.candlePageMax) {
      const newest = read(shownMax, undefined);
      this.#keep(newest);
      return { action: 'snapshot', data: write(newest.map(row)) } as const;
    }
    const rows = candles.map(row);
    if (rows[0] === this.#row) rows.shift();
    if (rows.length === 0) return undefined;
    // Earlier subscribers have received no candle yet, so this one is a snapshot.
    const action = this.#row === undefined ? 'snapshot' : 'update';
    this.#keep(candles);
    return { action, data: write(rows) } as const;
  }

  #keep(sent: readonly Candle[]): void {
    const last = sent.at(-1);
    this.#openTimeMs = last?.openTimeMs;
    this.#row = last === undefined ? undefined : this.#choices.row(last);
  }

  #before(): readonly string[] {
    const { shownMax, read, row } = this.#choices;
    if (shownMax === 1) return [];
    const lastMs = this.#openTimeMs ?? 0;
    const earlier = read(shownMax, undefined).filter(({ openTimeMs }) => openTimeMs < lastMs);
    return earlier.slice(1 - shownMax).map(row);
  }

  /** From the one last sent to the current one; the current one alone to begin with. */
  #candles(): readonly Candle[] {
    const { read } = this.#choices;
    const fromMs = this.#openTimeMs;
    return read(fromMs === undefined ? 1 : LIMITS.candlePageMax, fromMs);
  }
}
