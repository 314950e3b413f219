/** Price alerts: which price fires which, once or each time, and what is read of what was kept. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ALERT_DIRECTIONS,
  ALERT_SOURCES,
  ALERTS_MAX,
  type Alert,
  hasReached,
  heardPrice,
  readAlerts,
} from '../../ui/src/model/alerts.ts';
import { readSignals, SIGNALS, SOUNDS } from '../../ui/src/model/signals.ts';

const BASE: Alert = {
  id: 'a',
  symbol: 'BTC-USDT',
  source: 'last',
  direction: 'above',
  price: '31000.00',
  repeats: false,
  isArmed: true,
};

/** Hears prices one after the other; resolves with how often something fired, and what is left. */
function heard(alert: Alert, prices: readonly string[]) {
  let alerts: readonly Alert[] = [alert];
  const fired = prices.map((price) => {
    const verdict = heardPrice(alerts, { symbol: alert.symbol, source: alert.source, price });
    alerts = verdict.alerts;
    return verdict.fired.length;
  });
  return { fired, left: alerts.length };
}

test('an alert fires when the price reaches it, from its side', () => {
  const up = ['30000', '30999.99', '31000', '31500', '30000', '31000'];
  assert.deepEqual(heard(BASE, up), { fired: [0, 0, 1, 0, 0, 0], left: 0 });
  const down = ['32000', '31000.01', '30999.5'];
  const below: Alert = { ...BASE, direction: 'below' };
  assert.deepEqual(heard(below, down), { fired: [0, 0, 1], left: 0 });
});

test('one that repeats fires again after the price was back on the other side', () => {
  const prices = ['31000', '31200', '30999', '30500', '31001', '31002'];
  const each: Alert = { ...BASE, repeats: true };
  assert.deepEqual(heard(each, prices), { fired: [1, 0, 0, 0, 1, 0], left: 1 });
});

test('a price that jumped over it while the page was closed fires it at the first look', () => {
  assert.deepEqual(heard(BASE, ['40000']), { fired: [1], left: 0 });
});

test('another market, another price, and no price at all fire nothing', () => {
  for (const other of [
    { symbol: 'ETH-USDT', source: 'last', price: '40000' },
    { symbol: 'BTC-USDT', source: 'mark', price: '40000' },
    { symbol: 'BTC-USDT', source: 'last', price: '0' },
  ] as const) {
    const alerts = [BASE, { ...BASE, id: 'b', direction: 'below', price: '1' } as const];
    assert.deepEqual(heardPrice(alerts, other), { alerts, fired: [] });
  }
});

const cents = fc.integer({ min: 1, max: 9_999_999 }).map((each) => (each / 100).toFixed(2));
const someAlert = fc
  .record({
    id: fc.uuid(),
    symbol: fc.constantFrom('BTC-USDT', 'BTC-USDT-PERP'),
    source: fc.constantFrom(...ALERT_SOURCES),
    direction: fc.constantFrom(...ALERT_DIRECTIONS),
    price: cents,
    repeats: fc.boolean(),
    isArmed: fc.boolean(),
  })
  .map((alert): Alert => ({ ...alert }));

test('whatever the prices, only what is armed fires, and only where it was reached', () => {
  const property = fc.property(fc.array(someAlert, { maxLength: 8 }), cents, (alerts, price) => {
    const now = { symbol: 'BTC-USDT-PERP', source: 'mark', price } as const;
    const verdict = heardPrice(alerts, now);
    for (const alert of verdict.fired) {
      assert.ok(alert.isArmed && hasReached(alert, price));
      assert.ok(alert.symbol === now.symbol && alert.source === now.source);
    }
    const gone = alerts.filter(({ id }) => !verdict.alerts.some((left) => left.id === id));
    assert.deepEqual(
      gone,
      verdict.fired.filter(({ repeats }) => !repeats),
    );
    assert.deepEqual(heardPrice(verdict.alerts, now), { alerts: verdict.alerts, fired: [] });
  });
  fc.assert(property);
});

test('what was kept is read as it was, at most fifty; anything else is left out', () => {
  const property = fc.property(fc.array(someAlert, { maxLength: 5 }), (alerts) => {
    assert.deepEqual(readAlerts(JSON.stringify(alerts)), alerts);
  });
  fc.assert(property);
  const many = Array.from({ length: 60 }, (_, at) => ({ ...BASE, id: `n${at}` }));
  assert.equal(readAlerts(JSON.stringify(many)).length, ALERTS_MAX);
  assert.equal(readAlerts(JSON.stringify([BASE, BASE])).length, 1);
  const broken: readonly unknown[] = [
    { ...BASE, price: '-1' },
    { ...BASE, price: '1e9' },
    { ...BASE, price: '0' },
    { ...BASE, price: 31_000 },
    { ...BASE, source: 'index' },
    { ...BASE, direction: 'over' },
    { ...BASE, symbol: 'x'.repeat(65) },
    { ...BASE, repeats: 'yes' },
    { ...BASE, id: '' },
    null,
    7,
  ];
  assert.deepEqual(readAlerts(JSON.stringify([...broken, BASE])), [BASE]);
  for (const text of ['', '{}', 'null', '[']) assert.deepEqual(readAlerts(text), []);
  fc.assert(fc.property(fc.json(), (text) => void readAlerts(text)));
});

test('each event has a short sound, and all are on until one is switched off', () => {
  for (const signal of SIGNALS) {
    const tones = SOUNDS[signal];
    assert.ok(tones.length > 0);
    for (const { hertz, atMs, lastsMs } of tones) {
      assert.ok(hertz > 200 && hertz < 4_000 && lastsMs >= 80 && atMs + lastsMs < 1_000);
    }
  }
  assert.deepEqual(readSignals(''), SIGNALS);
  assert.deepEqual(readSignals('[]'), []);
  assert.deepEqual(readSignals('["risk","fill","other"]'), ['fill', 'risk']);
});
