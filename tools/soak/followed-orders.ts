/**
 * The orders of one account in one market, as its private stream tells them. What the stream cannot
 * have told, because its connection broke, is asked for by REST, as docs/STREAMS.md says.
 */
import type { StreamPlan } from './private-stream.ts';
import { ResumingStream } from './resuming-stream.ts';
import type { Route } from './route.ts';
import { type OrderNow, Stories, type Story } from './stories.ts';
import { eventually } from './waiting.ts';

export interface Following {
  readonly route: Route;
  readonly statusAtFirst: string;
  /** Filled first, then those of other ends. */
  readonly statusesAtEnd: readonly string[];
  planAt(url: string, stories: Stories): StreamPlan;
  /** Undefined when REST does not say. */
  orderNow(orderId: string): Promise<OrderNow | undefined>;
}

/** Placings are named by the client: one that is sent twice is carried out once. */
let placings = 0;

export class FollowedOrders {
  readonly stories: Stories;
  readonly stream: ResumingStream;
  readonly #following: Following;

  private constructor(following: Following, stories: Stories, stream: ResumingStream) {
    this.#following = following;
    this.stories = stories;
    this.stream = stream;
  }

  /** Resolves when the stream is there. */
  static async open(following: Following): Promise<FollowedOrders> {
    const { route, statusAtFirst, statusesAtEnd } = following;
    const stories = new Stories(statusAtFirst, statusesAtEnd);
    let orders: FollowedOrders | undefined;
    const stream = await ResumingStream.open({
      where: () => route.url,
      planAt: (url) => following.planAt(url, stories),
      onInterrupted: (url) => {
        stories.interrupt();
        route.leave(url);
      },
      onResumed: async () => {
        stories.resume();
        await orders?.mend();
      },
    });
    if (stories.breaksCount > 0) stories.resume();
    orders = new FollowedOrders(following, stories, stream);
    return orders;
  }

  /** `send` resolves with the number that the venue gave the order, if it was accepted. */
  async place(send: (clientId: string) => Promise<string | undefined>): Promise<void> {
    const { stories } = this;
    const breaks = stories.breaksCount;
    placings += 1;
    const orderId = await send(`soak-${placings}`);
    if (orderId === undefined) return;
    stories.answered(orderId, breaks);
    if (stories.breaksCount !== breaks) await this.mend();
  }

  /** Asks REST for all that is in doubt. */
  async mend(): Promise<void> {
    const { stories } = this;
    for (const orderId of stories.inDoubt()) {
      const breaks = stories.breaksCount;
      const now = await this.#following.orderNow(orderId);
      if (now !== undefined) stories.mend(orderId, now, breaks);
    }
  }

  /** Whether all placings were answered and all ends told; asks for what is in doubt. */
  async isFinished(): Promise<boolean> {
    await this.mend();
    return this.stories.unfinishedCount === 0;
  }

  /** Whether REST tells of an ended order what the stream told. */
  async isAsTold(orderId: string, story: Story): Promise<boolean> {
    const look = async (): Promise<boolean> => {
      const now = await this.#following.orderNow(orderId);
      return now !== undefined && this.#isSame(now, story);
    };
    // Another process may be a moment behind the one that told it.
    return this.#following.route.hasOthers ? eventually(look) : look();
  }

  #isSame({ status, filled, fillsCount }: OrderNow, story: Story): boolean {
    return (
      status === story.status &&
      Number(filled) === Number(story.filled) &&
      fillsCount === story.fillsCount &&
      this.stories.rowsOf(status, fillsCount) === story.rowsCount
    );
  }
}
