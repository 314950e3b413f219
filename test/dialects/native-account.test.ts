/** The account in the house's own API: what it may do, its settings, its money and its past. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '#api';
import { NATIVE_ENDPOINTS as CALLS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { type Fields, NativeCalls, type Row } from '../support/native-calls.ts';
import type { Credentials } from '../support/signer.ts';
import { SwapDesk } from '../support/swap-desk.ts';

const desk = await SwapDesk.open();
const house = closedAtEnd(desk.house);
const own = new NativeCalls(house);
const PERP = 'BTC-USDT-PERP';
const CONTRACT = { symbol: PERP };
const PAIR = { symbol: 'BTC-USDT', type: 'limit', price: '30000', size: '0.01' };
const OPEN = { ...CONTRACT, type: 'limit', price: '30000', size: '10' };
let tradersCount = 0;

/** A new account with money in spot and in the wallet of its contracts. */
async function trader(wallets: 'coin' | 'contract' = 'coin') {
  tradersCount += 1;
  const money = { USDT: '5000', BTC: '2' };
  const made = await house.trader(`own-${tradersCount}`, money, {}, wallets);
  await desk.fund(made, '1000');
  return made;
}

interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** All rows, page by page. */
async function walked(
  who: Credentials | undefined,
  endpoint: Endpoint,
  fields: Fields = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: Page = await own.data<Page>(who, endpoint, { ...fields, before: next });
    rows.push(...page.rows);
    next = page.next;
    assert.ok(rows.length < 500, 'the walk does not end');
  }
  return rows;
}

async function margin(who: Credentials): Promise<Row> {
  const [row] = await own.data<Row[]>(who, CALLS.margin, CONTRACT);
  assert.ok(row);
  return row;
}

test('an account says who it is and what a key may do', async () => {
  const ann = await trader();
  const { createdTimeMs } = await house.venue.read((state) => {
    const { createdTimeMs } = state.account(ann.accountId) ?? { createdTimeMs: 0 };
    return { createdTimeMs };
  });
  assert.partialDeepStrictEqual(await own.data(ann, CALLS.account), {
    id: String(ann.accountId),
    name: `own-${tradersCount}`,
    permissions: ['read', 'trade', 'transfer'],
    status: 'active',
    wallets: 'coin',
    time: createdTimeMs,
  });
  const reader = await house.addKey(ann.accountId, 'reads', { permissions: ['read'] });
  const seen = await own.data<{ permissions: string[] }>(reader, CALLS.account);
  assert.deepEqual(seen.permissions, ['read']);
  const changes = { frozen: true, selfTradePrevention: 'cancel_both' } as const;
  await house.run({ kind: 'update_account', accountId: ann.accountId, changes });
  assert.partialDeepStrictEqual(await own.data(ann, CALLS.account), {
    permissions: ['read'],
    status: 'frozen',
    selfTradePrevention: 'cancel_both',
  });
});

test('fees are those of the market, or those of the account', async () => {
  const ann = await trader();
  const markets = await own.data<Row[]>(undefined, CALLS.markets);
  const fees = await own.data<Row[]>(ann, CALLS.fees);
  const listed = ({ symbol, takerFee, makerFee }: Row) => ({ symbol, takerFee, makerFee });
  assert.deepEqual(fees, markets.map(listed));
  const changes = { takerFeePpm: 123, makerFeePpm: 0 };
  await house.run({ kind: 'update_account', accountId: ann.accountId, changes });
  assert.deepEqual(await own.data(ann, CALLS.fees, CONTRACT), [
    { symbol: PERP, takerFee: '0.000123', makerFee: '0' },
  ]);
});

test('margin mode and leverages are set, kept for the other mode, and shown', async () => {
  const ann = await trader();
  const before = await margin(ann);
  assert.deepEqual([before.wallet, before.coin, before.marginMode], ['margin', 'USDT', 'cross']);
  const all = await own.data<Row[]>(ann, CALLS.margin);
  const { size } = await house.venue.read(({ listings }) => ({ size: listings.contracts.size }));
  assert.equal(all.length, size);
  const leverages = { crossLeverage: 7, longLeverage: 8, shortLeverage: 9 };
  const set = await own.data<Row>(ann, CALLS.setLeverage, { ...CONTRACT, ...leverages });
  assert.partialDeepStrictEqual(set, { ...leverages, marginMode: 'cross' });
  assert.deepEqual(await margin(ann), set);
  const asked = { ...CONTRACT, marginMode: 'isolated', separated: true };
  const isolated = await own.data<Row>(ann, CALLS.setMarginMode, asked);
  const wanted = { ...leverages, marginMode: 'isolated', separated: true, marginRatio: null };
  assert.partialDeepStrictEqual(isolated, wanted);
  assert.deepEqual(await own.data(ann, CALLS.setMarginMode, asked), isolated);
  assert.deepEqual(await own.refusal(ann, CALLS.setLeverage, CONTRACT), [400, 'parameter_missing']);
  const tooHigh = { ...CONTRACT, longLeverage: 9, shortLeverage: 1000 };
  assert.deepEqual(
    (await own.refusal(ann, CALLS.setLeverage, tooHigh))[1],
    'leverage_out_of_range',
  );
  assert.deepEqual(await margin(ann), isolated);
});

test('an isolated position is given margin, by hand and by itself', async () => {
  const [ann, bob] = [await trader(), await trader()];
  await own.data(ann, CALLS.setMarginMode, { ...CONTRACT, marginMode: 'isolated' });
  const auto = { ...CONTRACT, side: 'long', autoMargin: true };
  const [, none] = await own.refusal(ann, CALLS.setAutoMargin, auto);
  assert.equal(none, 'no_position_for_auto_margin');
  await own.data(ann, CALLS.placeOrder, { ...OPEN, side: 'buy' });
  await own.data(bob, CALLS.placeOrder, { ...OPEN, side: 'sell' });
  const before = await margin(ann);
  const more = { ...CONTRACT, side: 'long', move: 'add', amount: '10' };
  const after = await own.data<Row>(ann, CALLS.movePositionMargin, more);
  assert.equal(Number(after.margin), Number(before.margin) + 10);
  const less = { ...more, move: 'remove', amount: '4' };
  const back = await own.data<Row>(ann, CALLS.movePositionMargin, less);
  assert.equal(Number(back.margin), Number(before.margin) + 6);
  const whole = { ...less, amount: '7000' };
  assert.equal((await own.refusal(ann, CALLS.movePositionMargin, whole))[0], 422);
  const set = await own.data<Row>(ann, CALLS.setAutoMargin, auto);
  assert.deepEqual([set.longAutoMargin, set.shortAutoMargin], [true, false]);
  const [position] = await own.data<Row[]>(ann, CALLS.positions);
  assert.partialDeepStrictEqual(position, {
    side: 'long',
    size: '10',
    closable: '10',
    entryValue: '300',
    mark: '30000.0',
    value: '300',
    autoMargin: true,
    margin: back.margin,
    funding: '0',
    time: house.clock.nowMs(),
  });
  const ratio = Number(position?.margin) / 300;
  assert.ok(Math.abs(Number(position?.marginRatio) - ratio) < 1e-6, position?.marginRatio);
  assert.ok(Number(position?.liquidationRatio) > Number(position?.maintenanceRate));
  assert.ok(Number(position?.fees) > 0);
  const locked = { ...CONTRACT, marginMode: 'cross' };
  assert.equal((await own.refusal(ann, CALLS.setMarginMode, locked))[1], 'margin_mode_locked');
});

test('a side in cross mode shows the ratio of all that is cross', async () => {
  const [ann, bob] = [await trader(), await trader()];
  await own.data(ann, CALLS.placeOrder, { ...OPEN, side: 'buy' });
  await own.data(bob, CALLS.placeOrder, { ...OPEN, side: 'sell' });
  await own.data(ann, CALLS.placeOrder, {
    ...OPEN,
    side: 'sell',
    price: '31000',
    reduceOnly: true,
  });
  const [position] = await own.data<Row[]>(ann, CALLS.positions);
  const { marginRatio } = await margin(ann);
  assert.equal(position?.marginRatio, marginRatio);
  assert.ok(Number(marginRatio) > 1);
  assert.equal(position?.closable, '0');
  await own.data(ann, CALLS.cancelOrders);
});

const MOVE = { coin: 'USDT', amount: '12.5', from: 'spot', to: 'margin' };

test('money moves between wallets once for each id, and is listed', async () => {
  const ann = await trader();
  const made: Row[] = [];
  for (let count = 0; count < 5; count += 1) {
    made.unshift(await own.data<Row>(ann, CALLS.transfer, { ...MOVE, clientId: `move-${count}` }));
  }
  const [newest] = made;
  assert.partialDeepStrictEqual(newest, { ...MOVE, clientId: 'move-4' });
  const again = await own.data(ann, CALLS.transfer, { ...MOVE, clientId: 'move-4' });
  assert.deepEqual(again, newest);
  const other = { ...MOVE, amount: '13', clientId: 'move-4' };
  assert.deepEqual(await own.refusal(ann, CALLS.transfer, other), [409, 'client_order_id_in_use']);
  const byContract = await own.data<Row>(ann, CALLS.transfer, { ...MOVE, to: PERP });
  assert.deepEqual([byContract.to, byContract.clientId], ['margin', null]);
  for (const limit of [1, 3, 100]) {
    const rows = await walked(ann, CALLS.transfers, { limit });
    const ids = [byContract, ...made].map(({ id }) => id);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ids,
    );
  }
  const [named] = await walked(ann, CALLS.transfers, { clientId: 'move-2' });
  assert.deepEqual({ ...made[2], time: house.clock.nowMs() }, named);
  assert.deepEqual(await walked(ann, CALLS.transfers, { coin: 'BTC' }), []);
  const { rows } = await own.data<Page>(ann, CALLS.transfers, { limit: 1 });
  assert.equal(rows.length, 1);
});

const BAD_MOVES: readonly [what: string, fields: Fields, status: number, kind: string][] = [
  ['more than there is', { amount: '9999' }, 422, 'balance_insufficient'],
  ['nothing', { amount: '0' }, 422, 'amount_invalid'],
  ['a coin that is not there', { coin: 'ABC' }, 404, 'coin_unknown'],
  ['to nowhere', { to: 'elsewhere' }, 404, 'contract_unknown'],
  ['a field that is not known', { note: 'rent' }, 400, 'parameter_invalid'],
];

for (const [what, fields, status, kind] of BAD_MOVES) {
  test(`a transfer of ${what} is refused`, async () => {
    const ann = await trader();
    const asked = { ...MOVE, ...fields };
    assert.deepEqual(await own.refusal(ann, CALLS.transfer, asked), [status, kind]);
    assert.deepEqual(await walked(ann, CALLS.transfers), []);
  });
}

test('settings refuse fields that are not known, and keys that may not change them', async () => {
  const ann = await trader();
  const asked = { ...CONTRACT, crossLeverage: 3 };
  const stranger = { ...asked, leverage: 3 };
  assert.deepEqual(await own.refusal(ann, CALLS.setLeverage, stranger), [400, 'parameter_invalid']);
  const close = { symbl: PERP };
  const [, closed] = await own.refusal(ann, CALLS.closePositions, close);
  assert.equal(closed, 'parameter_invalid');
  const reader = await house.addKey(ann.accountId, 'only-reads', { permissions: ['read'] });
  const forbidden = [403, 'permission_missing'];
  assert.deepEqual(await own.refusal(reader, CALLS.setLeverage, asked), forbidden);
  assert.deepEqual(await own.refusal(reader, CALLS.transfer, MOVE), forbidden);
  const pair = { ...asked, symbol: 'BTC-USDT' };
  assert.deepEqual(await own.refusal(ann, CALLS.setLeverage, pair), [404, 'contract_unknown']);
});

/** A day with something for every reason that an account can bring about by itself. */
async function busy(wallets: 'coin' | 'contract') {
  const [ann, bob] = [await trader(wallets), await trader(wallets)];
  const wallet = wallets === 'coin' ? 'margin' : PERP;
  for (let round = 0; round < 3; round += 1) {
    await own.data(ann, CALLS.placeOrder, { ...PAIR, side: 'sell' });
    await own.data(bob, CALLS.placeOrder, { ...PAIR, side: 'buy' });
    await own.data(ann, CALLS.transfer, { ...MOVE, to: wallet });
    await own.data(ann, CALLS.placeOrder, { ...OPEN, side: 'buy' });
    await own.data(bob, CALLS.placeOrder, { ...OPEN, side: 'sell' });
    if (round === 1) house.clock.advance(7);
  }
  return { ann, wallet };
}

for (const wallets of ['coin', 'contract'] as const) {
  test(`the ledger has every change of every wallet once: a wallet a ${wallets}`, async () => {
    const { ann, wallet } = await busy(wallets);
    const all = await walked(ann, CALLS.ledger);
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).toSorted((one = '', other = '') => (one < other ? 1 : -1)),
    );
    const last = new Map<string, number>();
    for (const row of all.toReversed()) {
      const key = `${row.wallet} ${row.coin}`;
      const before = last.get(key) ?? 0;
      const after = Number(row.balance);
      assert.ok(Math.abs(after - before - Number(row.change)) < 1e-6, JSON.stringify(row));
      last.set(key, after);
    }
    const balances = await own.data<Row[]>(ann, CALLS.balances);
    for (const row of balances) {
      assert.equal(last.get(`${row.wallet} ${row.coin}`), Number(row.balance), row.coin);
    }
    for (const limit of [1, 2, 5]) {
      assert.deepEqual(await walked(ann, CALLS.ledger, { limit }), all, `${limit} a page`);
    }
    const times = [...new Set(all.map(({ time }) => time))];
    const [newest] = times;
    const filters: readonly [Fields, (row: Row) => boolean][] = [
      [{ wallet: 'spot' }, (row) => row.wallet === 'spot'],
      [{ wallet }, (row) => row.wallet === wallet],
      [{ wallet: PERP }, (row) => row.wallet === wallet],
      [{ wallet: 'BTC-USD-PERP' }, () => false],
      [{ coin: 'BTC' }, (row) => row.coin === 'BTC'],
      [{ coin: 'usdt', wallet }, (row) => row.wallet === wallet],
      [{ coin: 'BTC', wallet }, () => false],
      [{ reason: 'sell' }, (row) => row.reason === 'sell'],
      [{ reason: 'transfer_out' }, (row) => row.reason === 'transfer_out'],
      [{ reason: 'transfer_in', wallet }, (row) => row.reason === 'transfer_in'],
      [{ reason: 'open_long' }, (row) => row.reason === 'open_long'],
      [CONTRACT, (row) => row.symbol === PERP],
      [{ ...CONTRACT, wallet }, (row) => row.symbol === PERP],
      [{ ...CONTRACT, wallet: 'spot' }, () => false],
      [{ symbol: 'BTC-USDT' }, (row) => row.symbol === 'BTC-USDT'],
      [
        { symbol: 'BTC-USDT', coin: 'BTC' },
        (row) => row.symbol === 'BTC-USDT' && row.coin === 'BTC',
      ],
      [{ symbol: 'BTC-USDT', wallet }, () => false],
      [{ from: newest }, (row) => row.time === newest],
      [{ to: Number(newest) - 1 }, (row) => row.time !== newest],
    ];
    assert.equal(times.length, 2);
    for (const [asked, has] of filters) {
      const wanted = all.filter(has);
      for (const limit of [2, 100]) {
        const found = await walked(ann, CALLS.ledger, { ...asked, limit });
        assert.deepEqual(found, wanted, JSON.stringify(asked));
      }
    }
    const [fill] = all.filter(({ reason }) => reason === 'open_long');
    const [trade] = await walked(ann, CALLS.fills, { order: fill?.order });
    assert.deepEqual([fill?.trade, fill?.fee], [trade?.id, trade?.fee]);
    const [sold] = all.filter(({ reason, coin }) => reason === 'sell' && coin === 'USDT');
    const [sale] = await walked(ann, CALLS.fills, { order: sold?.order });
    assert.deepEqual([sold?.trade, sold?.fee], [sale?.id, sale?.fee]);
  });
}

test('the ledger refuses what is no id of it, and a span that ends before it begins', async () => {
  const ann = await trader();
  for (const before of ['7', '1000000000000028', '1795235652453-spot-7', 'x'.repeat(90)]) {
    const refused = await own.refusal(ann, CALLS.ledger, { before });
    assert.deepEqual(refused, [400, 'parameter_invalid'], before);
  }
  for (const endpoint of [CALLS.ledger, CALLS.equity, CALLS.funding]) {
    const refused = await own.refusal(ann, endpoint, { ...CONTRACT, from: 2, to: 1 });
    assert.equal(refused[1], 'time_range_reversed', endpoint.path);
  }
});

const DAY_MS = 86_400_000;

test('equity, funding and the funds are listed by day and settlement, page by page', async () => {
  const ann = await trader();
  for (let day = 0; day < 3; day += 1) {
    house.clock.advance(DAY_MS);
    await desk.tick();
  }
  const equity = await walked(ann, CALLS.equity);
  const { rows, next } = await own.data<Page>(ann, CALLS.equity, { coin: 'USDT' });
  assert.deepEqual(
    rows.map(({ equity: owned }) => owned),
    ['6000', '6000', '6000'],
  );
  assert.equal(next, null);
  assert.equal(equity.length, 6);
  const [newest] = rows;
  const before = await own.data<Page>(ann, CALLS.equity, { coin: 'USDT', before: newest?.time });
  assert.deepEqual(before.rows, rows.slice(1));
  const since = await own.data<Page>(ann, CALLS.equity, { coin: 'USDT', from: newest?.time });
  assert.deepEqual(since.rows, [newest]);

  const settled = await walked(undefined, CALLS.funding, CONTRACT);
  assert.ok(settled.length >= 9, String(settled.length));
  for (const limit of [1, 4]) {
    assert.deepEqual(await walked(undefined, CALLS.funding, { ...CONTRACT, limit }), settled);
  }
  assert.deepEqual(
    settled.map(({ time }) => Number(time)),
    settled.map(({ time }) => Number(time)).toSorted((one, other) => other - one),
  );
});

test('liquidations and insurance funds are told to everybody', async () => {
  await desk.setIndex(30_000);
  const before = await walked(undefined, CALLS.liquidations);
  let liquidated = 0;
  house.listeners.push(({ events }) => {
    liquidated += events.filter(({ kind }) => kind === 'liquidated').length;
  });
  const other = await trader();
  const { margin: coin } = desk.contract('cmt_btcusdt');
  const { assetId } = coin;
  await house.run({ kind: 'fund_insurance', assetId, amount: 10n ** BigInt(coin.scale) * 500n });
  for (let doomed = 0; doomed < 3; doomed += 1) {
    const lost = await desk.funded(`lost-${doomed}`, '20');
    await desk.trade(lost, other, 30_000, 10);
  }
  await desk.setIndex(26_000);
  await desk.setIndex(30_000);
  const all = await walked(undefined, CALLS.liquidations);
  assert.ok(liquidated >= 3);
  assert.equal(all.length, before.length + liquidated);
  assert.deepEqual([all[0]?.symbol, all[0]?.side], [PERP, 'long']);
  assert.deepEqual(await walked(undefined, CALLS.liquidations, { ...CONTRACT, limit: 1 }), all);
  const inverse = { symbol: 'BTC-USD-PERP' };
  assert.deepEqual(await walked(undefined, CALLS.liquidations, inverse), []);
  const funds = await own.data<Row[]>(undefined, CALLS.insurance);
  const fund = funds.find((row) => row.coin === 'USDT');
  assert.ok(Number(fund?.fund) > 0);
  for (let day = 0; day < 3; day += 1) {
    house.clock.advance(DAY_MS);
    await desk.tick();
  }
  const days = await walked(undefined, CALLS.insuranceDays, { coin: 'USDT' });
  assert.deepEqual(new Set(days.map((row) => row.fund)), new Set([fund?.fund]));
  assert.ok(days.length >= 3, String(days.length));
  const paged = await walked(undefined, CALLS.insuranceDays, { coin: 'USDT', limit: 1 });
  assert.deepEqual(paged, days);
});

test('coins, tiers, price limits and the value of what is held are told', async () => {
  const coins = await own.data<Row[]>(undefined, CALLS.coins);
  const { scale } = desk.contract('cmt_btcusdt').margin;
  assert.equal(coins.find(({ coin }) => coin === 'USDT')?.decimals, scale);
  const markets = await own.data<{ symbol: string; riskTiers: Row[] | null }[]>(
    undefined,
    CALLS.markets,
  );
  const tiersOf = (symbol: string) => markets.find((row) => row.symbol === symbol)?.riskTiers;
  assert.equal(tiersOf('BTC-USDT'), null);
  const { tiers } = desk.contract('cmt_btcusdt');
  assert.deepEqual(
    tiersOf(PERP)?.map(({ leverageMax }) => leverageMax),
    tiers.map(({ leverageMax }) => leverageMax),
  );
  const [ticker] = await own.data<Row[]>(undefined, CALLS.tickers, CONTRACT);
  const { buyMax, sellMin, mark, openInterest, openValue, indexStale } = ticker ?? {};
  assert.ok(Number(buyMax) > Number(mark) && Number(sellMin) < Number(mark));
  assert.equal(Number(openValue), Number(openInterest) * 0.001 * Number(mark));
  assert.equal(indexStale, false);
  const [pair] = await own.data<Row[]>(undefined, CALLS.tickers, { symbol: 'BTC-USDT' });
  assert.deepEqual([pair?.buyMax, pair?.openValue, pair?.indexStale], [null, null, null]);
});
