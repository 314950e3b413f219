/**
 * A process that starts holds the trimming of the log back until it follows it, for a bounded time:
 * else what follows its snapshot may be gone before it has read it. What it holds is room in the
 * log and nothing else: a leader that heeds no hold loses nothing but the newcomer's time.
 */
import type { Announcement, Hold, SharedLog } from '#log';

/** Then it has to begin again, as without a hold. */
const HOLD_MAX_MS = 60_000;
/** What may wait for processes that start: the log has to have room for it. */
const HELD_COMMANDS_MAX = 500_000;

/** The hold of this process. */
export class OwnHold {
  readonly #announcement: Announcement<Hold>;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  private constructor(announcement: Announcement<Hold>) {
    this.#announcement = announcement;
    this.#timer = setTimeout(() => void this.end(), HOLD_MAX_MS);
    this.#timer.unref();
  }

  /** Everything that the log has now stays, but for what a leader is trimming at this moment. */
  static async take(log: Pick<SharedLog, 'base' | 'hold'>, name: string): Promise<OwnHold> {
    const { nextSeq: fromSeq } = await log.base();
    return new OwnHold(await log.hold({ name, fromSeq }));
  }

  /** The process follows the log, or has given up. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    // Where the log is away, its lease ends by itself.
    await this.#announcement.withdraw().catch(() => undefined);
  }
}

/** Which holds of others a leader heeds, by when it has first seen each. */
export class Holds {
  readonly #sinceMs = new Map<string, number>();

  /** Up to where the log may be trimmed of what may be trimmed without holds. */
  limit(beforeSeq: number, holds: readonly Hold[], nowMs: number): number {
    const known = new Set(holds.map(keyOf));
    for (const key of this.#sinceMs.keys()) if (!known.has(key)) this.#sinceMs.delete(key);
    const heeded = holds.filter((hold) => {
      const sinceMs = this.#sinceMs.get(keyOf(hold)) ?? nowMs;
      this.#sinceMs.set(keyOf(hold), sinceMs);
      return nowMs - sinceMs < HOLD_MAX_MS && beforeSeq - hold.fromSeq <= HELD_COMMANDS_MAX;
    });
    return Math.min(beforeSeq, ...heeded.map(({ fromSeq }) => fromSeq));
  }
}

/** One that fails at each start and holds the same place again gets no more time. */
function keyOf({ name, fromSeq }: Hold): string {
  return `${name} ${fromSeq}`;
}
