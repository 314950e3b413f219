/**
 * Recorded prices from a CSV file, gzipped or not, with a line of column names: `ts_ms` (Unix
 * milliseconds) and either `price` (trades) or `open`, `high`, `low`, `close` (candles, by the time
 * they open; also with `spot_` before each). Values are taken as they are; nothing is filled in.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { present } from '#kernel';
import { ConfigFault } from './document.ts';

export interface Recording {
  readonly timesMs: readonly number[];
  /** In whole 10^-8. */
  readonly prices: readonly number[];
  /** How long a point counts while no next one comes. */
  readonly validMs: number;
}

/** Unix times of this century in seconds; as milliseconds they would lie in the early 1970s. */
const SECONDS_FROM = 900_000_000;
const SECONDS_BELOW = 100_000_000_000;
const BYTES_MAX = 256 * 1_024 * 1_024;
const POINTS_MAX = 5_000_000;
const PRICE_UNITS = 10 ** 8;
/** Trades further apart than this have a gap between them. */
const TRADE_VALID_MS = 60_000;
const CANDLE_PARTS = 4;
const GZIP = 0x1f8b;

/** Throws ConfigFault when it cannot be read or is not such a file, with the line at fault. */
export function readRecording(file: string): Recording {
  const lines = textOf(file).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const columns = (lines[0] ?? '').split(',');
  const tape = new Tape(file);
  const time = columns.indexOf('ts_ms');
  const price = columns.indexOf('price');
  const candle = candleColumns(columns);
  if (time === -1 || (price === -1 && candle === undefined)) {
    throw tape.fault(1, 'needs columns ts_ms and price, or ts_ms, open, high, low and close');
  }
  const rows = lines.slice(1).map((line) => line.split(','));
  if (rows.length === 0) throw tape.fault(2, 'has no row');
  const intervalMs = price === -1 ? shortestStepMs(rows, time) : 0;
  for (const [at, row] of rows.entries()) {
    const timeMs = Number(row[time]);
    if (price !== -1) tape.add(at + 2, timeMs, row[price]);
    else if (candle !== undefined) addCandle(tape, at + 2, timeMs, intervalMs, row, candle);
  }
  return tape.recording(price === -1 ? intervalMs : TRADE_VALID_MS);
}

function textOf(file: string): string {
  try {
    const bytes = readFileSync(file);
    const isGzip = bytes.length > 2 && bytes.readUInt16BE(0) === GZIP;
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: BYTES_MAX }) : bytes;
    if (plain.length > BYTES_MAX) throw new RangeError('the file is too large');
    return plain.toString('utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigFault([`cannot read recorded prices: ${file}: ${why}`], { cause });
  }
}

interface CandleColumns {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

function candleColumns(columns: readonly string[]): CandleColumns | undefined {
  for (const prefix of ['', 'spot_']) {
    const [open = -1, high = -1, low = -1, close = -1] = ['open', 'high', 'low', 'close'].map(
      (name) => columns.indexOf(prefix + name),
    );
    if (Math.min(open, high, low, close) >= 0) return { open, high, low, close };
  }
  return undefined;
}

/** The length of a candle: gaps only make steps longer. A minute when there is one candle only. */
function shortestStepMs(rows: readonly (readonly string[])[], time: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (const [at, row] of rows.entries()) {
    const step = Number(row[time]) - Number(rows[at - 1]?.[time]);
    if (step > 0) shortest = Math.min(shortest, step);
  }
  return Number.isFinite(shortest) ? shortest : TRADE_VALID_MS;
}

/** Open, the extreme on the other side of the close, the other one, close: a quarter each. */
function addCandle(
  tape: Tape,
  line: number,
  openMs: number,
  intervalMs: number,
  row: readonly string[],
  { open, high, low, close }: CandleColumns,
): void {
  const rises = Number(row[close]) >= Number(row[open]);
  const order = rises ? [open, low, high, close] : [open, high, low, close];
  for (const [part, column] of order.entries()) {
    tape.add(line, openMs + (part * intervalMs) / CANDLE_PARTS, row[column]);
  }
}

/** Takes down points, and refuses those that cannot be. */
class Tape {
  readonly #file: string;
  readonly #timesMs: number[] = [];
  readonly #prices: number[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  add(line: number, timeMs: number, priceText = ''): void {
    const price = Math.round(Number(priceText) * PRICE_UNITS);
    if (!(price >= 1 && Number.isSafeInteger(price))) {
      throw this.fault(line, `${priceText} is no price`);
    }
    const lastMs = this.#timesMs.at(-1) ?? 0;
    if (!Number.isFinite(timeMs) || timeMs < lastMs) {
      throw this.fault(line, 'ts_ms must be milliseconds, in order');
    }
    if (timeMs >= SECONDS_FROM && timeMs < SECONDS_BELOW) {
      throw this.fault(line, `ts_ms must be milliseconds: ${timeMs} looks like seconds`);
    }
    if (this.#timesMs.length >= POINTS_MAX) throw this.fault(line, 'too many prices');
    this.#timesMs.push(timeMs);
    this.#prices.push(price);
  }

  recording(validMs: number): Recording {
    present(this.#timesMs[0], 'first point');
    return { timesMs: this.#timesMs, prices: this.#prices, validMs };
  }

  fault(line: number, message: string): ConfigFault {
    return new ConfigFault([`${this.#file}:${line}: ${message}`]);
  }
}
