/**
 * Why a process is suspended, in a file beside its copy: the others forget their seals, and trim
 * the log beyond its copy. It stays so until its operator has taken the copy away.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export class Suspension {
  readonly #file: string;

  constructor(directory: string) {
    this.#file = join(directory, 'suspended.txt');
  }

  /** Undefined where it is not suspended. */
  get reason(): string | undefined {
    return existsSync(this.#file) ? readFileSync(this.#file, 'utf8').trim() : undefined;
  }

  note(reason: string): void {
    if (this.reason === undefined) writeFileSync(this.#file, `${reason}\n`, { flush: true });
  }

  lift(): void {
    rmSync(this.#file, { force: true });
  }
}
