/**
 * What a private stream has told of each order: accepted once, then every fill, then the end. An
 * order is complete when its placing was answered and its end was told. What the stream may not
 * have told is in doubt until REST has said what became of it. It holds what is open and the last
 * few that ended.
 */
export interface Told {
  readonly orderId: string;
  readonly status: string;
  /** Filled so far, in the text of the venue. */
  readonly filled: string;
  /** What this row alone adds, where the dialect says so. */
  readonly added: string | undefined;
}

/** An order as REST shows it. */
export interface OrderNow {
  readonly status: string;
  readonly filled: string;
  readonly fillsCount: number;
}

export interface Story {
  status: string;
  filled: string;
  fillsCount: number;
  rowsCount: number;
  isAnswered: boolean;
  isEnded: boolean;
  /** Rows that came while it was in doubt; undefined while it is not. */
  heldBack: Told[] | undefined;
  /** REST has said more than the stream: rows of what is known already may follow. */
  isMended: boolean;
}

const ENDED_KEPT = 1_000;
/** Enough decimals for every size of the demo venue. */
const SIZE_SCALE = 1e8;

export class Stories {
  readonly #unfinished = new Map<string, Story>();
  readonly #ended: [orderId: string, story: Story][] = [];
  readonly #statusAtFirst: string;
  readonly #statusesAtEnd: readonly string[];
  readonly #mendedIds = new Set<string>();
  #isInterrupted = false;
  /** Counts how often the stream has ended and begun again. */
  #breaks = 0;
  /** Of every order whose placing was answered. */
  readonly placedIds = new Set<string>();
  rowsCount = 0;
  /** Rows that do not follow from the rows before them. */
  brokenCount = 0;
  /** Rows that an interrupted stream has not told, learned from REST. */
  mendedRowsCount = 0;

  constructor(statusAtFirst: string, statusesAtEnd: readonly string[]) {
    this.#statusAtFirst = statusAtFirst;
    this.#statusesAtEnd = statusesAtEnd;
  }

  get ordersCount(): number {
    return this.placedIds.size;
  }

  get unfinishedCount(): number {
    return this.#unfinished.size;
  }

  get breaksCount(): number {
    return this.#breaks;
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

  /**
   * The answer to the placing of an order may come before its first row or after its last.
   * `breaksBefore` is how often the stream had broken when it was sent.
   */
  answered(orderId: string, breaksBefore: number): void {
    this.placedIds.add(orderId);
    const story = this.#storyOf(orderId);
    story.isAnswered = true;
    const isAllHere = breaksBefore === this.#breaks && !this.#isInterrupted;
    if (story.rowsCount === 0 && !isAllHere) story.heldBack ??= [];
    if (isAllHere) this.#tellHeldBack(story);
    this.#finish(orderId, story);
  }

  tell(told: Told): void {
    this.rowsCount += 1;
    if (!this.#unfinished.has(told.orderId) && this.#mendedIds.has(told.orderId)) {
      this.mendedRowsCount -= 1;
      return;
    }
    const story = this.#storyOf(told.orderId);
    if (this.#mayHaveBegunUnheard(story, told)) story.heldBack ??= [];
    if (story.heldBack === undefined) this.#add(story, told);
    else story.heldBack.push(told);
    this.#finish(told.orderId, story);
  }

  /** The stream has ended: what is open may change without a row. */
  interrupt(): void {
    this.#breaks += 1;
    this.#isInterrupted = true;
    for (const story of this.#unfinished.values()) if (!story.isEnded) story.heldBack ??= [];
  }

  /** The stream has begun again: what is asked from here on has its changes in the stream. */
  resume(): void {
    this.#breaks += 1;
    this.#isInterrupted = false;
  }

  /** Orders to ask REST for; none while the stream is away. */
  inDoubt(): string[] {
    if (this.#isInterrupted) return [];
    return [...this.#unfinished]
      .filter(([, { heldBack, isAnswered }]) => heldBack !== undefined && isAnswered)
      .map(([orderId]) => orderId);
  }

  /** What REST said when the stream had broken so often; of no use when it has broken since. */
  mend(orderId: string, { status, filled, fillsCount }: OrderNow, breaksBefore: number): void {
    const story = this.#unfinished.get(orderId);
    if (story?.heldBack === undefined || breaksBefore !== this.#breaks) return;
    const rowsCount = this.rowsOf(status, fillsCount);
    this.mendedRowsCount += rowsCount - story.rowsCount;
    const isEnded = this.#statusesAtEnd.includes(status);
    Object.assign(story, { status, filled, fillsCount, rowsCount, isEnded, isMended: true });
    this.#mendedIds.add(orderId);
    this.#tellHeldBack(story);
    this.#finish(orderId, story);
  }

  /** Rows in all that an order with so many fills must have: accepted, each fill, another end. */
  rowsOf(status: string, fillsCount: number): number {
    const [filled] = this.#statusesAtEnd;
    const isEndedOtherwise = status !== filled && this.#statusesAtEnd.includes(status);
    return 1 + fillsCount + (isEndedOtherwise ? 1 : 0);
  }

  /** Whether it was accepted before this connection began is known when its placing is answered. */
  #mayHaveBegunUnheard({ rowsCount, isAnswered }: Story, { status }: Told): boolean {
    return rowsCount === 0 && !isAnswered && this.#breaks > 0 && status !== this.#statusAtFirst;
  }

  #tellHeldBack(story: Story): void {
    const later = story.heldBack ?? [];
    story.heldBack = undefined;
    for (const told of later) this.#add(story, told);
  }

  #add(story: Story, { status, filled, added }: Told): void {
    const addedSize = sizeOf(filled) - sizeOf(story.filled);
    const isEnd = this.#statusesAtEnd.includes(status);
    if (story.isMended && (story.isEnded || (addedSize <= 0 && !isEnd))) {
      this.mendedRowsCount -= 1;
      return;
    }
    const isFirst = story.rowsCount === 0;
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
    story.isEnded = isEnd;
  }

  #storyOf(orderId: string): Story {
    const known = this.#unfinished.get(orderId);
    if (known !== undefined) return known;
    const story: Story = {
      status: '',
      filled: '0',
      fillsCount: 0,
      rowsCount: 0,
      isAnswered: false,
      isEnded: false,
      heldBack: this.#isInterrupted ? [] : undefined,
      isMended: false,
    };
    this.#unfinished.set(orderId, story);
    return story;
  }

  #finish(orderId: string, story: Story): void {
    if (!story.isAnswered || !story.isEnded || story.heldBack !== undefined) return;
    this.#unfinished.delete(orderId);
    this.#ended.push([orderId, story]);
    if (this.#ended.length > ENDED_KEPT) this.#ended.shift();
  }
}

function sizeOf(text: string): number {
  return Math.round(Number(text) * SIZE_SCALE);
}
