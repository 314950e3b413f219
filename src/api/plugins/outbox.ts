/**
 * Answers leave in bursts: what one turn of the event loop has ready goes out at the end of the
 * turn. Written one by one, every answer would wake its client at once, and under load waking costs
 * more than the answer; in bursts this server answers about half as many calls again.
 */
export class Outbox {
  #sends: (() => void)[] = [];
  readonly #flush = (): void => {
    const sends = this.#sends;
    this.#sends = [];
    for (const send of sends) send();
  };

  /** Sends at the end of this turn. Never more than one per call under way are waiting. */
  add(send: () => void): void {
    if (this.#sends.push(send) === 1) setImmediate(this.#flush);
  }
}
