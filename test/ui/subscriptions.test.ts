/** Who is told what of a stream: counted listeners, snapshots first, gaps found. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Pushed, Topic } from '../../ui/src/wire/dialects.ts';
import { SPOT_DIALECT } from '../../ui/src/wire/spot-dialect.ts';
import { Subscriptions } from '../../ui/src/wire/subscriptions.ts';
import { SWAP_DIALECT } from '../../ui/src/wire/swap-dialect.ts';

const BOOK: Topic = { channel: 'books', symbol: 'BTCUSDT_SPBL' };

/** What a listener was told, one word per call. */
class Ear {
  readonly heard: string[] = [];

  onPush({
    isSnapshot,
    rows,
  }: {
    readonly isSnapshot: boolean;
    readonly rows: readonly unknown[];
  }) {
    this.heard.push(`${isSnapshot ? 'snapshot' : 'update'} ${rows.join()}`);
  }

  onLost() {
    this.heard.push('lost');
  }
}

/** As the spot stream says it. */
function spotPush(action: string, row: string, seq: number): Pushed {
  const arg = { instType: 'SP', channel: 'books', instId: 'BTCUSDT' };
  return pushOf(SPOT_DIALECT.read(JSON.stringify({ action, arg, data: [row], seq })));
}

function pushOf(message: ReturnType<typeof SPOT_DIALECT.read>): Pushed {
  assert.ok(message.kind === 'push');
  return message;
}

function bound(ear: Ear) {
  return { onPush: ear.onPush.bind(ear), onLost: ear.onLost.bind(ear) };
}

test('updates that follow the snapshot are passed on; before it, none is', () => {
  const followed = new Subscriptions(SPOT_DIALECT);
  const ear = new Ear();
  followed.add(BOOK, bound(ear));
  const outcomes = [
    followed.take(spotPush('update', 'a', 3)),
    followed.take(spotPush('snapshot', 'b', 4)),
    followed.take(spotPush('update', 'c', 5)),
  ];
  assert.deepEqual(outcomes, ['early', 'complete', 'complete']);
  assert.deepEqual(ear.heard, ['snapshot b', 'update c']);
});

test('after a gap nothing is passed on until the next snapshot', () => {
  const followed = new Subscriptions(SPOT_DIALECT);
  const ear = new Ear();
  followed.add(BOOK, bound(ear));
  followed.take(spotPush('snapshot', 'a', 1));
  const outcomes = [
    followed.take(spotPush('update', 'b', 3)),
    followed.take(spotPush('update', 'c', 4)),
    followed.take(spotPush('snapshot', 'd', 5)),
    followed.take(spotPush('update', 'e', 6)),
  ];
  assert.deepEqual(outcomes, ['gap', 'early', 'complete', 'complete']);
  assert.deepEqual(ear.heard, ['snapshot a', 'lost', 'snapshot d', 'update e']);
});

test('a broken connection is told once to everybody who knew something', () => {
  const followed = new Subscriptions(SPOT_DIALECT);
  const [one, other] = [new Ear(), new Ear()];
  followed.add(BOOK, bound(one));
  followed.add(BOOK, bound(other));
  followed.lose();
  followed.take(spotPush('snapshot', 'a', 1));
  followed.lose();
  followed.lose();
  assert.deepEqual(one.heard, ['snapshot a', 'lost']);
  assert.deepEqual(other.heard, ['snapshot a', 'lost']);
});

test('a topic ends with its last listener', () => {
  const followed = new Subscriptions(SPOT_DIALECT);
  const [one, other] = [bound(new Ear()), bound(new Ear())];
  followed.add(BOOK, one);
  followed.add(BOOK, other);
  assert.equal(followed.remove(BOOK, one), false);
  assert.deepEqual(followed.topics, [BOOK]);
  assert.equal(followed.remove(BOOK, other), true);
  assert.equal(followed.isEmpty, true);
  assert.equal(followed.take(spotPush('snapshot', 'a', 1)), 'early');
});

test('empty snapshots of contracts go to the subscriptions in their order', () => {
  const followed = new Subscriptions(SWAP_DIALECT);
  const ears = ['cmt_btcusdt', 'cmt_ethusdt', 'cmt_btcusd'].map((symbol) => {
    const ear = new Ear();
    followed.add({ channel: 'order', symbol }, bound(ear));
    const confirmed = SWAP_DIALECT.read(`{"event":"subscribe","channel":"swap/order:${symbol}"}`);
    assert.ok(confirmed.kind === 'confirmed');
    followed.confirm(confirmed.key);
    return ear;
  });
  const rowOf = (symbol: string) => [{ instrument_id: symbol, toString: () => symbol }];
  const partial = { kind: 'push', isSnapshot: true, seq: 1 } as const;
  followed.take({ ...partial, key: 'order', rows: [] });
  followed.take({ ...partial, key: 'order:cmt_ethusdt', rows: rowOf('cmt_ethusdt') });
  followed.take({ ...partial, key: 'order', rows: [] });
  assert.deepEqual(
    ears.map(({ heard }) => heard),
    [['snapshot '], ['snapshot cmt_ethusdt'], ['snapshot ']],
  );
});
