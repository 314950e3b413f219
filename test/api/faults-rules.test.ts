/** Which calls and messages a rule hits: by key and target, how often, and the same by its seed. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FaultInjector } from '#api';
import type { FaultEffect, FaultRule } from '#domain';
import { ORDERS_PATH, type RuleChoices, ruleOf, SWAP_ORDERS_PATH } from './faults-house.ts';

const MAINTENANCE = { kind: 'maintenance' } as const;
const LOST = { kind: 'drop_message' } as const;
const BROKEN = { kind: 'server_error', status: 500 } as const;
const LATE = { kind: 'latency', ms: 100, jitterMs: 50 } as const;

/** An injector with these rules, numbered from 1. */
function injector(...rules: readonly (readonly [FaultEffect, RuleChoices?])[]): FaultInjector {
  const made = new FaultInjector();
  for (const [at, rule] of numbered(rules).entries()) {
    if (at % 2 === 0) made.apply({ kind: 'fault_added', rule });
    else made.restore([rule]);
  }
  return made;
}

function numbered(rules: readonly (readonly [FaultEffect, RuleChoices?])[]): FaultRule[] {
  return rules.map(([effect, choices], at) => ({ ...ruleOf(effect, choices), faultId: at + 1 }));
}

const CALLS: readonly (readonly [target: string, method: string, path: string, hit: boolean])[] = [
  ['', 'POST', ORDERS_PATH, true],
  ['', 'GET', '/api/swap/v3/market/depth', true],
  ['POST', 'POST', ORDERS_PATH, true],
  ['POST', 'GET', ORDERS_PATH, false],
  [ORDERS_PATH, 'POST', ORDERS_PATH, true],
  [ORDERS_PATH, 'POST', SWAP_ORDERS_PATH, false],
  [ORDERS_PATH, 'POST', `${ORDERS_PATH}-more`, false],
  [`POST ${ORDERS_PATH}`, 'POST', ORDERS_PATH, true],
  [`POST ${ORDERS_PATH}`, 'GET', ORDERS_PATH, false],
  ['/api/spot/*', 'POST', ORDERS_PATH, true],
  ['/api/spot/*', 'POST', SWAP_ORDERS_PATH, false],
  ['POST /api/*', 'POST', SWAP_ORDERS_PATH, true],
  ['POST /api/*', 'GET', SWAP_ORDERS_PATH, false],
  ['spot orders', 'POST', ORDERS_PATH, false],
];

for (const [target, method, path, hit] of CALLS) {
  test(`'${target}' ${hit ? 'hits' : 'passes over'} ${method} ${path}`, () => {
    const fault = injector([BROKEN, { target }]).call(method, path, '');
    assert.deepEqual(fault, hit ? { latencyMs: 0, effect: BROKEN } : undefined);
  });
}

const MESSAGES = [
  ['', 'spot', 'books', true],
  ['spot', 'spot', 'orders', true],
  ['spot', 'swap', 'order', false],
  ['swap depth', 'swap', 'depth', true],
  ['swap depth', 'swap', 'depth5', false],
  ['swap depth', 'spot', 'depth', false],
  [`POST ${ORDERS_PATH}`, 'spot', 'orders', false],
] as const;

for (const [target, stream, channel, hit] of MESSAGES) {
  test(`'${target}' ${hit ? 'hits' : 'passes over'} messages of ${stream} ${channel}`, () => {
    const effect = injector([LOST, { target }]).message(stream, '', channel);
    assert.deepEqual(effect, hit ? LOST : undefined);
  });
}

test('a rule with a key hits that key only, one without hits everybody', () => {
  const one = injector([BROKEN, { key: 'ann' }], [LOST, { key: 'ann' }]);
  const all = injector([BROKEN], [LOST]);
  for (const [key, hit] of [
    ['ann', true],
    ['bob', false],
    ['', false],
  ] as const) {
    assert.equal(one.call('GET', '/', key) !== undefined, hit, key);
    assert.equal(one.message('spot', key, 'books') !== undefined, hit, key);
    assert.ok(all.call('GET', '/', key) !== undefined);
    assert.ok(all.message('spot', key, 'books') !== undefined);
  }
});

test('a rule for calls spoils no message, and the other way round', () => {
  assert.equal(injector([BROKEN], [LATE]).message('spot', '', 'books'), undefined);
  assert.equal(injector([LOST]).call('GET', '/', ''), undefined);
});

test('a rule skips, hits so many times and is spent', () => {
  const faults = injector([BROKEN, { skipCount: 2, hitsMax: 3 }]);
  assert.deepEqual(hits(faults, 8), [2, 3, 4]);
});

test('the rule set first wins, and one that does not hit leaves the call to the next', () => {
  const faults = injector([BROKEN, { hitsMax: 1 }], [MAINTENANCE, { hitsMax: 1 }]);
  const effects = [1, 2, 3].map(() => faults.call('GET', '/', '')?.effect);
  assert.deepEqual(effects, [BROKEN, MAINTENANCE, undefined]);
});

test('rules kept from before are asked in the order they were set', () => {
  const faults = new FaultInjector();
  faults.restore(numbered([[BROKEN], [MAINTENANCE]]).reverse());
  assert.deepEqual(faults.call('GET', '/', '')?.effect, BROKEN);
});

test('latencies add up, with each other and with another effect', () => {
  const fixed = { kind: 'latency', ms: 30, jitterMs: 0 } as const;
  assert.deepEqual(injector([fixed], [BROKEN], [fixed]).call('GET', '/', ''), {
    latencyMs: 60,
    effect: BROKEN,
  });
});

test('jitter is drawn between nothing and its size, both included', () => {
  const faults = injector([{ kind: 'latency', ms: 10, jitterMs: 3 }]);
  const drawn = Array.from({ length: 200 }, () => faults.call('GET', '/', '')?.latencyMs);
  assert.deepEqual([...new Set(drawn)].toSorted(), [10, 11, 12, 13]);
});

test('a rule that is removed hits no more; the others stay', () => {
  const faults = injector([BROKEN], [MAINTENANCE], [LOST], [LATE]);
  faults.apply({ kind: 'faults_removed', faultIds: [1, 4] });
  assert.deepEqual(faults.call('GET', '/', ''), { latencyMs: 0, effect: MAINTENANCE });
  faults.apply({ kind: 'faults_removed', faultIds: [2, 3] });
  assert.equal(faults.call('GET', '/', ''), undefined);
  assert.equal(faults.message('spot', '', 'books'), undefined);
  assert.equal(faults.isDown('spot', ''), false);
});

test('maintenance of a stream is of all its channels; that of a channel lets people in', () => {
  const stream = injector([MAINTENANCE, { target: 'spot' }]);
  assert.deepEqual([stream.isDown('spot', ''), stream.isDown('swap', '')], [true, false]);
  assert.ok(stream.isDown('spot', '', 'books'));
  const channel = injector([MAINTENANCE, { target: 'spot orders' }]);
  assert.equal(channel.isDown('spot', ''), false);
  assert.ok(channel.isDown('spot', '', 'orders'));
  assert.equal(channel.isDown('spot', '', 'books'), false);
});

/** Which of so many calls are hit, counted from zero. */
function hits(faults: FaultInjector, callsCount: number): number[] {
  const calls = Array.from({ length: callsCount }, (_, at) => at);
  return calls.filter(() => faults.call('GET', '/', '') !== undefined);
}

test('half of many are hit, others by another seed', () => {
  const [one, other] = [1, 2].map((seed) =>
    hits(injector([BROKEN, { probabilityPpm: 500_000, seed }]), 2_000),
  );
  assert.ok(one !== undefined && one.length > 900 && one.length < 1_100, String(one?.length));
  assert.notDeepEqual(one, other);
});

test('a seed hits the same ones again, whatever the number of the rule', () => {
  const settings = fc.record({
    probabilityPpm: fc.integer({ min: 0, max: 1_000_000 }),
    skipCount: fc.integer({ min: 0, max: 20 }),
    hitsMax: fc.integer({ min: 0, max: 20 }),
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  });
  const property = fc.property(settings, (choices) => {
    const found = hits(injector([BROKEN, choices]), 60);
    const never: RuleChoices = { target: 'DELETE' };
    assert.deepEqual(hits(injector([BROKEN, never], [BROKEN, choices]), 60), found);
    assert.ok(found.every((at) => at >= choices.skipCount));
    if (choices.hitsMax > 0) assert.ok(found.length <= choices.hitsMax);
    if (choices.probabilityPpm === 0) assert.equal(found.length, 0);
  });
  fc.assert(property, { numRuns: 200 });
});

test('the jitter of a seed is the same again', () => {
  const draw = (): unknown[] => {
    const faults = injector([LATE, { seed: 9 }]);
    return Array.from({ length: 50 }, () => faults.call('GET', '/', ''));
  };
  assert.deepEqual(draw(), draw());
  assert.ok(new Set(draw().map((fault) => JSON.stringify(fault))).size > 20);
});
