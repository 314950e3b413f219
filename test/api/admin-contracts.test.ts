/** The operator's contracts over the whole server: how they are listed and how terms change. */

import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { ContractSpec } from '#domain';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { load } from '../support/config-file.ts';
import { type Json, Operator, SHORT_CONTRACT } from '../support/operator.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { startHere } from '../support/server-here.ts';
import { BAD_JSON } from './bad-input-values.ts';

const server = closedAtEnd(await startHere());
const operator = new Operator(server.url, ADMIN_TOKEN);

const call: Operator['call'] = (...request) => operator.call(...request);
const done: Operator['done'] = (...request) => operator.done(...request);

const SHORT_DATA = {
  ...SHORT_CONTRACT,
  margin: 'USDT',
  priceStep: '0.1',
  quantityScale: 0,
  minQuantity: '1',
  maxQuantity: '5000',
  takerFee: '0.0006',
  makerFee: '0.0004',
  minLeverage: 1,
  maxLeverage: 50,
  priceBand: '0.05',
  markClamp: '0.03',
  openOrdersMax: 1_000,
  planOrdersMax: 100,
  presetsMax: 100,
  fundingTimes: ['07:00', '15:00', '23:00'],
  fundingInterest: '0.0001',
  fundingClamp: '0.0005',
  fundingCap: '0.00375',
  impactQuantity: '1',
  index: {
    sources: [],
    staleSeconds: 60,
    outlier: '0.05',
    impactNotional: '10000',
    maxMove: '0.0005',
  },
  suspendedReason: '',
  status: 'online',
};

test('a contract listed with the least gets the defaults of the configuration file', async () => {
  const made = await done('listContract', '/contracts', SHORT_CONTRACT);
  assert.deepEqual(made.data, SHORT_DATA);
  const { data } = await done('instruments', '/instruments');
  assert.ok(Array.isArray(data.contracts));
  assert.deepEqual(data.contracts.at(-1), SHORT_DATA);
});

/** Every term, each different from its default. */
const FULL = {
  symbol: 'FULL-PERP',
  kind: 'inverse',
  base: 'ETH',
  quote: 'USD',
  contractValue: '10',
  priceScale: 2,
  priceStep: '0.05',
  quantityScale: 1,
  minQuantity: '0.5',
  maxQuantity: '900',
  takerFee: '0.0007',
  makerFee: '0.0003',
  minLeverage: 2,
  maxLeverage: 40,
  tiers: [{ contracts: '1000.5', maintenanceRate: '0.006', maxLeverage: 45 }],
  priceBand: '0.1',
  markClamp: '0.02',
  openOrdersMax: 10,
  planOrdersMax: 11,
  presetsMax: 12,
  fundingTimes: ['00:30', '12:05'],
  fundingInterest: '0.0002',
  fundingClamp: '0.0004',
  fundingCap: '0.005',
  impactQuantity: '20.5',
  index: {
    sources: [
      { spot: 'ETH-USDT', weight: 2 },
      { feed: 'elsewhere', weight: 3 },
    ],
    staleSeconds: 30,
    outlier: '0.02',
    impactNotional: '2.5',
    maxMove: '0',
  },
  referencePrice: '2000.5',
  status: 'halt',
};

test('every term that is said comes back in the same words', async () => {
  const made = await done('listContract', '/contracts', FULL);
  assert.deepEqual(made.data, { ...FULL, margin: 'ETH', suspendedReason: '' });
});

/** A venue of the file's own, with the coins and the pair that the rows above name. */
const LISTED = {
  assets: [
    { code: 'BTC', coinId: 1, scale: 8 },
    { code: 'USDT', coinId: 2, scale: 8 },
    { code: 'ETH', coinId: 3, scale: 8 },
  ],
  spot: [
    {
      symbol: 'ETH-USDT',
      base: 'ETH',
      quote: 'USDT',
      priceScale: 2,
      quantityScale: 4,
      minQuantity: '1',
      maxQuantity: '2',
      takerFee: '0',
      makerFee: '0',
    },
  ],
};

/** What was listed, without what the venue adds to it. */
async function listedSpec(symbol: string): Promise<ContractSpec> {
  const listed = await server.venue.read(({ listings }) => listings.contract(symbol));
  const { instrumentId, margin, valueFactor, fineFactor, ...spec } = present(listed, symbol);
  assert.ok(instrumentId > 0 && valueFactor > 0n && fineFactor > 0n, margin.code);
  return spec;
}

test('the operator and the file mean the same by the same words', async (context) => {
  const file = JSON.stringify({ ...LISTED, contracts: [SHORT_CONTRACT, FULL] });
  const expected = [await listedSpec('SHORT-PERP'), await listedSpec('FULL-PERP')];
  assert.deepEqual(load(context, file).contracts, expected);
});

interface WrongCase {
  readonly body: Json;
  readonly code: string;
}

const NEW = { ...SHORT_CONTRACT, symbol: 'NEW-PERP' };
const [FIRST_TIER, LAST_TIER] = SHORT_CONTRACT.tiers;

const WRONG_LISTINGS: readonly WrongCase[] = [
  { body: SHORT_CONTRACT, code: '60607' },
  { body: { ...NEW, symbol: 'btcusdt' }, code: '60608' },
  { body: { ...NEW, quote: 'EUR' }, code: '40034' },
  { body: { ...NEW, kind: 'inverse', base: 'SOL' }, code: '40034' },
  { body: { ...NEW, kind: 'quanto' }, code: '40017' },
  { body: { ...NEW, margin: 'USDT' }, code: '40017' },
  { body: { ...NEW, contractValue: '0' }, code: '60608' },
  { body: { ...NEW, contractValue: '0.00000001' }, code: '60608' },
  { body: { ...NEW, contractValue: '1e-3' }, code: '40017' },
  { body: { ...NEW, priceScale: 19 }, code: '40017' },
  { body: { ...NEW, priceStep: '0' }, code: '60608' },
  { body: { ...NEW, priceStep: '0.05' }, code: '40017' },
  { body: { ...NEW, referencePrice: '0' }, code: '60608' },
  { body: { ...NEW, referencePrice: '900719925474099.1' }, code: '60608' },
  { body: { ...NEW, minQuantity: '6000' }, code: '60608' },
  { body: { ...NEW, minQuantity: '0' }, code: '60608' },
  { body: { ...NEW, minQuantity: '1.5' }, code: '40017' },
  { body: { ...NEW, takerFee: '1' }, code: '60608' },
  { body: { ...NEW, minLeverage: 0 }, code: '60608' },
  { body: { ...NEW, maxLeverage: 126 }, code: '60608' },
  { body: { ...NEW, maxLeverage: 51 }, code: '60608' },
  { body: { ...NEW, tiers: [] }, code: '60608' },
  { body: { ...NEW, tiers: 'flat' }, code: '40017' },
  { body: { ...NEW, tiers: [LAST_TIER, FIRST_TIER] }, code: '60608' },
  { body: { ...NEW, tiers: [{ ...FIRST_TIER, fee: '0' }] }, code: '40017' },
  { body: { ...NEW, tiers: [{ contracts: '1' }] }, code: '40017' },
  { body: { ...NEW, fundingTimes: [] }, code: '40017' },
  { body: { ...NEW, fundingTimes: ['7:00'] }, code: '40017' },
  { body: { ...NEW, fundingTimes: ['15:00', '07:00'] }, code: '60608' },
  { body: { ...NEW, impactQuantity: '0' }, code: '60608' },
  { body: { ...NEW, index: { sources: [{ spot: 'SOL-USDT' }] } }, code: '60608' },
  { body: { ...NEW, index: { sources: [{ feed: 'operator' }] } }, code: '60608' },
  { body: { ...NEW, index: { sources: [{}] } }, code: '40017' },
  {
    body: { ...NEW, index: { sources: [{ feed: 'a' }, { feed: 'a', weight: 2 }] } },
    code: '40017',
  },
  { body: { ...NEW, index: { sources: [{ feed: 'a', weight: 0 }] } }, code: '60608' },
  { body: { ...NEW, index: { stale: 5 } }, code: '40017' },
];

test('a contract that makes no sense is refused and lists nothing', async () => {
  const before = await done('instruments', '/instruments');
  for (const { body, code } of WRONG_LISTINGS) {
    const answer = await call('POST', '/contracts', body);
    assert.equal(answer.code, code, `${JSON.stringify(body)}: ${answer.msg}`);
  }
  assert.deepEqual((await done('instruments', '/instruments')).data, before.data);
});

const CHANGES: readonly Json[] = [
  { minQuantity: '2' },
  { maxQuantity: '4000' },
  { takerFee: '0.0001' },
  { makerFee: '0' },
  { minLeverage: 2 },
  { maxLeverage: 45 },
  { tiers: [{ contracts: '9000', maintenanceRate: '0.004', maxLeverage: 60 }] },
  { priceBand: '0.2' },
  { markClamp: '0.01' },
  { openOrdersMax: 5 },
  { planOrdersMax: 6 },
  { presetsMax: 7 },
  { fundingTimes: ['01:00'] },
  { fundingInterest: '0' },
  { fundingClamp: '0.001' },
  { fundingCap: '0.01' },
  { impactQuantity: '300' },
  { status: 'halt' },
  { status: 'online', takerFee: '0.0002' },
  {},
];

test('terms change one by one and the others stay', async () => {
  await done('listContract', '/contracts', { ...SHORT_CONTRACT, symbol: 'TERMS-PERP' });
  let expected: Json = { ...SHORT_DATA, symbol: 'TERMS-PERP' };
  for (const change of CHANGES) {
    expected = { ...expected, ...change };
    const changed = await done('updateContract', '/contracts/terms-perp', change);
    assert.deepEqual(changed.data, expected, JSON.stringify(change));
  }
});

test('what the index is made of changes part by part', async () => {
  await done('listContract', '/contracts', { ...SHORT_CONTRACT, symbol: 'PARTS-PERP' });
  const parts = async (index: Json): Promise<unknown> =>
    (await done('updateContract', '/contracts/PARTS-PERP', { index })).data.index;
  const sources = [{ feed: 'elsewhere', weight: 1 }];
  assert.deepEqual(await parts({ staleSeconds: 5 }), { ...SHORT_DATA.index, staleSeconds: 5 });
  let expected: Json = { ...SHORT_DATA.index, sources, staleSeconds: 5 };
  assert.deepEqual(await parts({ sources: [{ feed: 'elsewhere' }] }), expected);
  const changes = [{ outlier: '0.5' }, { impactNotional: '0' }, { maxMove: '0.01' }];
  for (const change of [...changes, { sources: [] }]) {
    expected = { ...expected, ...change };
    assert.deepEqual(await parts(change), expected);
  }
});

const WRONG_CHANGES: readonly WrongCase[] = [
  { body: { contractValue: '1' }, code: '40017' },
  { body: { referencePrice: '1' }, code: '40017' },
  { body: { maxLeverage: 1.5 }, code: '40017' },
  { body: { maxLeverage: 126 }, code: '60608' },
  { body: { maxLeverage: 51 }, code: '60608' },
  { body: { minQuantity: '6000' }, code: '60608' },
  { body: { tiers: [] }, code: '60608' },
  { body: { index: { sources: [{ spot: 'BTCUSDT_SPBL' }] } }, code: '60608' },
  { body: { index: { sources: [{ feed: 'a' }, { feed: 'b' }, { feed: 'a' }] } }, code: '40017' },
  { body: { status: 'closed' }, code: '40017' },
];

test('a change that makes no sense changes nothing', async () => {
  const before = await done('contract', '/contracts/SHORT-PERP');
  for (const { body, code } of WRONG_CHANGES) {
    const answer = await call('PATCH', '/contracts/SHORT-PERP', body);
    assert.equal(answer.code, code, `${JSON.stringify(body)}: ${answer.msg}`);
  }
  assert.deepEqual((await done('contract', '/contracts/SHORT-PERP')).data, before.data);
  for (const path of ['/contracts/NONE-PERP', '/contracts/dogeusdt', '/contracts/%00']) {
    assert.equal((await call('GET', path)).code, '40102', path);
    assert.equal((await call('PATCH', path, {})).code, '40102', path);
  }
});

/** Bodies with a gap for one value inside a list or a group. */
const GAPS: readonly string[] = [
  '{"tiers":[{"contracts":GAP,"maintenanceRate":"0.01","maxLeverage":10}]}',
  '{"tiers":[{"contracts":"10","maintenanceRate":GAP,"maxLeverage":10}]}',
  '{"tiers":[{"contracts":"10","maintenanceRate":"0.01","maxLeverage":GAP}]}',
  '{"tiers":[GAP]}',
  '{"fundingTimes":[GAP]}',
  '{"index":{"staleSeconds":GAP}}',
  '{"index":{"outlier":GAP}}',
  '{"index":{"impactNotional":GAP}}',
  '{"index":{"maxMove":GAP}}',
  '{"index":{"sources":[GAP]}}',
  '{"index":{"sources":[{"spot":GAP}]}}',
  '{"index":{"sources":[{"feed":GAP}]}}',
  '{"index":{"sources":[{"feed":"a","weight":GAP}]}}',
];

test('nonsense inside tiers, times and sources is refused or harmless, never a fault', async () => {
  await done('listContract', '/contracts', { ...SHORT_CONTRACT, symbol: 'GAPS-PERP' });
  for (const body of GAPS) {
    const answers = new Set<number>();
    for (const value of BAD_JSON) {
      const text = body.replace('GAP', () => value);
      const { status, msg } = await call('PATCH', '/contracts/GAPS-PERP', text);
      assert.ok(status === 200 || status === 400, `${status} ${text.slice(0, 200)}: ${msg}`);
      assert.match(msg, /^[ -~]{1,300}$/);
      answers.add(status);
    }
    assert.ok(answers.has(400), body);
  }
  await done('contract', '/contracts/GAPS-PERP');
});
