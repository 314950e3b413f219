/**
 * Reads an hour of real order-by-order messages (AAPL on NASDAQ, 21 June 2012, the LOBSTER sample).
 * The file is not part of the project.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Side } from '#domain';
import { RECORDINGS } from '../../tools/tiers.ts';

export interface TapeRow {
  readonly kind: 'add' | 'reduce' | 'delete' | 'execute';
  readonly timeNs: bigint;
  /** The exchange's number of the resting order; it numbers orders as they arrive. */
  readonly id: number;
  readonly size: number;
  readonly priceTicks: number;
  /** Of the resting order. */
  readonly side: Side;
}

const FILE = 'lobster_aapl_messages_50_0930_1030.csv.gz';
const TICK_UNITS = 100;
/** Message types; 5 (a hidden order traded) and 7 (halt) never touch the visible book. */
const KINDS = new Map<string, TapeRow['kind']>([
  ['1', 'add'],
  ['2', 'reduce'],
  ['3', 'delete'],
  ['4', 'execute'],
]);

export function readTape(): TapeRow[] {
  const text = gunzipSync(readFileSync(resolve(RECORDINGS, FILE))).toString('utf8');
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.flatMap(readRow);
}

/**
 * Splits off the orders that were there before the tape began, in the order they arrived. The tape
 * shows them during its first seconds as if they were new, but their numbers are lower than
 * numbers it has already shown, and their place in the queue follows the number.
 */
export function splitOpening(rows: readonly TapeRow[]): { opening: TapeRow[]; later: TapeRow[] } {
  const opening: TapeRow[] = [];
  const later: TapeRow[] = [];
  let newest = 0;
  for (const row of rows) {
    const late = row.kind === 'add' && row.id < newest;
    (late ? opening : later).push(row);
    if (row.kind === 'add') newest = Math.max(newest, row.id);
  }
  return { opening: opening.toSorted((one, other) => one.id - other.id), later };
}

/** Joins executions of one instant and side: one incoming order that swept several resting ones. */
export function joinSweeps(rows: readonly TapeRow[]): TapeRow[][] {
  const groups: TapeRow[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const first = group?.[0];
    const joins =
      row.kind === 'execute' &&
      first?.kind === 'execute' &&
      first.timeNs === row.timeNs &&
      first.side === row.side;
    if (group !== undefined && joins) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

function readRow(line: string): TapeRow[] {
  const [time = '', type = '', id, size, price, direction] = line.split(',');
  const kind = KINDS.get(type);
  if (kind === undefined) return [];
  return [
    {
      kind,
      timeNs: BigInt(time),
      id: Number(id),
      size: Number(size),
      priceTicks: Number(price) / TICK_UNITS,
      side: direction === '1' ? 'buy' : 'sell',
    },
  ];
}
