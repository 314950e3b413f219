/**
 * A venue with a busy past is exported from its file and from PostgreSQL: both are the same, and
 * the same as what the views of the database say, which are written in another language.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { layDownBusyPast } from '../support/busy-past.ts';
import { execute, newDatabase, postgresOrSkip } from '../support/postgres.ts';
import { run } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

const DATASETS = [
  ...['orders', 'fills', 'ledger', 'transfers', 'liquidations'],
  ...['funding', 'candles', 'equity', 'balances'],
];
/** Ids of the API are the numbers above this one. */
const FIRST_ID = 10n ** 15n;

const VIEWS: Readonly<Record<string, string>> = {
  orders: 'closed_orders',
  fills: 'fills',
  ledger: 'ledger',
  liquidations: 'liquidated_positions',
};

const server = await postgresOrSkip();

async function exportsOf(directory: string, form = 'csv'): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const place = scratchDirectory();
  for (const what of DATASETS) {
    const file = join(place, `${what}.${form}`);
    const done = await run('export', what, '--out', file, '--data', directory);
    assert.equal(done.code, 0, done.log);
    found.set(what, readFileSync(file, 'utf8'));
  }
  return found;
}

function textOf(value: unknown): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

test('from a file and from PostgreSQL, and as its views say', async (t) => {
  if (server === undefined) return t.skip('PostgreSQL is not installed');
  const directory = scratchDirectory(t);
  await layDownBusyPast(directory);
  const nowMs = Date.now();
  const here = ServerHere.still(t, directory, nowMs);
  await here.start({ sandbox: true });
  await here.close();
  const fromFile = await exportsOf(directory);
  const url = newDatabase(server);
  process.env.OUTCRY_HISTORY = url;
  t.after(() => {
    delete process.env.OUTCRY_HISTORY;
  });
  const again = ServerHere.still(t, directory, nowMs);
  await again.start({ sandbox: true, historyUrl: url });
  await again.close();
  const fromDatabase = await exportsOf(directory);
  for (const what of DATASETS) {
    const [names = '', ...lines] = (fromFile.get(what) ?? '').trimEnd().split('\r\n');
    assert.deepEqual(fromDatabase.get(what), fromFile.get(what), what);
    const view = VIEWS[what];
    if (view === undefined) continue;
    assert.ok(lines.length > 0, `the past has ${what}`);
    const rows = await execute(url, `select ${names} from outcry.${view}`);
    const shown = rows.map((row) =>
      Object.entries(row)
        .map(([name, value]) => {
          const isId = /^(order|trade)_id$/.test(name);
          return isId ? String(FIRST_ID + BigInt(textOf(value))) : textOf(value);
        })
        .join(','),
    );
    const plain = lines.map((line) => (what === 'ledger' ? shortId(line) : line));
    assert.deepEqual(plain.toSorted(), shown.toSorted(), what);
  }
  await requireSeries(url, fromFile);
});

/** What has no view: as many rows as are there, and their figures in another way. */
async function requireSeries(url: string, exported: ReadonlyMap<string, string>): Promise<void> {
  const linesOf = (what: string) => (exported.get(what) ?? '').trimEnd().split('\r\n').slice(1);
  const tables = [
    ['funding', 'funding_rates'],
    ['candles', 'candles'],
    ['equity', 'day_equities'],
  ] as const;
  for (const [what, table] of tables) {
    const [row] = await execute(url, `select count(*) as count from outcry.${table}`);
    assert.equal(linesOf(what).length, Number(row?.count), what);
  }
  const closes = await execute(
    url,
    "select symbol || ',last,1h,' || trim_scale(close_ticks * ('1e-' || price_scale)::numeric) " +
      'as line from outcry.candles join outcry.markets using (instrument_id) where period_id = 6',
  );
  const shown = linesOf('candles').map((line) => line.split(','));
  const hours = shown.filter(([, of, period]) => of === 'last' && period === '1h');
  const lines = hours.map((cells) => [...cells.slice(0, 3), cells[7]].join(','));
  assert.ok(lines.length > 0);
  assert.deepEqual(lines.toSorted(), closes.map(({ line }) => textOf(line)).toSorted());
  const now = await execute(url, 'select * from outcry.balances where until is null');
  const balances = linesOf('balances').map((line) => line.split(',').slice(0, 4).join(','));
  const wallets = new Set(now.map(({ wallet }) => wallet));
  assert.ok(wallets.has('spot') && wallets.size > 1, 'contract wallets, too');
  for (const { account, wallet, coin, balance } of now) {
    const line = [account, wallet, coin, balance].map(textOf).join(',');
    assert.ok(balances.includes(line), line);
  }
}

/** Entries of pairs are numbered as bills of the API, those of contracts from one. */
function shortId(line: string): string {
  return line.replace(/^1[0-9]{15}(?=,)/, (id) => String(BigInt(id) - FIRST_ID));
}
