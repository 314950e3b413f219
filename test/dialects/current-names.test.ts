/** What the current interface calls markets: one name per product, and inverse contracts hidden. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '#domain';
import { closedAtEnd } from '../support/at-end.ts';
import { INVERSE, LINEAR } from '../support/contracts.ts';
import { House } from '../support/house.ts';
import { assetSpec, pairSpec } from '../support/terms.ts';

const house = closedAtEnd(await House.open());

async function refused(command: Command): Promise<string | undefined> {
  const [first] = await house.venue.submit(command);
  return first?.kind === 'refused' ? first.reject : undefined;
}

test('two pairs that would share a name are not both listed', async () => {
  for (const [at, code] of ['ABC', 'AB', 'CUSDT'].entries()) {
    await house.run({ kind: 'list_asset', spec: assetSpec(100 + at, code) });
  }
  await house.run({ kind: 'list_spot', spec: pairSpec('ABC', 'USDT') });
  const other = { kind: 'list_spot', spec: pairSpec('AB', 'CUSDT') } as const;
  assert.equal(await refused(other), 'listing_exists');
});

test('two contracts that would share a name are not both listed', async () => {
  const named = (symbol: `${string}-PERP`): Command => ({
    kind: 'list_contract',
    spec: { ...LINEAR, symbol },
  });
  await house.run(named('ABC-USDT-PERP'));
  assert.equal(await refused(named('AB-CUSDT-PERP')), 'listing_exists');
});

test('a pair and a contract have the same name, each in its product', async () => {
  for (const path of ['/api/v3/exchangeInfo', '/capi/v3/market/exchangeInfo']) {
    for (const symbol of ['BTCUSDT', 'btcusdt']) {
      const { text } = await house.get(`${path}?symbol=${symbol}`);
      const { symbols } = JSON.parse(text);
      assert.deepEqual([symbols.length, symbols[0].symbol], [1, 'BTCUSDT'], path);
    }
  }
});

test('an inverse contract is neither shown nor known', async () => {
  const all = JSON.parse((await house.get('/capi/v3/market/exchangeInfo')).text);
  const names = all.symbols.map(({ symbol }: { symbol: string }) => symbol);
  assert.ok(names.includes('BTCUSDT'));
  const inverse = INVERSE.symbol.replace('-PERP', '').replaceAll('-', '');
  assert.ok(!names.includes(inverse));
  const { body } = await house.get(`/capi/v3/market/depth?symbol=${inverse}`);
  assert.equal(body.code, -1142);
});
