/**
 * CSV by RFC 4180 with names in the first line, in UTF-8: exact decimals, times in UTC.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { csvCell, csvRecord, formatTrimmed } from '#kernel';
import type { Cell, Column, Row, Sheet } from './columns.ts';

const PIECE_CHARACTERS = 256 * 1024;

export class CsvSheet implements Sheet {
  readonly #handle: number;
  readonly #columns: readonly Column[];
  #piece: string;

  /** Into a new file that is its owner's alone. */
  constructor(file: string, columns: readonly Column[]) {
    this.#handle = openSync(file, 'wx', 0o600);
    this.#columns = columns;
    this.#piece = csvRecord(columns.map(({ name }) => name));
  }

  add(row: Row): void {
    const cells = this.#columns.map(({ kind }, at) => textOf(row[at] ?? null, kind));
    this.#piece += `${cells.join(',')}\r\n`;
    if (this.#piece.length >= PIECE_CHARACTERS) this.#write();
  }

  close(): void {
    this.#write();
    fsyncSync(this.#handle);
    closeSync(this.#handle);
  }

  #write(): void {
    const bytes = Buffer.from(this.#piece);
    this.#piece = '';
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#handle, bytes, written);
  }
}

function textOf(cell: Cell, kind: Column['kind']): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return formatTrimmed(cell.units, cell.scale);
  if (kind === 'time') return new Date(Number(cell)).toISOString();
  return csvCell(String(cell));
}
