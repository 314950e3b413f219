/**
 * Long work in slices: one slice of one job in each turn of the event loop, the jobs in turn, so
 * that orders never wait for more than one slice however many snapshots are being encoded.
 */

/** Does a slice of its work; true when there is no more of it. */
type Job = () => boolean;

export class Slices {
  readonly #jobs: Job[] = [];
  #isBusy = false;

  add(job: Job): void {
    this.#jobs.push(job);
    this.#goOn();
  }

  #goOn(): void {
    if (this.#isBusy || this.#jobs.length === 0) return;
    this.#isBusy = true;
    setImmediate(() => {
      this.#isBusy = false;
      const job = this.#jobs.shift();
      if (job !== undefined && !job()) this.#jobs.push(job);
      this.#goOn();
    });
  }
}
