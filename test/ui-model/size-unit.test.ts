/** Sizes in contracts, coin and quote currency, and the worst price of a bounded market order. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../ui/src/model/numbers.ts';
import { lotsIn, SIZE_UNITS, sizeIn, unitScale } from '../../ui/src/model/size-unit.ts';
import { boundTicks } from '../../ui/src/model/slippage.ts';
import { contractOf, rowOf } from './traded.ts';

const LINEAR = {
  ...rowOf('BTC-USDT-PERP'),
  ...{ contractValue: '0.001', priceStep: '0.5', sizeMin: '1', sizeMax: '10000' },
  ...{ takerFee: '0.0006', makerFee: '0.0002', priceBand: '0.05' },
  riskTiers: [{ sizeMax: '100000', maintenanceRate: '0.005', leverageMax: 100 }],
};
const linear = contractOf(LINEAR);
const inverse = contractOf({ ...LINEAR, kind: 'inverse', money: 'BTC', contractValue: '1' });
const PRICE = 300_000;

const SIZES = [
  [linear, 'contracts', '12', 12n, '12'],
  [linear, 'base', '0.0125', 12n, '0.012'],
  [linear, 'quote', '389.99', 12n, '360'],
  [inverse, 'quote', '12.9', 12n, '12'],
  [inverse, 'base', '0.00043', 12n, '0.0004'],
] as const;

for (const [contract, unit, typed, lots, text] of SIZES) {
  test(`${contract.kind}: ${typed} in ${unit} is ${lots} lots, which is ${text}`, () => {
    const size = scaled(typed, unitScale(contract, unit));
    assert.equal(lotsIn(contract, unit, size, PRICE), lots);
    assert.equal(sizeIn(contract, unit, Number(lots), PRICE), text);
  });
}

test('a size in any unit is what was typed, less than a lot short of it', () => {
  const wishes = fc.record({
    contract: fc.constantFrom(linear, inverse),
    unit: fc.constantFrom(...SIZE_UNITS),
    size: fc.bigInt({ min: 0n, max: 10n ** 13n }),
    priceTicks: fc.integer({ min: 1, max: 10_000_000 }),
  });
  const property = fc.property(wishes, ({ contract, unit, size, priceTicks }) => {
    const lots = Number(lotsIn(contract, unit, size, priceTicks));
    const scale = unitScale(contract, unit);
    const shown = (count: number) => scaled(sizeIn(contract, unit, count, priceTicks), scale);
    assert.ok(shown(lots) <= size);
    assert.ok(shown(lots + 1) >= size);
  });
  fc.assert(property, { endOnFailure: true });
});

test('nothing is worth anything without a price', () => {
  assert.equal(lotsIn(linear, 'quote', 10n ** 12n, 0), 0n);
  assert.equal(sizeIn(linear, 'quote', 12, 0), '');
});

test('a bounded price lies on a step, within the limit, next to it', () => {
  assert.equal(boundTicks('buy', 300_000, 5_000, 5), 301_500);
  assert.equal(boundTicks('sell', 300_000, 5_000, 5), 298_500);
  assert.equal(boundTicks('buy', 299_995, 1_000, 5), 300_290);
  assert.equal(boundTicks('sell', 299_995, 1_000, 5), 299_700);
  assert.equal(boundTicks('sell', 5, 50_000, 5), 5);
});
