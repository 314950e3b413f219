/**
 * A private stream that connects anew whenever it has ended, elsewhere where there is an elsewhere.
 * Its follower is called when it is gone and when it is back, to ask for what went by meanwhile.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { PrivateStream, type StreamPlan } from './private-stream.ts';

const RETRY_EVERY_MS = 100;

export interface ResumingPlan {
  /** The process to connect to; never rejects. */
  where(): string | Promise<string>;
  planAt(url: string): StreamPlan;
  /** What was sent from here on may not arrive. */
  onInterrupted(url: string): void;
  /** What is sent from here on arrives; what was not heard of is to be asked for there. */
  onResumed(url: string): Promise<void>;
}

export class ResumingStream {
  readonly #plan: ResumingPlan;
  #stream: PrivateStream | undefined;
  #following: Promise<void> = Promise.resolve();
  #isOver = false;
  /** Of the connections before this one. */
  readonly #earlier = { messages: 0, gaps: 0 };
  resumesCount = 0;
  /** Why it ended, or could not be opened, and how often. */
  readonly faults = new Map<string, number>();

  private constructor(plan: ResumingPlan) {
    this.#plan = plan;
  }

  /** Follows from now on, whenever it is there for the first time. */
  static follow(plan: ResumingPlan): ResumingStream {
    const stream = new ResumingStream(plan);
    stream.#following = stream.#follow(() => undefined);
    return stream;
  }

  /** Resolves when it is there for the first time. */
  static async open(plan: ResumingPlan): Promise<ResumingStream> {
    const stream = new ResumingStream(plan);
    await new Promise<void>((resolve) => {
      stream.#following = stream.#follow(resolve);
    });
    return stream;
  }

  get messagesCount(): number {
    return this.#earlier.messages + (this.#stream?.messagesCount ?? 0);
  }

  /** Missing numbers, within each connection. */
  get gapsCount(): number {
    return this.#earlier.gaps + (this.#stream?.gapsCount ?? 0);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#stream?.close();
    await this.#following;
  }

  async #follow(begun: () => void): Promise<void> {
    for (let hasBegun = false; !this.#isOver; hasBegun = true) {
      const stream = await this.#opened();
      this.#stream = stream;
      if (stream === undefined || this.#isOver) return await stream?.close();
      if (hasBegun) this.#resume(stream.url);
      begun();
      await stream.ended;
      this.#earlier.messages += stream.messagesCount;
      this.#earlier.gaps += stream.gapsCount;
      this.#stream = undefined;
      if (this.#isOver) return;
      this.#note(stream.fault ?? 'closed');
      this.#plan.onInterrupted(stream.url);
    }
  }

  #resume(url: string): void {
    this.resumesCount += 1;
    this.#plan.onResumed(url).catch((error: unknown) => this.#note(messageOf(error)));
  }

  /** Tried until it is there, or until nobody wants it any more. */
  async #opened(): Promise<PrivateStream | undefined> {
    while (!this.#isOver) {
      const url = await this.#plan.where();
      try {
        return await PrivateStream.open(this.#plan.planAt(url));
      } catch (error) {
        this.#note(messageOf(error));
        this.#plan.onInterrupted(url);
        await wait(RETRY_EVERY_MS);
      }
    }
    return undefined;
  }

  #note(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
