/**
 * A snapshot on its way to one reader: its rows are encoded slice by slice, and what happens
 * meanwhile waits behind it. It says what was true when it began, so nothing is lost or doubled.
 */
import type { SnapshotRows } from './account-feeds.ts';
import type { Frame } from './frame.ts';

/** Rows in one slice: about 3 ms on the development machine. */
const SLICE_ROWS = 500;
/** Stands for the rows in a message; JSON text never has it. */
const ROWS = '\u0000';

export class SnapshotMessage {
  readonly #rows: SnapshotRows;
  readonly #tail: string;
  readonly #parts: Buffer[] = [];
  #text: string;
  #at = 0;
  readonly #held: Frame[] = [];
  #heldBytes = 0;

  /** `write` puts the rows with what is around them, which is JSON, into the message. */
  constructor(rows: SnapshotRows, write: (data: string) => string) {
    this.#rows = rows;
    const [head = '', tail = ''] = write(ROWS).split(ROWS);
    this.#text = head;
    this.#tail = tail;
  }

  /** Encodes the next rows: true when the message is whole. */
  advance(): boolean {
    const { count, row, before } = this.#rows;
    const end = Math.min(this.#at + SLICE_ROWS, count);
    const texts: string[] = [this.#text];
    for (let at = this.#at; at < end; at += 1) texts.push(before(at), row(at));
    const isWhole = end === count;
    if (isWhole) texts.push(before(count), this.#tail);
    this.#parts.push(Buffer.from(texts.join('')));
    this.#text = '';
    this.#at = end;
    return isWhole;
  }

  /** The message in parts, in order. */
  get parts(): readonly Buffer[] {
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
