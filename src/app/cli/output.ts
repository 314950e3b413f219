/** Where a command writes: results to one side, progress and complaints to the other. */

export interface Output {
  /** One line of the result. */
  result(line: string): void;
  /** One line of progress. */
  notice(line: string): void;
}

const PROGRESS_INTERVAL_MS = 1_000;

/** Reports the progress of long work, at most once a second. */
export class Progress {
  readonly #output: Output;
  readonly #verb: string;
  #nextMs: number;

  constructor(output: Output, verb: string) {
    this.#output = output;
    this.#verb = verb;
    this.#nextMs = performance.now() + PROGRESS_INTERVAL_MS;
  }

  update(done: number, total: number): void {
    const nowMs = performance.now();
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + PROGRESS_INTERVAL_MS;
    this.#output.notice(`${this.#verb} ${done} of ${total}`);
  }
}

/** Rows as columns under their names, the text ones to the left and the numbers to the right. */
export function tableLines(rows: readonly Readonly<Record<string, string>>[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const lines = [Object.fromEntries(names.map((name) => [name, name])), ...rows];
  const widths = names.map((name) => Math.max(...lines.map((row) => (row[name] ?? '').length)));
  return lines.map((row) =>
    names
      .map((name, at) => aligned(row[name] ?? '', widths[at] ?? 0, at === 0))
      .join('  ')
      .trimEnd(),
  );
}

function aligned(text: string, width: number, left: boolean): string {
  return left ? text.padEnd(width) : text.padStart(width);
}
