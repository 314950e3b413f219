/**
 * `outcry export`: rows of the past as CSV or Parquet, of one moment, beside a venue that runs or
 * not, from whichever history it has. The file is there once it is whole, and never before.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import type { AccountId, InstrumentId } from '#domain';
import type { ExportFilter } from '#history';
import { syncDirectory } from '#log';
import { type Names, namesOf } from '#venue';
import { historyOf, logOf, type Place } from '../offline.ts';
import { type Output, Progress } from '../output.ts';
import { Catalogue } from './catalogue.ts';
import { NotExported, type Sheet } from './columns.ts';
import { CsvSheet } from './csv.ts';
import { DATASETS } from './datasets.ts';
import type { Dataset, Past } from './source.ts';

const COULD_NOT_RUN = 2;
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/;

export interface ExportFlags extends Place {
  readonly out: string;
  readonly account?: readonly string[];
  readonly market?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

export async function exportRows(
  what: string,
  flags: ExportFlags,
  output: Output,
): Promise<number> {
  try {
    const rowsCount = await exported(what, flags, output);
    output.result(`${rowsCount} rows in ${resolve(flags.out)}`);
    return 0;
  } catch (error) {
    if (!(error instanceof NotExported)) throw error;
    output.notice(error.message);
    return COULD_NOT_RUN;
  }
}

async function exported(what: string, flags: ExportFlags, output: Output): Promise<number> {
  const dataset = DATASETS.get(what);
  if (dataset === undefined) {
    throw new NotExported(`${what} is none of ${[...DATASETS.keys()].join(', ')}`);
  }
  const out = resolve(flags.out);
  const makeSheet = await sheetMaker(out);
  if (existsSync(out)) throw new NotExported(`${out} is there already: name another file`);
  const period = { fromMs: timeOf(flags.from, '--from'), beforeMs: timeOf(flags.to, '--to') };
  const replaying = new Progress(output, 'commands replayed:');
  const names = await namesOf(logOf(flags), ({ seq, lastSeq }) => replaying.update(seq, lastSeq));
  const filter = { ...period, ...idsOf(flags, names) };
  const partial = `${out}.partial`;
  rmSync(partial, { force: true });
  const reader = await historyOf(flags).openReader();
  try {
    const sheet = makeSheet(partial, dataset);
    const rowsCount = await fill(sheet, dataset, { reader, names, filter }, output);
    sheet.close();
    renameSync(partial, out);
    syncDirectory(dirname(out));
    return rowsCount;
  } finally {
    rmSync(partial, { force: true });
    await reader.close();
  }
}

type SheetMaker = (file: string, dataset: Dataset) => Sheet;

/** The name of the file says which form it has. */
async function sheetMaker(file: string): Promise<SheetMaker> {
  const form = extname(file);
  if (form === '.csv') return (partial, { columns }) => new CsvSheet(partial, columns);
  if (form !== '.parquet') {
    throw new NotExported(`${file} names no form: end it with .csv or .parquet`);
  }
  const { ParquetSheet } = await import('./parquet.ts');
  return (partial, { columns }) => new ParquetSheet(partial, columns);
}

/** A day begins at midnight UTC. */
function timeOf(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const timeMs = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(timeMs)) return timeMs;
  throw new NotExported(`${flag} takes a time in UTC, as 2026-11-24 or 2026-11-24T15:00Z`);
}

function idsOf({ account, market }: ExportFlags, names: Names): ExportFilter {
  return {
    accountIds: account?.map((name) => accountNamed(name, names)),
    instrumentIds: market?.map((symbol) => marketNamed(symbol, names)),
  };
}

function accountNamed(name: string, { accounts }: Names): AccountId {
  const found = [...accounts].find(([id, known]) => known === name || String(id) === name);
  if (found !== undefined) return found[0];
  throw new NotExported(`there is no account ${name}`);
}

function marketNamed(symbol: string, { instruments }: Names): InstrumentId {
  const found = instruments.find((market) => market.symbol === symbol);
  if (found !== undefined) return found.instrumentId;
  const known = instruments.map((market) => market.symbol).join(', ');
  throw new NotExported(`there is no market ${symbol}; there are ${known}`);
}

async function fill(
  sheet: Sheet,
  { sources }: Dataset,
  known: Pick<Past, 'reader' | 'names' | 'filter'>,
  output: Output,
): Promise<number> {
  const mark = await known.reader.exportMark();
  const past = { ...known, mark, catalogue: new Catalogue(known.names) };
  let rowsCount = 0;
  for (const source of sources) {
    const progress = new Progress(output, source.counted);
    for await (const { rows, done, total } of source.pages(past)) {
      for (const row of rows) sheet.add(row);
      rowsCount += rows.length;
      progress.update(done, total);
    }
  }
  return rowsCount;
}
