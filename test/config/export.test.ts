/** `outcry export`: what is in the file, word for word, and what is refused. */
import { strict as assert } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { runCommandLine } from '#cli';
import { ManualClock } from '#kernel';
import { openSharedLog } from '#log';
import { asRow, DEMO, dataOf, field, MAKER, Trader } from '../support/http-trader.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

const START_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const data = scratchDirectory();
const files = scratchDirectory();
const SYMBOL = 'BTCUSDT_SPBL';

/** Ids of orders by who placed them. */
const orders = { ask: '', bid: '', late: '' };

before(async () => {
  const clock = new ManualClock(START_MS);
  const here = await new ServerHere(data, clock).start({ ownToken: true });
  const [demo, maker] = [DEMO, MAKER].map((who) => new Trader(here.url, who, () => clock.nowMs()));
  assert.ok(demo !== undefined && maker !== undefined);
  const place = async (trader: Trader, terms: object): Promise<string> => {
    const order = { symbol: SYMBOL, orderType: 'limit', force: 'normal', ...terms };
    const answer = await trader.post('/trade/orders', order);
    assert.equal(answer.code, '00000', answer.message);
    return field(asRow(dataOf(answer)), 'orderId');
  };
  orders.ask = await place(maker, { side: 'sell', price: '30000.5', quantity: '0.5' });
  const own = { clientOrderId: '-1+2' };
  orders.bid = await place(demo, { side: 'buy', price: '30001', quantity: '0.3001', ...own });
  clock.advance(DAY_MS);
  await maker.post('/trade/cancel-order', { symbol: SYMBOL, orderId: orders.ask });
  orders.late = await place(demo, { side: 'sell', price: '29000', quantity: '0.1' });
  await demo.post('/trade/cancel-order', { symbol: SYMBOL, orderId: orders.late });
  await here.close();
});

interface Said {
  readonly code: number;
  readonly lines: readonly string[];
}

async function outcry(...words: string[]): Promise<Said> {
  const lines: string[] = [];
  const unused = () => assert.fail('an export does nothing else');
  const code = await runCommandLine([...words, '--data', data], {
    env: {},
    output: { result: (line) => lines.push(line), notice: (line) => lines.push(line) },
    serve: unused,
    bench: unused,
    startVenue: unused,
    openSharedLog,
  });
  return { code, lines };
}

let filesCount = 0;

async function exported(what: string, form: string, ...words: string[]): Promise<string> {
  filesCount += 1;
  const file = join(files, `${filesCount}.${form}`);
  const said = await outcry('export', what, '--out', file, ...words);
  assert.equal(said.code, 0, said.lines.join('\n'));
  return file;
}

async function csv(what: string, ...words: string[]): Promise<string[]> {
  const text = readFileSync(await exported(what, 'csv', ...words), 'utf8');
  assert.ok(text.endsWith('\r\n'));
  return text.split('\r\n').slice(0, -1);
}

const FIRST = '2026-11-20T12:00:00.000Z';
const SECOND = '2026-11-21T12:00:00.000Z';

test('orders that are over, each with what it was and what became of it', async () => {
  const [limit, cancelled] = ['limit,gtc', 'cancelled_by_owner'];
  const ended = `${FIRST},${SECOND}`;
  assert.deepEqual(await csv('orders'), [
    'order_id,account,symbol,client_order_id,side,type,force,price,size,filled,reason,' +
      'created_at,closed_at',
    `${orders.ask},maker,BTC-USDT,,sell,${limit},30000.5,0.5,0.3001,${cancelled},${ended}`,
    `${orders.bid},demo,BTC-USDT,'-1+2,buy,${limit},30001,0.3001,0.3001,filled,${FIRST},${FIRST}`,
    `${orders.late},demo,BTC-USDT,,sell,${limit},29000,0.1,0,${cancelled},${SECOND},${SECOND}`,
  ]);
});

test('fills of both parties, with their fees', async () => {
  const [names, ...lines] = await csv('fills');
  assert.match(names ?? '', /^trade_id,order_id,account,symbol,side,role,price,size,value,/);
  const shown = lines.map((line) => line.split(',').slice(1).join(','));
  const value = '30000.5,0.3001,9003.15005,USDT';
  assert.deepEqual(shown, [
    `${orders.bid},demo,BTC-USDT,buy,taker,${value},0.0003001,BTC,,${FIRST}`,
    `${orders.ask},maker,BTC-USDT,sell,maker,${value},9.00315005,USDT,,${FIRST}`,
  ]);
});

test('the ledger: each change of a balance, and the balance after it', async () => {
  const lines = await csv(
    'ledger',
    '--account',
    'demo',
    '--from',
    '2026-11-20',
    '--market',
    'BTC-USDT',
  );
  const shown = lines.slice(1).map((line) => line.split(',').slice(1).join(','));
  assert.deepEqual(shown, [
    `demo,spot,BTC,buy,BTC-USDT,0.2997999,0.0003001,100.2997999,${FIRST}`,
    `demo,spot,USDT,buy,BTC-USDT,-9003.15005,0,990996.84995,${FIRST}`,
  ]);
});

test('filters leave what they name', async () => {
  const ids = async (...words: string[]) =>
    (await csv('orders', ...words)).slice(1).map((line) => line.split(',')[0]);
  assert.deepEqual(await ids('--account', 'demo'), [orders.bid, orders.late]);
  assert.deepEqual(await ids('--account', 'demo', 'maker', '--market', 'ETH-USDT'), []);
  assert.deepEqual(await ids('--from', '2026-11-21'), [orders.ask, orders.late]);
  assert.deepEqual(await ids('--to', '2026-11-21T00:00Z'), [orders.bid]);
  assert.deepEqual(await ids('--from', '2026-11-20T12:00:00.001Z', '--to', '2026-11-21'), []);
});

test('Parquet has the same rows, with decimals to the last digit', async () => {
  for (const what of ['orders', 'fills', 'ledger', 'transfers', 'liquidations']) {
    const [names = '', ...lines] = await csv(what);
    const file = await asyncBufferFromFile(await exported(what, 'parquet'));
    const metadata = await parquetMetadataAsync(file);
    const decimals = metadata.schema.filter((element) => element.converted_type === 'DECIMAL');
    for (const element of decimals) {
      assert.deepEqual([element.precision, element.scale], [38, 18]);
      // The reader would make floating-point numbers of them: it is given the bytes.
      delete element.converted_type;
    }
    const decimalNames = new Set(decimals.map(({ name }) => name));
    const rows = await parquetReadObjects({ file, metadata, utf8: false });
    assert.equal(rows.length, lines.length, what);
    const shown = rows.map((row) =>
      names
        .split(',')
        .map((name) => cellText(row[name], decimalNames.has(name)))
        .join(','),
    );
    assert.deepEqual(
      shown,
      lines.map((line) => line.replace("'-1+2", '-1+2')),
      what,
    );
  }
});

/** Independent of the writer: two's complement, most significant byte first, 18 places. */
function cellText(value: unknown, isDecimal: boolean): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (!isDecimal)
    return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
  assert.ok(value instanceof Uint8Array && value.length === 16);
  const units = BigInt.asIntN(128, BigInt(`0x${Buffer.from(value).toString('hex')}`));
  const digits = (units < 0n ? -units : units).toString().padStart(19, '0');
  const text = `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '');
  return units < 0n ? `-${text}` : text;
}

test("the file is its owner's alone, and nothing else is left", async () => {
  const file = await exported('fills', 'csv');
  assert.equal(statSync(file).mode & 0o077, 0);
  assert.deepEqual(
    readdirSync(files).filter((name) => name.endsWith('.partial')),
    [],
  );
});

const REFUSED: readonly (readonly [words: string, said: RegExp])[] = [
  ['export chickens --out x.csv', /^chickens is none of orders, fills, ledger, transfers, liquida/],
  ['export constructor --out x.csv', /^constructor is none of/],
  ['export fills --out x.xlsx', /names no form: end it with \.csv or \.parquet/],
  ['export fills --out x.csv --account nobody', /^there is no account nobody/],
  [
    'export fills --out x.csv --market BTC',
    /^there is no market BTC; there are BTC-USDT, ETH-USDT/,
  ],
  ['export fills --out x.csv --from yesterday', /^--from takes a time in UTC/],
  ['export fills --out x.csv --to 2026-13-01', /^--to takes a time in UTC/],
];

for (const [words, said] of REFUSED) {
  test(`refused: ${words}`, async () => {
    const [first = '', what = '', ...rest] = words.split(' ');
    const place = rest.map((word) => (word.startsWith('x.') ? join(files, word) : word));
    const { code, lines } = await outcry(first, what, ...place);
    assert.equal(code, 2);
    assert.match(lines.join('\n'), said);
    assert.deepEqual(
      readdirSync(files).filter((name) => name.startsWith('x.')),
      [],
    );
  });
}

test('a file that is there already stays as it is', async () => {
  const file = join(files, 'mine.csv');
  writeFileSync(file, 'mine');
  const { code, lines } = await outcry('export', 'fills', '--out', file);
  assert.equal(code, 2);
  assert.match(lines.join('\n'), /mine\.csv is there already: name another file/);
  assert.equal(readFileSync(file, 'utf8'), 'mine');
  assert.ok(!existsSync(`${file}.partial`));
});

/** The rows of a file by the names of its columns. */
async function named(what: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const [names = '', ...lines] = await csv(what);
  const columns = names.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
  });
}

test('files join: the wallet of a contract has its symbol in each of them', async () => {
  const [funding, ledger, balances] = [
    await named('funding'),
    await named('ledger'),
    await named('balances'),
  ];
  const contracts = new Set(funding.map(({ symbol }) => symbol));
  const wallets = [...ledger, ...balances].map(({ wallet = '' }) => wallet);
  const ofContracts = new Set(wallets.filter((wallet) => !['spot', 'margin'].includes(wallet)));
  assert.deepEqual([...ofContracts], ['BTC-USD-PERP']);
  assert.ok(contracts.has('BTC-USD-PERP') && contracts.has('BTC-USDT-PERP'));
  const keyOf = (row: Readonly<Record<string, string>>) =>
    [row.account, row.wallet, row.coin].join(' ');
  const sums = new Map<string, number>();
  for (const row of ledger) {
    sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + Number(row.change));
  }
  for (const row of balances) {
    assert.ok(Math.abs((sums.get(keyOf(row)) ?? 0) - Number(row.balance)) < 1e-6, keyOf(row));
  }
});
