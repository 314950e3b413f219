/** What clients of the contract stream say and are answered, to the letter, and what is refused. */
import { strict as assert } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { House } from '../support/house.ts';
import { signature } from '../support/signer.ts';
import { LINEAR_SYMBOL, SwapDesk } from '../support/swap-desk.ts';
import { loginArgs, type Message, SwapStream } from '../support/swap-stream.ts';

const CHANNEL = `swap/ticker:${LINEAR_SYMBOL}`;
const PRIVATE = `swap/account:${LINEAR_SYMBOL}`;

let stream: SwapStream;

const desk = closedAtEnd(await SwapDesk.open());
const { house } = desk;
const trader = await desk.trader('trader');
beforeEach(async () => {
  stream = await SwapStream.open(await house.port());
});
afterEach(() => stream.close());

/** The answer to a message, as text. */
async function answer(message: unknown): Promise<string> {
  const count = stream.texts.length;
  stream.send(message);
  await stream.until('an answer', () => stream.texts.length > count);
  return stream.texts[count] ?? '';
}

async function refusal(message: unknown): Promise<Message> {
  const found: Message = JSON.parse(await answer(message));
  assert.deepEqual(Object.keys(found), ['event', 'message', 'errorCode']);
  assert.equal(found.event, 'error');
  return found;
}

describe('words', () => {
  test('both kinds of ping', async () => {
    assert.equal(await answer('ping'), 'pong');
    assert.equal(await answer({ op: 'ping' }), 'pong');
  });

  test('a login, whatever form its timestamp has', async () => {
    const seconds = house.clock.nowMs() / 1_000;
    for (const timestamp of [String(seconds), seconds, Math.floor(seconds)]) {
      const sign = signature(trader.secret, `${timestamp}GET/user/verify`);
      const args = [trader.key, trader.passphrase, timestamp, sign];
      assert.equal(await answer({ op: 'login', args }), '{"event":"login","success":true}');
    }
  });

  test('a subscription is confirmed in the words it was made in', async () => {
    const odd = `swap/ticker:${LINEAR_SYMBOL.toUpperCase()}`;
    assert.equal(
      await answer({ op: 'subscribe', args: [odd] }),
      `{"event":"subscribe","channel":"${odd}"}`,
    );
    const { table, data, seq } = await stream.push('swap/ticker');
    assert.deepEqual([table, data?.[0]?.instrument_id, seq], ['swap/ticker', LINEAR_SYMBOL, 0]);
    assert.equal(
      await answer({ op: 'unsubscribe', args: [odd] }),
      `{"event":"unsubscribe","channel":"${odd}"}`,
    );
  });

  test('channels of one message are taken one by one, their faults are one answer', async () => {
    stream.send({ op: 'subscribe', args: [CHANNEL, 'swap/none:cmt_btcusdt', PRIVATE] });
    await stream.until(
      'two answers',
      () => stream.messages.filter(({ event }) => event).length === 2,
    );
    const events = stream.messages.filter(({ event }) => event !== undefined);
    assert.deepEqual(
      events.map(({ event, errorCode }) => [event, errorCode]),
      [
        ['subscribe', undefined],
        ['error', 30001],
      ],
    );
  });
});

describe('refused', () => {
  const CASES: readonly (readonly [message: unknown, code: number])[] = [
    ['', 30002],
    ['pong', 30002],
    ['{', 30002],
    ['null', 30002],
    ['[1]', 30002],
    ['"subscribe"', 30002],
    [`${'['.repeat(8_000)}`, 30002],
    [{}, 30003],
    [{ op: 7 }, 30003],
    [{ op: 'place' }, 30003],
    [{ op: '__proto__' }, 30003],
    [{ op: 'subscribe' }, 30002],
    [{ op: 'subscribe', args: [] }, 30002],
    [{ op: 'subscribe', args: CHANNEL }, 30002],
    [{ op: 'subscribe', args: [{ channel: CHANNEL }] }, 30002],
    [{ op: 'subscribe', args: [null] }, 30002],
    [{ op: 'subscribe', args: [''] }, 30001],
    [{ op: 'subscribe', args: ['ticker'] }, 30001],
    [{ op: 'subscribe', args: ['spot/ticker:BTCUSDT'] }, 30001],
    [{ op: 'subscribe', args: ['swap/ticker'] }, 30001],
    [{ op: 'subscribe', args: ['swap/ticker:'] }, 30001],
    [{ op: 'subscribe', args: ['swap/ticker:cmt_dogeusdt'] }, 30001],
    [{ op: 'subscribe', args: ['swap/candle61s:cmt_btcusdt'] }, 30001],
    [{ op: 'subscribe', args: ['swap/candles:cmt_btcusdt'] }, 30001],
    [{ op: 'subscribe', args: ['swap/constructor:cmt_btcusdt'] }, 30001],
    [{ op: 'subscribe', args: [`swap/ticker:${'x'.repeat(10_000)}`] }, 30001],
    [{ op: 'subscribe', args: ['swap/ticker:cmt_btcusdt"}\n{"'] }, 30001],
    [{ op: 'subscribe', args: [PRIVATE] }, 30004],
    [{ op: 'login' }, 30002],
    [{ op: 'login', args: ['key', 'passphrase'] }, 30002],
    [{ op: 'login', args: [{ apiKey: 'key' }] }, 30002],
  ];
  for (const [message, code] of CASES) {
    const shown = JSON.stringify(message).slice(0, 70);
    test(`${shown} with ${code}`, async () => {
      const { errorCode, message: text = '' } = await refusal(message);
      assert.equal(errorCode, code);
      assert.ok(text.length > 0 && text.length < 200, 'a person can read it');
      assert.equal(await answer('ping'), 'pong', 'the connection goes on');
    });
  }
});

test('a channel that needs a login is named as it was asked for', async () => {
  const { message } = await refusal({ op: 'subscribe', args: [PRIVATE] });
  assert.equal(message, `The channel needs a login: ${PRIVATE}`);
});

describe('a login that fails', () => {
  const CASES: readonly (readonly [
    what: string,
    change: (args: string[]) => unknown[],
    code: number,
  ])[] = [
    ['no key', ([, ...rest]) => ['', ...rest], 30011],
    ['an unknown key', ([, ...rest]) => ['nobody', ...rest], 30005],
    ['a wrong passphrase', ([key, , ...rest]) => [key, 'wrong', ...rest], 30005],
    ['no time', ([key, pass, , sign]) => [key, pass, '', sign], 30013],
    ['a time that is none', ([key, pass, , sign]) => [key, pass, 'now', sign], 30013],
    ['an old time', ([key, pass, , sign]) => [key, pass, '1600000000', sign], 30014],
    [
      'a time in milliseconds',
      ([key, pass, ts, sign]) => [key, pass, String(Number(ts) * 1_000), sign],
      30014,
    ],
    ['a wrong signature', ([key, pass, ts]) => [key, pass, ts, 'c2lnbg=='], 30005],
    ['no signature', ([key, pass, ts]) => [key, pass, ts, ''], 30015],
  ];
  for (const [what, change, code] of CASES) {
    test(`${what}: ${code}, and the connection is closed`, async () => {
      const args = change(loginArgs(house, trader));
      const { errorCode, message = '' } = await refusal({ op: 'login', args });
      assert.equal(errorCode, code);
      assert.ok(!message.includes(trader.passphrase), 'nothing is given away');
      assert.equal((await stream.closed).code, 1008);
    });
  }
});

test('a login in milliseconds says that the time is in seconds, an old one does not', async () => {
  const [key = '', pass = '', time = '', sign = ''] = loginArgs(house, trader);
  const ms = String(Number(time) * 1_000);
  const wrong = await refusal({ op: 'login', args: [key, pass, ms, sign] });
  const hint = `: ${ms} looks like milliseconds, it takes seconds`;
  assert.ok(wrong.message?.endsWith(hint), wrong.message);
  const later = await SwapStream.open(await house.port());
  later.send({ op: 'login', args: [key, pass, '1600000000', sign] });
  assert.equal((await later.closed).code, 1008);
  assert.match(String(later.texts[0]), /"errorCode":30014/);
  assert.doesNotMatch(String(later.texts[0]), /looks like/);
});

describe('what ends a connection', () => {
  test('a binary message', async () => {
    stream.sendBinary(Buffer.from('ping'));
    assert.equal((await stream.closed).code, 1003);
  });

  test('a message that is far too long', async () => {
    stream.send('x'.repeat(100_000));
    assert.equal((await stream.closed).code, 1009);
  });

  test('too many messages in a second, with limits on', async () => {
    const limited = await House.open({ rateLimits: true });
    const eager = await SwapStream.open(await limited.port());
    for (let sent = 0; sent < 11; sent += 1) eager.send('ping');
    const { code, reason } = await eager.closed;
    assert.deepEqual([code, eager.texts.length], [1008, 10]);
    assert.match(reason, /messages/);
    await limited.close();
  });

  test('a key that is revoked', async () => {
    await desk.house.addKey(trader.accountId, 'short-lived');
    const key = {
      key: 'short-lived',
      secret: 'short-lived-secret',
      passphrase: 'short-lived-pass',
    };
    assert.equal((await stream.login(house, key)).event, 'login');
    await stream.subscribe(PRIVATE);
    await house.run({ kind: 'revoke_key', key: 'short-lived' });
    assert.equal((await stream.closed).code, 1008);
  });

  test('the end of the server', async () => {
    const brief = await House.open();
    const left = await SwapStream.open(await brief.port());
    await left.subscribe(CHANNEL);
    await brief.close();
    assert.equal((await left.closed).code, 1001);
  });
});
