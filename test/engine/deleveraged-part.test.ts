/**
 * Deleveraging takes a part from an account that could not bear to lose all it holds at the price:
 * the price concerns what is closed at it.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { COIN, coinFloor, ETH } from '../support/coin-floor.ts';
import { type Floor, refuseNone } from '../support/floor.ts';

/**
 * Ann is long 10 from 30000, bankrupt at 27016.5. Tom, short 2010 from 26990, is alone on the other
 * side. He has gained with ETH, and has less than 53 that is not unrealised.
 */
function onlyTomIsThere(): Floor {
  const venue = coinFloor();
  venue.open('ann', '330', { ...COIN, mode: 'isolated', leverage: 10 });
  for (const who of ['kim', 'mia']) venue.open(who, '1000000', COIN);
  venue.open('tom', '9000', COIN);
  venue.trade('ann', 'kim', '30000', 10);
  venue.trade('tom', 'mia', '2000', 20, ETH.symbol);
  venue.trade('mia', 'tom', '2000', 20, ETH.symbol);
  venue.index('27160');
  venue.trade('mia', 'tom', '26990', 2_000);
  refuseNone(venue.order('tom', 'open_short', '26990', 10));
  refuseNone(venue.order('kim', 'close_short', '26990', 10));
  const spare = Number(venue.funds('tom').balance) - 40;
  const price = String(Math.floor(2_000 + spare / 20));
  venue.index(price, ETH.symbol);
  refuseNone(venue.order('mia', 'close_long', price, 20, { on: ETH.symbol }));
  refuseNone(venue.order('tom', 'close_short', price, 20, { on: ETH.symbol }));
  return venue;
}

test('who cannot bear all of it is closed for the part that is needed', () => {
  const venue = onlyTomIsThere();
  const { balance } = venue.funds('tom');
  assert.ok(Number(balance) > 5 && Number(balance) < 53, balance);
  const end = venue.index('26950').find(({ kind }) => kind === 'liquidated');
  assert.ok(end?.kind === 'liquidated');
  assert.equal(end.deleveragedLots, 10);
  assert.equal(venue.position('ann', 'long').lots, 0);
  assert.equal(venue.position('tom', 'short').lots, 2_000);
  assert.equal((Number(balance) - Number(venue.funds('tom').balance)).toFixed(3), '0.265');
});
