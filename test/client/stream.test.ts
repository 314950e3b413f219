/** The stream of the typed client against a real venue, over a line that can be cut. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import {
  type AccountData,
  type BookData,
  hmac,
  native,
  outcryClient,
  type StreamListener,
  type StreamState,
  VenueError,
  VenueStream,
} from '#client';
import { startVenue } from '#testing';
import { eventually } from '../support/until.ts';

const venue = await startVenue({ participants: false });
const DEMO = { key: 'demo-key', secret: 'demo-secret', passphrase: 'demo-pass' };
const client = outcryClient({ url: venue.url, sign: hmac(DEMO) });
/** Of a line that a busy machine carries; seven of them are the client's. */
const SILENCE_TOLD_MS = 15_000;
const BID = {
  symbol: 'BTC-USDT',
  side: 'buy',
  type: 'limit',
  price: '20000',
  size: '0.01',
} as const;

/** Between a client and the venue: it cuts what it carries, and takes nothing while it is down. */
const carried = new Set<Socket>();
let isDown = false;
const line = createServer((near) => {
  if (isDown) {
    near.destroy();
    return;
  }
  const far = connect(Number(new URL(venue.url).port), '127.0.0.1');
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    carried.add(one);
    one.pipe(other);
    one.on('error', () => undefined);
    one.on('close', () => {
      carried.delete(one);
      other.destroy();
    });
  }
}).listen(0, '127.0.0.1');
await once(line, 'listening');
const url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;

const streams: VenueStream[] = [];
function streamOf(options: Partial<ConstructorParameters<typeof VenueStream>[0]> = {}) {
  const stream = new VenueStream({ url, ...options });
  streams.push(stream);
  return stream;
}

after(async () => {
  for (const stream of streams) stream.close();
  cut();
  line.close();
  await venue.stop();
});

function cut(): void {
  for (const socket of carried) socket.destroy();
}

/** Keeps what a listener is told: a message, or that it is lost. */
class Ear<Data> implements StreamListener<Data> {
  readonly heard: (readonly [what: 'snapshot' | 'update' | 'lost', data: Data | undefined])[] = [];

  onMessage({ type, data }: { readonly type: 'snapshot' | 'update'; readonly data: Data }) {
    this.heard.push([type, data]);
  }

  onLost() {
    this.heard.push(['lost', undefined]);
  }

  get words(): string {
    return this.heard.map(([what]) => what).join(' ');
  }

  /** Resolves once it has heard these words, and nothing else. */
  async hears(words: string): Promise<void> {
    await eventually(
      async () => this.words,
      (now) => assert.equal(now, words),
    );
  }
}

test('a channel begins with a snapshot, also for who comes later', async () => {
  const states: string[] = [];
  const stream = streamOf({ onState: (state) => states.push(state) });
  const [one, other] = [new Ear<BookData>(), new Ear<BookData>()];
  const stops = [stream.follow('book:BTC-USDT', one)];
  await one.hears('snapshot');
  stops.push(stream.follow('book:BTC-USDT', other));
  await other.hears('snapshot');
  await one.hears('snapshot snapshot');
  const { id } = await client.native.placeOrder(BID);
  await other.hears('snapshot update');
  assert.deepEqual(other.heard[1]?.[1]?.bids, [['20000.00', '0.01']]);
  stops[0]?.();
  await client.native.cancelOrder({ id });
  await other.hears('snapshot update update');
  assert.equal(one.words, 'snapshot snapshot update');
  assert.deepEqual(states, ['connecting', 'live']);
});

test('a broken line is told, and everything begins again by itself', async () => {
  const stream = streamOf();
  const [trades, tickers] = [new Ear(), new Ear()];
  stream.follow('trades:BTC-USDT', trades);
  stream.follow('tickers', tickers);
  await trades.hears('snapshot');
  await tickers.hears('snapshot');
  cut();
  await trades.hears('snapshot lost snapshot');
  await tickers.hears('snapshot lost snapshot');
});

test('a silent line is told within seconds, and is left for another one', async () => {
  const states: StreamState[] = [];
  const stream = streamOf({ onState: (state) => states.push(state) });
  const ear = new Ear<BookData>();
  stream.follow('book:5:ETH-BTC', ear);
  await ear.hears('snapshot');
  const silent = [...carried];
  for (const socket of silent) socket.pause();
  const [startMs, seen] = [performance.now(), states.length];
  await eventually(
    () => states.slice(seen),
    (told) => assert.equal(told[0], 'stale'),
  );
  assert.ok(performance.now() - startMs < SILENCE_TOLD_MS, `${performance.now() - startMs} ms`);
  // Somebody says that there is a network: it need not wait for as long as it may be a slow one.
  stream.look(true);
  await eventually(
    () => ear.heard.filter(([what]) => what === 'snapshot').length,
    (count) => assert.equal(count, 2),
  );
  assert.deepEqual(states.slice(seen), ['stale', 'connecting', 'live']);
  stream.look(false);
  assert.equal(states.at(-1), 'stale');
  stream.look(true);
  await eventually(
    () => states.at(-1),
    (state) => assert.equal(state, 'live'),
  );
  for (const socket of silent) socket.destroy();
});

test('the account goes on after a break, with what happened meanwhile', async () => {
  const stream = streamOf();
  const account = new Ear<AccountData>();
  stream.follow('account', account);
  stream.login({ sign: hmac(DEMO) });
  await account.hears('snapshot');
  isDown = true;
  cut();
  const { id } = await client.native.placeOrder(BID);
  await client.native.cancelOrder({ id });
  isDown = false;
  await account.hears('snapshot update update');
  assert.equal(account.heard[2]?.[1]?.orders[0]?.status, 'cancelled');
  const late = new Ear<AccountData>();
  stream.follow('account', late);
  await late.hears('snapshot');
  await account.hears('snapshot update update snapshot');
  stream.login(undefined);
  await account.hears('snapshot update update snapshot lost');
});

test('an order goes over the socket, by its login', async () => {
  const stream = streamOf();
  await assert.rejects(
    stream.call(native.placeOrder, BID),
    (error) => error instanceof VenueError && error.code === 'key_missing' && error.hint !== '',
  );
  stream.login({ sign: hmac(DEMO) });
  const { id } = await stream.call(native.placeOrder, BID);
  assert.equal((await stream.call(native.order, { id })).status, 'new');
  assert.equal((await stream.call(native.cancelOrder, { id })).id, id);
});

test('a refused channel keeps no other, and a refused key is given up', async () => {
  const refused: string[] = [];
  const stream = streamOf({ onRefused: ({ code }, what) => refused.push(`${what} ${code}`) });
  const ear = new Ear();
  stream.follow('trades:NO-SUCH', new Ear());
  stream.follow('trades:BTC-USDT', ear);
  await ear.hears('snapshot');
  assert.deepEqual(refused, ['trades:NO-SUCH symbol_unknown']);
  stream.login({ sign: hmac({ ...DEMO, secret: 'another' }) });
  await eventually(
    async () => refused,
    (said) => assert.ok(said.includes('login credentials_wrong'), said.join()),
  );
});
