/** Fee levels: which volume has which, and rates that follow the volume day by day. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountId, type Command, lots, ticks } from '#domain';
import { present } from '#kernel';
import { areOfLevel, levelOf } from '#people';
import { spotOrder } from '../support/orders.ts';
import { PeopleVenue } from '../support/people-venue.ts';
import { eventually, reads } from '../support/until.ts';

const DAY_MS = 86_400_000;

const SECTIONS = `
feeLevels:
  coin: USDT
  levels:
    - { volume: "1000", takerFee: "0.0008", makerFee: "0.0006" }
    - { volume: "5000", takerFee: "0.0005", makerFee: "0" }
`;
const venue = await PeopleVenue.open({ after }, { sections: SECTIONS });

const LEVELS = [
  { volume: 1_000n, takerFeePpm: 900, makerFeePpm: 800 },
  { volume: 5_000n, takerFeePpm: 500, makerFeePpm: 0 },
];
const NONE = { takerFeePpm: null, makerFeePpm: null };
const BY_HAND = { takerFeePpm: 100, makerFeePpm: 100 };

test('a level begins with its threshold', () => {
  const rows = [
    [0n, 0],
    [999n, 0],
    [1_000n, 1],
    [4_999n, 1],
    [5_000n, 2],
    [10n ** 30n, 2],
  ] as const;
  for (const [volume, level] of rows) assert.equal(levelOf(LEVELS, volume), level, `${volume}`);
  assert.equal(levelOf([], 5n), 0);
});

test('rates that the operator set by hand are nobody’s level', () => {
  const before = { takerFeePpm: 700, makerFeePpm: 600 };
  const rows = [
    ['those of the markets', NONE, undefined, true],
    ['a level', { takerFeePpm: 900, makerFeePpm: 800 }, undefined, true],
    ['one of its rates by hand', { takerFeePpm: 900, makerFeePpm: null }, undefined, false],
    ['by hand', BY_HAND, undefined, false],
    ['by hand since', BY_HAND, { applied: before, wanted: before }, false],
    ['a level of an earlier configuration', before, { applied: before, wanted: NONE }, true],
    ['what was being set', before, { applied: NONE, wanted: before }, true],
  ] as const;
  for (const [name, now, known, isOfLevel] of rows) {
    assert.equal(areOfLevel(now, known, LEVELS), isOfLevel, name);
  }
});

async function opened(name: string): Promise<number> {
  const { data } = await venue.operator.done('createAccount', '/accounts', { name });
  for (const [coin, amount] of [
    ['USDT', '100000'],
    ['BTC', '10'],
  ]) {
    await venue.operator.done('deposit', `/accounts/${name}/deposits`, { coin, amount });
  }
  return Number(data.accountId);
}

async function run(command: Command): Promise<void> {
  const [first] = await venue.server.venue.submit(command);
  assert.ok(first?.kind !== 'refused', first?.kind === 'refused' ? first.reject : '');
}

/** The first sells so many hundredths of a bitcoin to the second, at 30000. */
async function trade(seller: number, buyer: number, hundredths: number): Promise<void> {
  const instrumentId = await venue.server.venue.read(
    ({ listings }) => present(listings.spotBySymbol('BTCUSDT'), 'pair').instrumentId,
  );
  const order = { instrumentId, priceTicks: ticks(3_000_000), sizeLots: lots(hundredths * 100) };
  await run(spotOrder({ ...order, accountId: accountId(seller), side: 'sell' }));
  await run(spotOrder({ ...order, accountId: accountId(buyer), side: 'buy' }));
}

async function rates(name: string): Promise<readonly unknown[]> {
  const { data } = await venue.operator.done('account', `/accounts/${name}`);
  return [data.takerFee, data.makerFee];
}

async function level(name: string) {
  return (await venue.operator.call('GET', `/accounts/${name}/fee-level`)).data;
}

test('rates follow the volume of thirty days, and rates by hand stay', async () => {
  const [big, small, manual] = [await opened('big'), await opened('small'), await opened('manual')];
  await venue.operator.done('updateAccount', '/accounts/manual', { takerFee: '0.0001' });
  await trade(big, small, 4);
  await trade(manual, big, 13);
  assert.deepEqual(await rates('big'), [null, null], 'a day that is not over does not count');

  await venue.advance(DAY_MS);
  await reads(() => rates('big'), ['0.0005', '0']);
  await reads(() => rates('small'), ['0.0008', '0.0006']);
  assert.deepEqual(await rates('manual'), ['0.0001', null]);
  const { accountId: _, countedTime, ...seen } = await level('big');
  assert.deepEqual(seen, { level: 2, volume: '5100', coin: 'USDT', next: null });
  assert.equal(Number(countedTime) % DAY_MS, 0);
  const manualLevel = await eventually(
    () => level('manual'),
    (found) => assert.equal(found.level, 1),
  );
  assert.equal(manualLevel.volume, '3900');
  const { rows } = await venue.operator.call('GET', '/fee-levels/accounts?limit=2');
  assert.equal(rows.length, 2);
  const configured = await venue.operator.call('GET', '/fee-levels');
  assert.deepEqual(configured.data.levels, [
    { volume: '1000', takerFee: '0.0008', makerFee: '0.0006' },
    { volume: '5000', takerFee: '0.0005', makerFee: '0' },
  ]);
});

test('with the days that count volumes fall, also after a restart, and rates go back', async () => {
  await trade(2, 1, 4);
  await venue.restart();
  await venue.advance(30 * DAY_MS);
  await reads(() => rates('big'), ['0.0008', '0.0006']);
  await reads(() => rates('small'), ['0.0008', '0.0006']);
  await venue.advance(DAY_MS);
  await reads(() => rates('big'), [null, null]);
  await reads(() => rates('small'), [null, null]);
  assert.deepEqual(await rates('manual'), ['0.0001', null]);
});

test('a person sees the level of an own account, and of no other', async () => {
  const ada = await venue.person('ada@example.com');
  const path = (id: string) => `/people/v1/accounts/${id}/fee-level`;
  const own = await ada.done('GET', path(ada.accountId));
  assert.deepEqual(
    [own.data.level, own.data.volume, own.data.next, own.data.countedTime],
    [0, '0', '1000', null],
  );
  await ada.refused('60601', 'GET', path('1'));
});
