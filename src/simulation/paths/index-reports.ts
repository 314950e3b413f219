/**
 * Reports the price of their coin to contracts, under the name of the feed, while its path has a
 * price. It sends nothing.
 */
import {
  type Command,
  type Contract,
  type InstrumentId,
  LIMITS,
  type StateReader,
  ticks,
} from '#domain';
import type { PriceBoard } from './price-board.ts';

/** An unchanged price is reported again this often, so that it does not go stale. */
const REPEAT_MS = 10_000;
/** A changing price is reported no more often than this. */
const CHANGE_MS = 1_000;
/**
 * How old a report may get in a contract that is given to a recording: the last one counts for so
 * long, and the index that came of it for as long again.
 */
const STALE_MS = 30_000;
/** With one source there is no majority to be outside of: any price counts. */
const OUTLIER_PPM = 999_999;

interface LastReport {
  readonly priceTicks: number;
  readonly timeMs: number;
}

export class IndexReports {
  readonly #board: PriceBoard;
  readonly #feed: string;
  readonly #last = new Map<InstrumentId, LastReport>();

  constructor(board: PriceBoard, feed: string) {
    this.#board = board;
    this.#feed = feed;
  }

  /**
   * A contract on a coin whose prices are played from a recording follows the feed alone, unless it
   * listens to it and to no book already: a gap of the recording is then a stale index, and not one
   * of the market maker's last quotes.
   */
  planFeeds({ listings }: StateReader): Command[] {
    const given = [...listings.contracts.values()].filter(
      (contract) =>
        this.#board.isRecorded(contract.baseCode) &&
        (!this.#listens(contract) || contract.indexSources.some(({ kind }) => kind === 'spot')),
    );
    return given.map(({ instrumentId, indexStaleMs }) => ({
      kind: 'update_contract',
      instrumentId,
      changes: {
        indexSources: [{ kind: 'feed', name: this.#feed, weight: 1 }],
        indexStaleMs: indexStaleMs === 0 ? STALE_MS : indexStaleMs,
        indexOutlierPpm: OUTLIER_PPM,
      },
    }));
  }

  /** The reports that are due at a time, counted from any moment. */
  plan({ listings }: StateReader, timeMs: number): Command[] {
    const due: Command[] = [];
    for (const contract of listings.contracts.values()) {
      if (!this.#listens(contract)) continue;
      const price = this.#board.priceOf(contract);
      if (price === undefined || !price.isLive) continue;
      const { instrumentId } = contract;
      const { priceTicks } = price;
      // A contract with that many decimals has no such price: its index goes stale.
      if (!(priceTicks <= LIMITS.indexTicksMax)) continue;
      if (!this.#isDue(instrumentId, priceTicks, timeMs)) continue;
      this.#last.set(instrumentId, { priceTicks, timeMs });
      const source = this.#feed;
      due.push({ kind: 'report_index', instrumentId, source, priceTicks: ticks(priceTicks) });
    }
    return due;
  }

  #listens({ indexSources }: Contract): boolean {
    return indexSources.some((source) => source.kind === 'feed' && source.name === this.#feed);
  }

  #isDue(instrumentId: InstrumentId, priceTicks: number, timeMs: number): boolean {
    const last = this.#last.get(instrumentId);
    if (last === undefined) return true;
    return timeMs - last.timeMs >= (last.priceTicks === priceTicks ? REPEAT_MS : CHANGE_MS);
  }
}
