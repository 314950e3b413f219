/** Contract accounts and positions over HTTP: every field, and every setting with its refusals. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { formatId, type SignedSwapName, SWAP_ENDPOINTS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { START_MS, type Trader } from '../support/house.ts';
import { INVERSE_SYMBOL, LINEAR_SYMBOL, SwapDesk } from '../support/swap-desk.ts';

const NOW = String(START_MS);

/** Takes the other side of whatever a test trades, and can afford it. */
const desk = closedAtEnd(await SwapDesk.open('contract'));
const other = await desk.funded('other', '10000000');
await desk.fund(other, '1000', INVERSE_SYMBOL);
await setLeverage(other, 2, INVERSE_SYMBOL);

type Row = Readonly<Record<string, string | null>>;
interface Holdings {
  readonly margin_mode: string;
  readonly holding: readonly [long: Row, short: Row];
}

/** The code of a refusal; undefined of a success. */
async function codeOf(who: Trader, name: SignedSwapName, fields: object): Promise<unknown> {
  const { status, body } = await desk.call(who, name, fields);
  assert.equal(status, body.code === undefined ? 200 : 400);
  return body.code;
}

function accountOf(who: Trader, symbol = LINEAR_SYMBOL): Promise<Row> {
  return desk.data(who, 'account', { symbol });
}

function positionOf(who: Trader, symbol = LINEAR_SYMBOL): Promise<Holdings> {
  return desk.data(who, 'position', { symbol });
}

function setLeverage(who: Trader, leverage: number, symbol = LINEAR_SYMBOL): Promise<Row> {
  return desk.data(who, 'leverage', { symbol, leverage });
}

const FLAT_ACCOUNT = {
  symbol: LINEAR_SYMBOL,
  equity: '0',
  fixed_balance: '0',
  total_avail_balance: '0',
  margin: '0',
  realized_pnl: '0',
  unrealized_pnl: '0',
  longMarginRatio: '0',
  shortMarginRatio: '0',
  marginRatio: null,
  margin_frozen: '0',
  timestamp: NOW,
  margin_mode: 'fixed',
  forwardContractFlag: true,
};

const FLAT_LONG = {
  symbol: LINEAR_SYMBOL,
  liquidation_price: '0.0',
  position: '0',
  avail_position: '0',
  avg_cost: '0.00',
  leverage: '20',
  realized_pnl: '0.00000000',
  keepMarginRate: '0.005',
  side: 'long',
  holdSide: '1',
  timestamp: NOW,
  margin: '0.000000000000',
  unrealized_pnl: '0.00000000',
  append_type: '0',
};
const FLAT_SHORT = { ...FLAT_LONG, side: 'short', holdSide: '2' };

test('an account that never did anything has every contract and both sides of it', async () => {
  const owner = await desk.house.trader('newcomer', {}, {}, 'contract');
  const inverse = { symbol: INVERSE_SYMBOL, forwardContractFlag: false };
  assert.deepEqual(await desk.data(owner, 'accounts', {}), [
    FLAT_ACCOUNT,
    { ...FLAT_ACCOUNT, ...inverse },
  ]);
  assert.deepEqual(await accountOf(owner), FLAT_ACCOUNT);
  const flat = (symbol: string) => ({
    margin_mode: 'fixed',
    holding: [
      { ...FLAT_LONG, symbol },
      { ...FLAT_SHORT, symbol },
    ],
  });
  const both = [LINEAR_SYMBOL, INVERSE_SYMBOL].map(flat);
  assert.deepEqual(await desk.data(owner, 'positions', {}), both);
  assert.deepEqual(await positionOf(owner), both[0]);
  assert.deepEqual(await desk.data(owner, 'settings', { symbol: LINEAR_SYMBOL }), {
    symbol: LINEAR_SYMBOL,
    long_leverage: '20',
    short_leverage: '20',
    margin_mode: 'fixed',
    forwardContractFlag: true,
  });
});

test('one contract bought at 30010 with ten times leverage, marked at 30000', async () => {
  const owner = await desk.funded('first', '1000');
  await setLeverage(owner, 10);
  await desk.trade(owner, other, 30_010, 1);
  // The fee is 30.01 * 0.0006 = 0.018006, the loss 0.001 * 10 = 0.01.
  assert.deepEqual(await accountOf(owner), {
    ...FLAT_ACCOUNT,
    equity: '999.971994',
    total_avail_balance: '996.980994',
    margin: '3.001',
    unrealized_pnl: '-0.01',
    longMarginRatio: '0.0997',
  });
  // (30010 - 3001) / (1 - 0.005 - 0.0006) = 27161.1, rounded up.
  const long = {
    ...FLAT_LONG,
    liquidation_price: '27161.2',
    position: '1',
    avail_position: '1',
    avg_cost: '30010.00',
    leverage: '10',
    margin: '3.001000000000',
    unrealized_pnl: '-0.01000000',
    append_type: '0',
  };
  assert.deepEqual(await positionOf(owner), {
    margin_mode: 'fixed',
    holding: [long, { ...FLAT_SHORT, leverage: '10' }],
  });
});

test('both sides at once, contracts held back by a close order, realised profit', async () => {
  const owner = await desk.funded('hedger', '10000');
  await desk.trade(owner, other, 30_000, 10);
  await desk.trade(owner, other, 30_001, 20);
  await desk.trade(other, owner, 30_100, 6);
  await desk.order(owner, 'close_long', 30_500, 4);
  await desk.order(owner, 'open_long', 29_000, 2);
  const [long, short] = (await positionOf(owner)).holding;
  // (10 * 30000 + 20 * 30001) / 30
  assert.partialDeepStrictEqual(long, { position: '30', avail_position: '26', side: 'long' });
  assert.equal(long.avg_cost, '30000.666666667');
  assert.partialDeepStrictEqual(short, { position: '6', avail_position: '6', holdSide: '2' });
  assert.equal(short.unrealized_pnl, '0.60000000');
  // 2 * 29 / 20 + 2 * 29 * 0.0006
  assert.equal((await accountOf(owner)).margin_frozen, '2.9348');
  await desk.order(other, 'open_long', 30_050, 3);
  const before = Number((await accountOf(owner)).realized_pnl);
  await desk.order(other, 'open_short', 29_990, 2);
  await desk.order(owner, 'close_short', 29_990, 2);
  const [, after] = (await positionOf(owner)).holding;
  // 0.001 * 2 * (30100 - 29990)
  assert.partialDeepStrictEqual(after, { position: '4', realized_pnl: '0.22000000' });
  assert.equal(before, 0);
  assert.equal((await accountOf(owner)).realized_pnl, '0.22');
});

test('an inverse account counts in coin: 30000 contracts at 30000 are one', async () => {
  const owner = await desk.funded('coiner', '1', INVERSE_SYMBOL);
  await setLeverage(owner, 10, INVERSE_SYMBOL);
  await desk.trade(owner, other, 30_000, 30_000, INVERSE_SYMBOL);
  await desk.setIndex(33_000, INVERSE_SYMBOL);
  const account = await accountOf(owner, INVERSE_SYMBOL);
  // 1 - 30000 / 33000, rounded down; the fee was 0.0006.
  assert.partialDeepStrictEqual(account, {
    margin: '0.1',
    unrealized_pnl: '0.09090909',
    equity: '1.09030909',
    total_avail_balance: '0.8994',
    forwardContractFlag: false,
  });
  const [long, short] = (await positionOf(owner, INVERSE_SYMBOL)).holding;
  assert.partialDeepStrictEqual(long, {
    position: '30000',
    avg_cost: '30000.00',
    keepMarginRate: '0.01',
    margin: '0.100000000000',
    unrealized_pnl: '0.09090909',
    append_type: '0',
  });
  assert.equal(short.position, '0');
  await desk.setIndex(30_000, INVERSE_SYMBOL);
});

test('crossed: one margin ratio for the account and none for its sides', async () => {
  const owner = await desk.funded('crossed', '1000');
  const switched = await desk.data(owner, 'holdModel', { symbol: LINEAR_SYMBOL, holdModel: 2 });
  assert.deepEqual(switched, { symbol: LINEAR_SYMBOL, resultHoldMode: 2, switchSuccess: true });
  assert.partialDeepStrictEqual(await accountOf(owner), {
    margin_mode: 'crossed',
    longMarginRatio: null,
    shortMarginRatio: null,
    marginRatio: '0',
  });
  await desk.trade(owner, other, 30_010, 1);
  // (1000 - 0.018006 - 0.01) / 30, and the loss is not available.
  assert.partialDeepStrictEqual(await accountOf(owner), {
    equity: '999.971994',
    margin: '1.5005',
    total_avail_balance: '998.471494',
    longMarginRatio: null,
    shortMarginRatio: null,
    marginRatio: '33.3323998',
  });
  assert.equal((await positionOf(owner)).margin_mode, 'crossed');
});

const LEVERAGE_CALLS: readonly [why: string, fields: object, long: string, short: string][] = [
  ['a number, side only', { leverage: 10, side: 1 }, '10', '20'],
  ['both names of the side', { leverage: 11, side: 2, holdSide: 2 }, '10', '11'],
  ['texts', { leverage: '12', side: '1' }, '12', '11'],
  ['no side: both', { leverage: '13' }, '13', '13'],
  ['empty sides: both', { leverage: 14, side: '', holdSide: null }, '14', '14'],
  ['holdSide outranks side', { leverage: 15, side: 1, holdSide: 2 }, '14', '15'],
  ['the same once more', { leverage: 15, holdSide: 2 }, '14', '15'],
  ['the least', { leverage: 1, holdSide: 1 }, '1', '15'],
  ['the most', { leverage: 100, holdSide: 1 }, '100', '15'],
];

test('leverage is set per side, in every spelling of the call', async () => {
  const owner = await desk.funded('lever', '1000');
  for (const [why, fields, long, short] of LEVERAGE_CALLS) {
    const settings = await desk.data(owner, 'leverage', { symbol: 'CMT_BTCUSDT', ...fields });
    const wanted = {
      symbol: LINEAR_SYMBOL,
      long_leverage: long,
      short_leverage: short,
      margin_mode: 'fixed',
      forwardContractFlag: true,
    };
    assert.deepEqual(settings, wanted, why);
    assert.deepEqual(await desk.data(owner, 'settings', { symbol: LINEAR_SYMBOL }), wanted, why);
  }
});

test('crossed has one leverage, whichever side is named', async () => {
  const owner = await desk.funded('onelever', '1000');
  await desk.data(owner, 'holdModel', { symbol: LINEAR_SYMBOL, holdModel: '2' });
  const fields = { symbol: LINEAR_SYMBOL, leverage: 7, holdSide: 2 };
  assert.partialDeepStrictEqual(await desk.data(owner, 'leverage', fields), {
    long_leverage: '7',
    short_leverage: '7',
    margin_mode: 'crossed',
  });
});

test('leverage and mode are locked by an open order, the mode by a position too', async () => {
  const owner = await desk.funded('locked', '1000');
  const leverage = { symbol: LINEAR_SYMBOL, leverage: 10 };
  const crossed = { symbol: LINEAR_SYMBOL, holdModel: 2 };
  await desk.order(owner, 'open_long', 29_000, 1);
  assert.equal(await codeOf(owner, 'leverage', leverage), '40730');
  assert.equal(await codeOf(owner, 'holdModel', crossed), '40729');
  const { accountId } = owner;
  await desk.house.run({ kind: 'cancel_all_contract_orders', accountId });
  await desk.trade(owner, other, 30_000, 1);
  assert.equal(await codeOf(owner, 'holdModel', crossed), '40729');
  const same = await desk.data(owner, 'holdModel', { symbol: LINEAR_SYMBOL, holdModel: 1 });
  assert.deepEqual(same, { symbol: LINEAR_SYMBOL, resultHoldMode: 1, switchSuccess: true });
  assert.equal((await positionOf(owner)).holding[0].margin, '1.500000000000');
  await desk.data(owner, 'leverage', leverage);
  assert.equal((await positionOf(owner)).holding[0].margin, '3.000000000000');
});

test('margin goes into a fixed position and out again, but not below what it needs', async () => {
  const owner = await desk.funded('adjuster', '1000');
  await setLeverage(owner, 10);
  await desk.trade(other, owner, 30_000, 1);
  const adjust = (fields: object) =>
    desk.call(owner, 'adjustMargin', { symbol: LINEAR_SYMBOL, positionType: 1, ...fields });
  const marginNow = async () => (await positionOf(owner)).holding[1].margin;
  const { result, orderNo } = await desk.data<{ result: boolean; orderNo: string }>(
    owner,
    'adjustMargin',
    { symbol: LINEAR_SYMBOL, amount: '10', positionType: '1', type: 1 },
  );
  assert.equal(result, true);
  assert.equal(await marginNow(), '13.000000000000');
  const [, adjusted] = [await adjust({ amount: 4.5, type: '2' }), await marginNow()];
  assert.equal(adjusted, '8.500000000000');
  const again = await adjust({ amount: '5.5', type: 2 });
  const next: { orderNo: string } = JSON.parse(again.text);
  assert.ok(next.orderNo > orderNo && orderNo > formatId(1), `${orderNo} ${next.orderNo}`);
  assert.equal(await marginNow(), '3.000000000000');
  assert.equal((await adjust({ amount: '0.00000001', type: 2 })).body.code, '40713');
  assert.equal((await adjust({ amount: '1000', type: 1 })).body.code, '40711');
  assert.equal(await marginNow(), '3.000000000000');
});

test('margin adjustments that cannot be are refused', async () => {
  const owner = await desk.funded('misadjuster', '1000');
  await desk.trade(owner, other, 30_000, 1);
  const good = { symbol: LINEAR_SYMBOL, amount: '1', positionType: 0, type: 1 };
  const BAD: readonly [why: string, changes: object, code: string][] = [
    ['no amount', { amount: '' }, '40203'],
    ['nothing', { amount: 0 }, '40203'],
    ['less than nothing', { amount: '-1' }, '40203'],
    ['words', { amount: 'much' }, '40203'],
    ['too many decimals', { amount: '0.000000001' }, '40203'],
    ['no position type', { positionType: null }, '40017'],
    ['a third position type', { positionType: 2 }, '40017'],
    ['no type', { type: '' }, '40017'],
    ['a third type', { type: 3 }, '40017'],
    ['the side that is not held', { positionType: 1 }, '40714'],
    ['an unknown contract', { symbol: 'cmt_dogeusdt' }, '40102'],
    ['no contract', { symbol: '' }, '40017'],
  ];
  for (const [why, changes, code] of BAD) {
    assert.equal(await codeOf(owner, 'adjustMargin', { ...good, ...changes }), code, why);
  }
  const { body } = await desk.call(owner, 'adjustMargin', { ...good, amount: '0.000000001' });
  assert.equal(body.msg, "Margin amount is invalid: '0.000000001' has more than 8 decimal places");
  assert.equal((await positionOf(owner)).holding[0].margin, '1.500000000000');
  const crossed = await desk.funded('fullposition', '1000');
  await desk.data(crossed, 'holdModel', { symbol: LINEAR_SYMBOL, holdModel: 2 });
  await desk.trade(crossed, other, 30_000, 1);
  assert.equal(await codeOf(crossed, 'adjustMargin', good), '40727');
  const automatic = { symbol: LINEAR_SYMBOL, holdSide: 1, append_type: 1 };
  assert.equal(await codeOf(crossed, 'autoMargin', automatic), '40726');
});

test('automatic margin is switched per side, with holdSide or side', async () => {
  const owner = await desk.funded('automat', '1000');
  const automatic = { symbol: LINEAR_SYMBOL, holdSide: 1, append_type: 1 };
  assert.equal(await codeOf(owner, 'autoMargin', automatic), '40709');
  await desk.trade(owner, other, 30_000, 1);
  const state = () =>
    desk.house.venue.read((reader) => {
      const { instrumentId } = desk.contract(LINEAR_SYMBOL);
      return reader.marginAccount(owner.accountId, instrumentId)?.long.autoAppend;
    });
  assert.deepEqual(await desk.data<object>(owner, 'autoMargin', automatic), {
    result: true,
    append_type: 1,
  });
  assert.equal(await state(), true);
  const manual = { symbol: LINEAR_SYMBOL, side: '1', append_type: '0' };
  assert.deepEqual(await desk.data<object>(owner, 'autoMargin', manual), {
    result: true,
    append_type: 0,
  });
  assert.equal(await state(), false);
  assert.equal(await codeOf(owner, 'autoMargin', { ...automatic, holdSide: 2 }), '40709');
});

const REFUSED: readonly [name: SignedSwapName, fields: Record<string, unknown>, code: string][] = [
  ['account', {}, '40017'],
  ['account', { symbol: 'nope' }, '40102'],
  ['settings', { symbol: '' }, '40017'],
  ['settings', { symbol: 'BTCUSDT_SPBL' }, '40102'],
  ['position', {}, '40017'],
  ['position', { symbol: 'nope' }, '40102'],
  ['leverage', { leverage: 10 }, '40017'],
  ['leverage', { symbol: LINEAR_SYMBOL }, '40017'],
  ['leverage', { symbol: LINEAR_SYMBOL, leverage: 'high' }, '40017'],
  ['leverage', { symbol: LINEAR_SYMBOL, leverage: 1.5 }, '40017'],
  ['leverage', { symbol: LINEAR_SYMBOL, leverage: -10 }, '40017'],
  ['leverage', { symbol: LINEAR_SYMBOL, leverage: 0 }, '40020'],
  ['leverage', { symbol: LINEAR_SYMBOL, leverage: 101 }, '40020'],
  ['leverage', { symbol: LINEAR_SYMBOL, leverage: 10, holdSide: 3 }, '40017'],
  ['leverage', { symbol: LINEAR_SYMBOL, leverage: 10, side: 'long' }, '40017'],
  ['leverage', { symbol: 'nope', leverage: 10 }, '40102'],
  ['autoMargin', { symbol: LINEAR_SYMBOL, append_type: 0 }, '40017'],
  ['autoMargin', { symbol: LINEAR_SYMBOL, holdSide: 1 }, '40017'],
  ['autoMargin', { symbol: LINEAR_SYMBOL, holdSide: 1, append_type: 2 }, '40017'],
  ['autoMargin', { symbol: LINEAR_SYMBOL, holdSide: 0, append_type: 1 }, '40017'],
  ['autoMargin', { symbol: 'nope', holdSide: 1, append_type: 1 }, '40102'],
  ['holdModel', { symbol: LINEAR_SYMBOL }, '40017'],
  ['holdModel', { symbol: LINEAR_SYMBOL, holdModel: 0 }, '40017'],
  ['holdModel', { symbol: LINEAR_SYMBOL, holdModel: 'crossed' }, '40017'],
  ['holdModel', { symbol: 'nope', holdModel: 1 }, '40102'],
];

test('calls that cannot be are refused and change nothing', async () => {
  const owner = await desk.funded('refused', '1000');
  const settings = () => desk.data(owner, 'settings', { symbol: LINEAR_SYMBOL });
  const earlier = await settings();
  for (const [name, fields, code] of REFUSED) {
    assert.equal(await codeOf(owner, name, fields), code, `${name} ${JSON.stringify(fields)}`);
  }
  assert.deepEqual(await settings(), earlier);
});

test('a key that may only read sees everything and changes nothing', async () => {
  const permissions = { permissions: ['read'] as const };
  const owner = await desk.house.trader('reader', {}, permissions);
  const symbol = LINEAR_SYMBOL;
  for (const name of ['accounts', 'account', 'settings', 'positions', 'position'] as const) {
    assert.equal((await desk.call(owner, name, { symbol })).status, 200, name);
  }
  for (const name of ['leverage', 'adjustMargin', 'autoMargin', 'holdModel'] as const) {
    assert.equal(await codeOf(owner, name, SWAP_ENDPOINTS[name].example.request), '40014', name);
  }
});
