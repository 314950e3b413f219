/**
 * The book of a contract, as deep as REST shows it: all of it once, then the levels that changed. A
 * level with size 0 is gone from what is shown: from the book, or only from its best levels.
 */
import { type InstrumentId, LIMITS } from '#domain';
import { type Clock, present } from '#kernel';
import type { DepthView, LiveMarkets } from '#market-data';
import { contractLevelTexts, writeStreamLevels, writeStreamRow } from '#wire';
import { changedLevels } from '../streams/changed-levels.ts';
import { bookChecksum, CHECKSUM_LEVELS, type LevelText } from '../streams/checksum.ts';
import type { PublicFeed } from '../streams/dialect.ts';

type Levels = DepthView['asks'];

export class DepthFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = false;
  readonly #live: LiveMarkets;
  readonly #clock: Clock;
  /** The book as last shown, and since when. */
  #shown: DepthView;
  #shownMs: number;

  constructor({ live, clock }: { live: LiveMarkets; clock: Clock }, instrumentId: InstrumentId) {
    this.instrumentId = instrumentId;
    this.#live = live;
    this.#clock = clock;
    this.#shown = this.#read();
    this.#shownMs = clock.nowMs();
  }

  snapshot(): string {
    return this.#data(this.#shown.asks, this.#shown.bids);
  }

  update() {
    if (this.#live.depthVersion(this.instrumentId) === this.#shown.version) return undefined;
    const before = this.#shown;
    this.#shown = this.#read();
    const asks = changedLevels(before.asks, this.#shown.asks, 1);
    const bids = changedLevels(before.bids, this.#shown.bids, -1);
    if (asks.length + bids.length === 0) return undefined;
    this.#shownMs = this.#clock.nowMs();
    return { action: 'update', data: this.#data(asks, bids) } as const;
  }

  #read(): DepthView {
    return this.#live.depth(this.instrumentId, 0, LIMITS.contractDepthLevelsMax);
  }

  /** The checksum is over the whole book, whatever part of it is sent. */
  #data(asks: Levels, bids: Levels): string {
    const [askRows, bidRows] = [asks, bids].map((levels) => writeStreamLevels(this.#texts(levels)));
    const checksum = bookChecksum(this.#best(this.#shown.asks), this.#best(this.#shown.bids));
    const row =
      `{"asks":${askRows},"bids":${bidRows},` +
      `"checksum":${checksum},"timestamp":"${this.#shownMs}"}`;
    return `[${writeStreamRow(this.#contract(), row)}]`;
  }

  #best(levels: Levels): LevelText[] {
    return this.#texts(levels.slice(0, CHECKSUM_LEVELS));
  }

  #texts(levels: Levels): LevelText[] {
    return contractLevelTexts(this.#contract(), levels);
  }

  #contract() {
    return present(this.#live.listings.contractById(this.instrumentId), 'listed contract');
  }
}
