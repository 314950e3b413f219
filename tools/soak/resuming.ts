/**
 * A client whose process goes away under it: it follows the orders of an account in a pair at
 * whichever process leads, connects elsewhere when that is gone, and then asks for what it missed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { dataOf, listOf, textOf } from './hand.ts';
import { PrivateStream, type Row } from './private-stream.ts';
import { type Credential, Rest } from './rest.ts';
import { following } from './spot-hand.ts';

const HISTORY_ROWS = 500;
const RETRY_MS = 50;
const ENDS: readonly string[] = ['full_fill', 'cancelled'];

export class ResumingClient {
  readonly #who: Credential;
  readonly #urlOf: () => Promise<string>;
  /** How each order ended, as far as it has ended. */
  readonly #ends = new Map<string, string>();
  #isOver = false;
  #stream: PrivateStream | undefined;
  #following: Promise<void> = Promise.resolve();
  resumesCount = 0;

  constructor(who: Credential, urlOf: () => Promise<string>) {
    this.#who = who;
    this.#urlOf = urlOf;
  }

  start(): void {
    this.#following = this.#follow();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#stream?.close().catch(() => undefined);
    await this.#following;
  }

  /** Which of these ended orders it does not know the end of. */
  missing(orders: readonly (readonly [orderId: string, status: string])[]): string[] {
    return orders
      .filter(([orderId, status]) => this.#ends.get(orderId) !== status)
      .map(([orderId]) => orderId);
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      try {
        const url = await this.#urlOf();
        const onRows = (_topic: string, rows: readonly Row[]) => this.#hear(rows);
        const stream = await PrivateStream.open(following(['orders'], url, this.#who, onRows));
        this.#stream = stream;
        // What ended before the snapshot of the stream is in the history, and what ends later is
        // in the stream.
        await this.#askForMissed(url);
        this.resumesCount += 1;
        await stream.ended;
      } catch {
        await this.#stream?.close().catch(() => undefined);
        await wait(RETRY_MS);
      }
    }
  }

  async #askForMissed(url: string): Promise<void> {
    const rest = new Rest(url, this.#who);
    try {
      const fields = { symbol: 'BTCUSDT_SPBL', limit: HISTORY_ROWS };
      const body = await rest.post('/api/spot/v1/trade/history', fields);
      if (body === undefined) throw new Error(rest.errors.join());
      for (const row of listOf(dataOf(body))) {
        this.#note(textOf(row, 'orderId'), textOf(row, 'status'));
      }
    } finally {
      rest.close();
    }
  }

  #hear(rows: readonly Row[]): void {
    // The words of REST, without the hyphens of the stream.
    for (const row of rows)
      this.#note(textOf(row, 'ordId'), textOf(row, 'status').replace('-', '_'));
  }

  #note(orderId: string, status: string): void {
    if (ENDS.includes(status)) this.#ends.set(orderId, status);
  }
}
