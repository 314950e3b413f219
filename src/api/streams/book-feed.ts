/**
 * The order book of a market as a stream: whole at first, then what changed, with what a client
 * checks its copy by. A changed level with size 0 is gone: from the book, or only from the best
 * levels that are shown.
 */
import type { InstrumentId } from '#domain';
import type { Clock } from '#kernel';
import type { DepthView, LiveMarkets } from '#market-data';
import { changedLevels } from './changed-levels.ts';
import { bookChecksum, CHECKSUM_LEVELS, type LevelText } from './checksum.ts';
import type { PublicFeed, PushAction } from './dialect.ts';

type Levels = DepthView['asks'];

/** A message about a book: levels of both sides, and what it says of the whole book. */
export interface BookMessage {
  readonly asks: readonly LevelText[];
  readonly bids: readonly LevelText[];
  /** Over the best levels of the whole book, whatever part of it is sent. */
  checksum(): number;
  /** When what is shown last changed. */
  readonly changedMs: number;
  /** What the book was numbered when this was sent, and when the message before it was. */
  readonly updateId: number;
  readonly previousId: number;
}

/** How a dialect shows the book of a market. */
export interface BookChoices {
  /** Levels of each side. */
  readonly levelsMax: number;
  /** True to send only changed levels. */
  readonly sendsChanges: boolean;
  texts(levels: Levels): LevelText[];
  /** The `data` of a push. */
  write(message: BookMessage, action: PushAction): string;
}

export class BookFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = false;
  readonly #live: LiveMarkets;
  readonly #clock: Clock;
  readonly #choices: BookChoices;
  /** The book as last sent. */
  #shown: DepthView;
  #changedMs: number;
  /** Of the last message: a change that shows in none of these levels is not sent. */
  #updateId: number;
  #previousId: number;

  constructor(
    { live, clock }: { readonly live: LiveMarkets; readonly clock: Clock },
    instrumentId: InstrumentId,
    choices: BookChoices,
  ) {
    this.#live = live;
    this.#clock = clock;
    this.#choices = choices;
    this.instrumentId = instrumentId;
    this.#shown = this.#read();
    this.#changedMs = clock.nowMs();
    this.#updateId = this.#shown.updateId;
    this.#previousId = this.#updateId;
  }

  snapshot(): string {
    const { asks, bids } = this.#shown;
    return this.#write(asks, bids, 'snapshot');
  }

  update(): { readonly action: PushAction; readonly data: string } | undefined {
    if (this.#live.depthVersion(this.instrumentId) === this.#shown.version) return undefined;
    const before = this.#shown;
    this.#shown = this.#read();
    const asks = changedLevels(before.asks, this.#shown.asks, 1);
    const bids = changedLevels(before.bids, this.#shown.bids, -1);
    if (asks.length + bids.length === 0) return undefined;
    this.#changedMs = this.#clock.nowMs();
    this.#previousId = this.#updateId;
    this.#updateId = this.#shown.updateId;
    return this.#choices.sendsChanges
      ? { action: 'update', data: this.#write(asks, bids, 'update') }
      : { action: 'snapshot', data: this.snapshot() };
  }

  #read(): DepthView {
    return this.#live.depth(this.instrumentId, 0, this.#choices.levelsMax);
  }

  #write(asks: Levels, bids: Levels, action: PushAction): string {
    const { texts, write } = this.#choices;
    const message: BookMessage = {
      asks: texts(asks),
      bids: texts(bids),
      checksum: () => this.#checksum(),
      changedMs: this.#changedMs,
      updateId: this.#updateId,
      previousId: this.#previousId,
    };
    return write(message, action);
  }

  #checksum(): number {
    const { texts } = this.#choices;
    const best = (levels: Levels) => texts(levels.slice(0, CHECKSUM_LEVELS));
    return bookChecksum(best(this.#shown.asks), best(this.#shown.bids));
  }
}
