/** Who follows an account over a crash of the venue is told all of it again. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '#kernel';
import { DEMO } from '../support/http-trader.ts';
import { AccountCopy, NativeStream, type Row, sorted } from '../support/native-stream.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startVenueProcess, type VenueProcess } from '../support/venue-process.ts';

const directory = scratchDirectory();
const SYSTEM = { clock: { nowMs: Date.now } };
const BID = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '20000', size: '0.001' };

async function connect({ url }: VenueProcess): Promise<NativeStream> {
  const stream = await NativeStream.open(Number(new URL(url).port));
  assert.equal((await stream.login(SYSTEM, DEMO)).error, undefined);
  return stream;
}

test('after SIGKILL a subscription that asks to go on gets a snapshot', async () => {
  const first = await startVenueProcess({ participants: false, directory });
  const stream = await connect(first);
  await stream.done('subscribe', { channels: ['account'] });
  const copy = new AccountCopy();
  copy.take(await stream.push('account'));
  const { data } = await stream.call('POST', '/v1/orders', BID);
  copy.take(await stream.push('account'));
  await first.stop('SIGKILL');
  const second = await startVenueProcess({ participants: false, directory });
  const again = await connect(second);
  const asked = { channels: ['account'], since: copy.seq };
  assert.deepEqual(await again.done('subscribe', asked), { channels: ['account'], resumed: false });
  const message = await again.push('account');
  assert.equal(message.type, 'snapshot');
  assert.ok(present(message.seq, 'seq') >= copy.seq);
  copy.take(message);
  const open = (await again.call('GET', '/v1/orders')).data as Row[];
  assert.deepEqual(copy.openOrders, sorted(open));
  assert.ok(
    open.some(({ id }) => id === (data as Row).id),
    'what was seen is there',
  );
  await again.close();
  await second.close();
});
