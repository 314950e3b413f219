/**
 * Parquet with decimals as DECIMAL(38, 18): exact, and a number to whoever reads it. No coin has
 * more than 18 decimal places; an amount that needs more than 38 digits in all is refused.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { type Cell, type Column, NotExported, type Row, type Sheet } from './columns.ts';

const SCALE = 18;
const PRECISION = 38;
const UNITS_MAX = 10n ** BigInt(PRECISION);
const DECIMAL_BYTES = 16;
const ROWS_OF_GROUP = 50_000;

export class ParquetSheet implements Sheet {
  readonly #file: string;
  readonly #columns: readonly Column[];
  readonly #writer: ParquetWriter;
  #rows: Row[] = [];

  /** Into a new file that is its owner's alone. */
  constructor(file: string, columns: readonly Column[]) {
    closeSync(openSync(file, 'wx', 0o600));
    this.#file = file;
    this.#columns = columns;
    const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)];
    const createdBy = 'outcry';
    this.#writer = new ParquetWriter({ writer: fileWriter(file), schema, createdBy });
  }

  add(row: Row): void {
    if (this.#rows.push(row) >= ROWS_OF_GROUP) this.#write();
  }

  close(): void {
    if (this.#rows.length > 0) this.#write();
    // Into a file it writes at once: there is nothing to wait for.
    void this.#writer.finish();
    const handle = openSync(this.#file, 'r');
    fsyncSync(handle);
    closeSync(handle);
  }

  #write(): void {
    const rows = this.#rows;
    this.#rows = [];
    const columnData = this.#columns.map(({ name, kind }, at) => ({
      name,
      data: rows.map((row) => valueIn(row[at] ?? null, kind)),
    }));
    void this.#writer.write({ columnData, rowGroupSize: ROWS_OF_GROUP });
  }
}

function elementOf({ name, kind }: Column) {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (kind === 'text') return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
  if (kind === 'time')
    return { ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' } as const;
  return {
    ...optional,
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: DECIMAL_BYTES,
    converted_type: 'DECIMAL',
    scale: SCALE,
    precision: PRECISION,
  } as const;
}

function valueIn(cell: Cell, kind: Column['kind']): string | bigint | Date | null {
  if (cell === null) return null;
  if (typeof cell === 'object') return unitsOf(cell.units, cell.scale);
  return kind === 'time' ? new Date(Number(cell)) : String(cell);
}

function unitsOf(units: bigint, scale: number): bigint {
  const scaled = units * 10n ** BigInt(SCALE - scale);
  if (scaled < UNITS_MAX && scaled > -UNITS_MAX) return scaled;
  throw new NotExported(`an amount has more than ${PRECISION} digits: export it as CSV`);
}
