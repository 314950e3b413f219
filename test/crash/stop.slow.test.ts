/** One server at a time on a data directory, and what it does when it is told to stop. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { randomOf } from '../../tools/random.ts';
import { DEMO, dataOf, rowsOf, Trader } from '../support/http-trader.ts';
import { type Program, readyUrl, run, serve } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { compare } from './compare.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';

const STOP_MAX_MS = 5_000;
const REFUSED_MAX_MS = 10_000;
const CLIENTS_PER_ACCOUNT = 6;
/** More than the commands that make a snapshot worth taking at the end. */
const COMMANDS_MIN = 1_500;
const ORDERS = '/api/spot/v1/trade/orders';
const BODY = JSON.stringify({
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  force: 'normal',
  price: '29000',
  quantity: '0.01',
  clientOrderId: 'under-way',
});

/** Tells it to stop and checks that it does so in time. */
async function stopped(program: Program, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  program.signal(signal);
  await program.until('end', () => program.isOver, STOP_MAX_MS);
  const { code, log } = await program.ended;
  assert.equal(code, 0, log);
}

/** An order of which the server has the headers and not yet the body. */
async function orderUnderWay(url: string): Promise<ClientRequest> {
  const headers = {
    ...new Trader(url, DEMO).headers('POST', ORDERS, BODY),
    'content-length': String(Buffer.byteLength(BODY)),
    expect: '100-continue',
  };
  const order = request(`${url}${ORDERS}`, { method: 'POST', headers, agent: false });
  order.flushHeaders();
  await once(order, 'continue');
  return order;
}

async function takesNoConnection(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const taken = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return !taken;
}

test('a second server on the same data directory is refused, and the first goes on', async (t) => {
  const directory = scratchDirectory(t);
  const first = serve({ directory });
  const url = await readyUrl(first);
  const second = serve({ directory });
  await second.until('end', () => second.isOver, REFUSED_MAX_MS);
  const { code, output, log } = await second.ended;
  assert.equal(code, 2, log);
  assert.equal(output, '');
  assert.match(log, /^in_use in .*another outcry process is running on this data directory\n$/);
  assert.equal(rowsOf(await new Trader(url, DEMO).get('/account/assets')).length, 3);
  await stopped(first);

  const third = serve({ directory });
  await readyUrl(third);
  await stopped(third, 'SIGINT');
});

test('told to stop under load: every answer counts, a snapshot is left, exit 0', async (t) => {
  const data = new DataDirectory(scratchDirectory(t));
  const { program, sides } = await data.start();
  const load = new Load(randomOf(3));
  for (const side of sides) load.start(side, CLIENTS_PER_ACCOUNT);
  const asked = () => data.demo.terms.size + data.maker.terms.size;
  await until('enough commands', () => asked() >= COMMANDS_MIN);
  await stopped(program);
  await load.ended();
  assert.ok(existsSync(data.file('snapshots')), 'there is a snapshot');
  assert.equal(existsSync(data.file('journal.sqlite-wal')), false, 'the journal is closed');
  const replayed = await run('replay', '--data', data.directory);
  assert.equal(replayed.code, 0, replayed.log);
  assert.match(replayed.output, /^snapshot {2}matches$/m);

  const again = await data.start();
  await compare(again.url, again.sides);
  await stopped(again.program);
});

test('an order under way when the server is told to stop is taken and answered', async (t) => {
  const directory = scratchDirectory(t);
  const program = serve({ directory });
  const url = await readyUrl(program);
  const order = await orderUnderWay(url);
  program.signal('SIGTERM');
  await until('closed to new connections', () => takesNoConnection(url));
  order.end(BODY);
  const [reply] = await once(order, 'response');
  assert.match(await text(reply), /"code":"00000"/);
  assert.equal((await program.ended).code, 0, program.log);

  const again = serve({ directory });
  const trader = new Trader(await readyUrl(again), DEMO);
  const asked = { symbol: 'BTCUSDT', clientOrderId: 'under-way' };
  dataOf(await trader.post('/trade/orderInfo', asked));
  await again.kill();
});

test('a client that never ends its request does not keep the server from stopping', async (t) => {
  const program = serve({ directory: scratchDirectory(t) });
  const order = await orderUnderWay(await readyUrl(program));
  const cutOff = new Promise((resolve) => order.once('error', resolve));
  await stopped(program);
  await cutOff;
});
