/** Which of several processes a client uses: it stays at one until that one ends its stream. */
import { present } from '#kernel';

export class Route {
  readonly #urls: readonly string[];
  #at = 0;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** As in http://127.0.0.1:8787. */
  get url(): string {
    return present(this.#urls[this.#at % this.#urls.length], 'address');
  }

  /** Elsewhere the state may be a moment older. */
  get hasOthers(): boolean {
    return this.#urls.length > 1;
  }

  /** Goes on to the next one, unless this one was left before. */
  leave(url: string): void {
    if (url === this.url) this.#at += 1;
  }
}
