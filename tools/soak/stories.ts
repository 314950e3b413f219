/**
 * What a private stream has told of each order: accepted once, then every fill, then the end. An
 * order is complete when its placing was answered and its end was told. It holds what is open and
 * the last few that ended.
 */
export interface Told {
  readonly orderId: string;
  readonly status: string;
  /** Filled so far, in the text of the venue. */
  readonly filled: string;
  /** What this row alone adds, where the dialect says so. */
  readonly added: string | undefined;
}

export interface Story {
  status: string;
  filled: string;
  fillsCount: number;
  rowsCount: number;
  isAnswered: boolean;
  isEnded: boolean;
}

const ENDED_KEPT = 1_000;
/** Enough decimals for every size of the demo venue. */
const SIZE_SCALE = 1e8;

export class Stories {
  readonly #unfinished = new Map<string, Story>();
  readonly #ended: [orderId: string, story: Story][] = [];
  readonly #statusAtFirst: string;
  readonly #statusesAtEnd: readonly string[];
  ordersCount = 0;
  rowsCount = 0;
  /** Rows that do not follow from the rows before them. */
  brokenCount = 0;

  constructor(statusAtFirst: string, statusesAtEnd: readonly string[]) {
    this.#statusAtFirst = statusAtFirst;
    this.#statusesAtEnd = statusesAtEnd;
  }

  get unfinishedCount(): number {
    return this.#unfinished.size;
  }

  /** Orders that have been accepted and have not ended. */
  openIds(): string[] {
    return [...this.#unfinished].filter(([, { isEnded }]) => !isEnded).map(([orderId]) => orderId);
  }

  /** One of the last orders that ended, by a number from 0 to 1. */
  endedAt(place: number): [orderId: string, story: Story] | undefined {
    return this.#ended[Math.floor(place * this.#ended.length)];
  }

  /** The last orders that ended, and how. */
  lastEnds(): (readonly [orderId: string, status: string])[] {
    return this.#ended.map(([orderId, { status }]) => [orderId, status]);
  }

  /** The answer to the placing of an order may come before its first row or after its last. */
  answered(orderId: string): void {
    this.ordersCount += 1;
    const story = this.#storyOf(orderId);
    story.isAnswered = true;
    this.#finish(orderId, story);
  }

  /** The answers to these placings were lost: counts orders that have ended without one. */
  adopt(countMax: number): number {
    const unanswered = [...this.#unfinished].filter(
      ([, { isAnswered, isEnded }]) => isEnded && !isAnswered,
    );
    const adopted = unanswered.slice(0, countMax);
    for (const [orderId] of adopted) this.answered(orderId);
    return adopted.length;
  }

  tell({ orderId, status, filled, added }: Told): void {
    this.rowsCount += 1;
    const story = this.#storyOf(orderId);
    const isFirst = story.rowsCount === 0;
    const addedSize = sizeOf(filled) - sizeOf(story.filled);
    const isSound =
      !story.isEnded &&
      isFirst === (status === this.#statusAtFirst) &&
      addedSize >= 0 &&
      (added === undefined || sizeOf(added) === addedSize);
    if (!isSound) this.brokenCount += 1;
    story.rowsCount += 1;
    if (addedSize > 0) story.fillsCount += 1;
    story.status = status;
    story.filled = filled;
    story.isEnded = this.#statusesAtEnd.includes(status);
    this.#finish(orderId, story);
  }

  #storyOf(orderId: string): Story {
    const known = this.#unfinished.get(orderId);
    if (known !== undefined) return known;
    const counts = { fillsCount: 0, rowsCount: 0 };
    const story = { status: '', filled: '0', ...counts, isAnswered: false, isEnded: false };
    this.#unfinished.set(orderId, story);
    return story;
  }

  #finish(orderId: string, story: Story): void {
    if (!story.isAnswered || !story.isEnded) return;
    this.#unfinished.delete(orderId);
    this.#ended.push([orderId, story]);
    if (this.#ended.length > ENDED_KEPT) this.#ended.shift();
  }
}

function sizeOf(text: string): number {
  return Math.round(Number(text) * SIZE_SCALE);
}
