/**
 * How full the store of the shared log is. It is said before the store takes nothing more, the
 * leader trims what it can, and commands are refused before anything is done of them while there
 * is next to no room. What is not here: making room, which is trimming, compacting, and in the end
 * the operator's.
 */
import {
  type Fullness,
  fullnessOf,
  type LogRoom,
  roomTrouble,
  type SharedLog,
  SharedLogFault,
} from '#log';

/** At a hundred megabytes a second a log of 2 GiB fills its last twentieth in one. */
const LOOK_EVERY_MS = 1_000;

export interface RoomWatchOptions {
  readonly log: SharedLog;
  readonly onNotice: (text: string) => void;
  readonly onChanged: (fullness: Fullness) => void;
}

export class RoomWatch {
  readonly #options: RoomWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #seen: LogRoom | undefined;
  #fullness: Fullness = 'roomy';
  #isLooking = false;
  #isDenied = false;

  constructor(options: RoomWatchOptions) {
    this.#options = options;
  }

  /** As it was last seen; undefined before the store has told. */
  get seen(): LogRoom | undefined {
    return this.#seen;
  }

  get fullness(): Fullness {
    return this.#fullness;
  }

  /** What is wrong and what to do, for operators; undefined while there is room. */
  get trouble(): string | undefined {
    const { log } = this.#options;
    const text = this.#seen && roomTrouble(this.#seen, this.#fullness);
    return text && `${log.place} ${text}`;
  }

  start(): void {
    void this.#look();
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A store that does not answer is as it was. */
  async #look(): Promise<void> {
    const { log, onNotice } = this.#options;
    if (this.#isLooking || this.#isDenied) return;
    this.#isLooking = true;
    try {
      this.#see(await log.room());
    } catch (error) {
      if (!(error instanceof SharedLogFault)) throw error;
      if (error.kind !== 'denied') return;
      this.#isDenied = true;
      onNotice(`${log.place} does not tell this user how full it is`);
    } finally {
      this.#isLooking = false;
    }
  }

  #see(room: LogRoom): void {
    const { log, onNotice, onChanged } = this.#options;
    this.#seen = room;
    const before = this.#fullness;
    this.#fullness = fullnessOf(room, before);
    if (this.#fullness === before) return;
    onNotice(this.trouble ?? `${log.place} has room again`);
    onChanged(this.#fullness);
  }
}
