/** What the handlers and streams of a dialect work with. */
import type { Asset, Compatibility, VenuePort } from '#domain';
import type { HistoryReader } from '#history';
import type { Clock } from '#kernel';
import type { LiveMarkets } from '#market-data';

/** Of the past, streams need what open orders have been filled. */
export interface StreamServices
  extends Pick<Services, 'venue' | 'live' | 'clock' | 'historyReady'> {
  readonly history: Pick<HistoryReader, 'newestFills' | 'contractFills'>;
}

export interface Services {
  readonly venue: VenuePort;
  readonly live: LiveMarkets;
  readonly history: HistoryReader;
  /** Resolves once the history holds everything that was released before the call. */
  historyReady(): Promise<void>;
  readonly clock: Clock;
  /** A coin as requests for its money are held to; as it is listed without it. */
  readonly coinAsHeld?: (coin: Asset) => Asset;
  /** What clients disagree on; the contract's text without it. */
  readonly compatibility?: Compatibility;
}
