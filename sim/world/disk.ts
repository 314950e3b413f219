/**
 * The disk of the simulated machine: what is written is there, and only what is synced survives a
 * crash. It keeps the log since the newest snapshot, and that snapshot.
 */

export class Disk {
  #written: string[] = [];
  #syncedCount = 0;
  #snapshot: readonly string[] = [];

  append(text: string): void {
    this.#written.push(text);
  }

  sync(): void {
    this.#syncedCount = this.#written.length;
  }

  /** Replaces the log so far. A snapshot is whole or not there: it gets its name when it is. */
  keep(snapshot: readonly string[]): void {
    this.#snapshot = snapshot;
    this.#written = [];
    this.#syncedCount = 0;
  }

  /** What was not synced is gone. */
  crash(): void {
    this.#written.length = this.#syncedCount;
  }

  read(): { readonly snapshot: readonly string[]; readonly log: readonly string[] } {
    return { snapshot: this.#snapshot, log: [...this.#written] };
  }
}
