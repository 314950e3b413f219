/**
 * A client whose process goes away under it: it follows the orders of an account in a pair at
 * whichever process leads, connects elsewhere when that is gone, and then asks for what it missed.
 */
import { dataOf, listOf, textOf } from './hand.ts';
import { type Credential, Rest } from './rest.ts';
import { ResumingStream } from './resuming-stream.ts';
import { Route } from './route.ts';
import { following } from './spot-hand.ts';

const HISTORY_ROWS = 500;
const PATIENCE_MS = 60_000;
const ENDS: readonly string[] = ['full_fill', 'cancelled'];

export class ResumingClient {
  readonly stream: ResumingStream;
  readonly #who: Credential;
  /** How each order ended, as far as it has ended. */
  readonly #ends = new Map<string, string>();

  /** `where` resolves with the process to follow at. */
  constructor(who: Credential, where: () => Promise<string>) {
    this.#who = who;
    this.stream = ResumingStream.follow({
      where,
      planAt: (url) =>
        following(['orders'], url, who, (_topic, rows) => {
          // The words of REST, without the hyphens of the stream.
          for (const row of rows) {
            this.#note(textOf(row, 'ordId'), textOf(row, 'status').replace('-', '_'));
          }
        }),
      onInterrupted: () => undefined,
      onResumed: (url) => this.#askForMissed(url),
    });
  }

  /** Which of these ended orders it does not know the end of. */
  missing(orders: readonly (readonly [orderId: string, status: string])[]): string[] {
    return orders
      .filter(([orderId, status]) => this.#ends.get(orderId) !== status)
      .map(([orderId]) => orderId);
  }

  /** What ended before the stream began is in the history, and what ends later is in the stream. */
  async #askForMissed(url: string): Promise<void> {
    const rest = new Rest(new Route([url]), this.#who, PATIENCE_MS);
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

  #note(orderId: string, status: string): void {
    if (ENDS.includes(status)) this.#ends.set(orderId, status);
  }
}
