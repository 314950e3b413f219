/**
 * A follower's way to its leader: one connection to the holder of the claim that is in force, made
 * again when it ends, until another claim is followed.
 */
import type { Claim } from '#log';
import { LinkClient, type LinkClientOptions } from './link-client.ts';
import type { AnswerRow, RefusedRow } from './link-messages.ts';

export interface LeaderLinkOptions extends Pick<LinkClientOptions, 'secret'> {
  /** Which sender this is. */
  readonly sender: () => string;
  /** Where the holder of a claim is reached; undefined while that is not known. */
  readonly urlOf: (claim: Claim) => string | undefined;
  /** Whether one that has ended is to be made again. */
  readonly isWanted: () => boolean;
  /** The leader speaks. */
  readonly onOpen: (link: LinkClient, claim: Claim) => void;
  readonly onBeat: LinkClientOptions['onBeat'];
  readonly onRefused: (rows: readonly RefusedRow[]) => void;
  readonly onAnswers: (rows: readonly AnswerRow[]) => void;
  /** It leads no more, and says so: what it had has not ended it. */
  readonly onNotLeading: (claim: Claim) => void;
  /** Nobody is connected any more. */
  readonly onDown: () => void;
  /** Nothing listens where the leader was: its process is gone. */
  readonly onGone: () => void;
}

const RECONNECT_MS = 50;

export class LeaderLink {
  readonly #options: LeaderLinkOptions;
  #claim: Claim | undefined;
  #link: LinkClient | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When it was last connected again without a pause. */
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(options: LeaderLinkOptions) {
    this.#options = options;
  }

  /** Connects to whoever holds this claim, and to nobody else any more. */
  follow(claim: Claim): void {
    this.leave();
    this.#claim = claim;
    this.#connect(claim);
  }

  leave(): void {
    this.#claim = undefined;
    clearTimeout(this.#timer);
    this.#link?.close();
    this.#link = undefined;
    this.#options.onDown();
  }

  #connect(claim: Claim): void {
    const { sender, urlOf, isWanted, onOpen, onRefused, onNotLeading, ...rest } = this.#options;
    if (this.#claim !== claim || !isWanted()) return;
    const url = urlOf(claim);
    if (url === undefined) {
      this.#connectLater(claim);
      return;
    }
    let wasOpen = false;
    const link = new LinkClient({
      ...rest,
      sender: sender(),
      url,
      onOpen: () => {
        wasOpen = true;
        onOpen(link, claim);
      },
      // What a former leader still says may concern what the next one has carried out.
      onRefused: (rows) => {
        if (this.#link === link) onRefused(rows);
      },
      onEnd: (why) => {
        if (why === 'not leading') onNotLeading(claim);
        if (this.#link === link) this.#again(claim, why === 'refused', wasOpen);
      },
    });
    this.#link = link;
  }

  /** Where a leader was a moment ago is looked at once: nothing shows its end sooner. */
  #again(claim: Claim, isGone: boolean, wasOpen: boolean): void {
    const nowMs = performance.now();
    this.#link = undefined;
    this.#options.onDown();
    if (isGone && this.#options.isWanted()) this.#options.onGone();
    if (!wasOpen || nowMs - this.#lookedMs < RECONNECT_MS) {
      this.#connectLater(claim);
      return;
    }
    this.#lookedMs = nowMs;
    this.#connect(claim);
  }

  #connectLater(claim: Claim): void {
    this.#timer = setTimeout(() => this.#connect(claim), RECONNECT_MS);
    this.#timer.unref();
  }
}
