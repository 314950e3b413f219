/**
 * A snapshot on its way to one reader: its rows are encoded slice by slice, and what happens
 * meanwhile waits behind it. It says what was true when it began, so nothing is lost or doubled.
 */
import type { PrivateRow } from './account-feeds.ts';
import type { Frame } from './connection.ts';

/** Rows in one slice: about 3 ms on the development machine. */
const SLICE_ROWS = 500;
/** Stands for the rows in a message; JSON text never has it. */
const ROWS = '\u0000';

export class SnapshotMessage {
  readonly #rows: readonly PrivateRow[];
  readonly #tail: string;
  readonly #parts: Frame[] = [];
  #text: string;
  #at = 0;
  readonly #held: Frame[] = [];
  #heldBytes = 0;

  /** `write` puts a list of rows, which is JSON, into the message. */
  constructor(rows: readonly PrivateRow[], write: (data: string) => string) {
    this.#rows = rows;
    const [head = '', tail = ''] = write(`[${ROWS}]`).split(ROWS);
    this.#text = head;
    this.#tail = tail;
  }

  /** Encodes the next rows: true when the message is whole. */
  advance(): boolean {
    const end = Math.min(this.#at + SLICE_ROWS, this.#rows.length);
    const texts = this.#rows.slice(this.#at, end).map((row) => row.write());
    const comma = this.#at > 0 ? ',' : '';
    const isWhole = end === this.#rows.length;
    this.#parts.push(
      Buffer.from(this.#text + comma + texts.join(',') + (isWhole ? this.#tail : '')),
    );
    this.#text = '';
    this.#at = end;
    return isWhole;
  }

  /** The message in parts, in order. */
  get parts(): readonly Frame[] {
    return this.#parts;
  }

  /** Keeps a later message of the topic back. */
  hold(frame: Frame): void {
    this.#held.push(frame);
    this.#heldBytes += frame.length;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** What was kept back, in order. */
  get held(): readonly Frame[] {
    return this.#held;
  }
}
