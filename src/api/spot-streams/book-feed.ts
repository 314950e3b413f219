/** The order book of a pair as a stream: whole at first, then what changed, with a checksum. */
import type { InstrumentId, SpotInstrument } from '#domain';
import { formatTrimmed } from '#kernel';
import type { DepthView, LiveMarkets } from '#market-data';
import { jsonList } from '#wire';
import { changedLevels } from '../streams/changed-levels.ts';
import { bookChecksum, CHECKSUM_LEVELS, type LevelText } from '../streams/checksum.ts';
import type { PublicFeed, PushAction } from '../streams/dialect.ts';

type Levels = DepthView['asks'];
type Level = Levels[number];

export interface BookFeedChoices {
  readonly pair: SpotInstrument;
  /** Levels of each side. */
  readonly levelsMax: number;
  /** True to send only changed levels; a level that is gone has the size 0. */
  readonly sendsChanges: boolean;
}

export class BookFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = false;
  readonly #live: LiveMarkets;
  readonly #choices: BookFeedChoices;
  readonly #nowMs: () => number;
  /** The book as last told. */
  #told: DepthView;

  constructor(live: LiveMarkets, nowMs: () => number, choices: BookFeedChoices) {
    this.#live = live;
    this.#nowMs = nowMs;
    this.#choices = choices;
    this.instrumentId = choices.pair.instrumentId;
    this.#told = this.#read();
  }

  snapshot(): string {
    const { asks, bids } = this.#told;
    return this.#encode(asks, bids);
  }

  update(): { readonly action: PushAction; readonly data: string } | undefined {
    if (this.#live.depthVersion(this.instrumentId) === this.#told.version) return undefined;
    const before = this.#told;
    const now = this.#read();
    this.#told = now;
    const asks = changedLevels(before.asks, now.asks, 1);
    const bids = changedLevels(before.bids, now.bids, -1);
    if (asks.length === 0 && bids.length === 0) return undefined;
    return this.#choices.sendsChanges
      ? { action: 'update', data: this.#encode(asks, bids) }
      : { action: 'snapshot', data: this.#encode(now.asks, now.bids) };
  }

  #read(): DepthView {
    return this.#live.depth(this.instrumentId, 0, this.#choices.levelsMax);
  }

  #encode(asks: Levels, bids: Levels): string {
    const encode = (level: Level) => JSON.stringify(this.#text(level));
    const checksum = bookChecksum(this.#best(this.#told.asks), this.#best(this.#told.bids));
    return (
      `[{"asks":${jsonList(asks, encode)},"bids":${jsonList(bids, encode)},` +
      `"checksum":${checksum},"ts":"${this.#nowMs()}"}]`
    );
  }

  #best(levels: Levels): LevelText[] {
    return levels.slice(0, CHECKSUM_LEVELS).map((level) => this.#text(level));
  }

  #text([priceTicks, lots]: Level): LevelText {
    const { priceScale, quantityScale } = this.#choices.pair;
    return [formatTrimmed(priceTicks, priceScale), formatTrimmed(lots, quantityScale)];
  }
}
