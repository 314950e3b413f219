/**
 * The unmodified ccxt client of today follows pairs and contracts over the sockets: everything it
 * can watch, and that sockets and REST say the same. The trades are made through the older
 * interface: both are of one venue.
 */
import { strict as assert } from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { present } from '#kernel';
import { closedAtEnd } from '../support/at-end.ts';
import { DEMO as DEMO_KEYS, dataOf, MAKER as MAKER_KEYS, Trader } from '../support/http-trader.ts';
import { DEMO } from '../support/server-ccxt.ts';
import { connect, refusedAs } from '../support/server-ccxt4.ts';
import { startHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';

const server = closedAtEnd(await startHere());
const client = connect(server.url, DEMO);
after(() => client.close());
// Without this the client opens no socket without TLS.
await client.loadHttpProxyAgent();
await client.loadMarkets();

const demo = new Trader(server.url, DEMO_KEYS);
const maker = new Trader(server.url, MAKER_KEYS);

interface Side {
  readonly name: string;
  readonly symbol: string;
  order(who: Trader, side: 'buy' | 'sell', price: number): Promise<string>;
  cancel(orderId: string): Promise<unknown>;
}

const SPOT: Side = {
  name: 'pairs',
  symbol: 'BTC/USDT',
  order: async (who, side, price) => {
    const fields = { symbol: 'BTCUSDT_SPBL', side, orderType: 'limit', force: 'normal' };
    const order = { ...fields, price: String(price), quantity: '0.01' };
    const { orderId } = dataOf(await who.post('/trade/orders', order)) as { orderId: string };
    return orderId;
  },
  cancel: (orderId) => demo.post('/trade/cancel-order', { symbol: 'BTCUSDT_SPBL', orderId }),
};

const SWAP: Side = {
  name: 'contracts',
  symbol: 'BTC/USDT:USDT',
  order: async (who, side, price) => {
    const type = side === 'buy' ? '1' : '2';
    const fields = { symbol: 'cmt_btcusdt', type, order_type: '0', match_price: '0' };
    const order = { ...fields, price: price.toFixed(1), size: '10' };
    const answer = dataOf(await who.swapPost('/order/placeOrder', order));
    return (answer as { order_id: string }).order_id;
  },
  cancel: (orderId) => demo.swapPost('/order/cancel_order', { symbol: 'cmt_btcusdt', orderId }),
};

/** Acts again and again until something that is being watched has come. */
async function actUntil<T>(coming: Promise<T>, act: () => Promise<unknown>): Promise<T> {
  let hasCome = false;
  void coming.finally(() => {
    hasCome = true;
  });
  while (!hasCome) await act();
  return coming;
}

for (const { name, symbol, order, cancel } of [SPOT, SWAP]) {
  const isSpot = symbol === SPOT.symbol;
  const type = isSpot ? 'spot' : 'swap';

  async function trade(price: number): Promise<string> {
    await order(maker, 'sell', price);
    return order(demo, 'buy', price);
  }

  describe(`ccxt follows ${name}`, { concurrency: 1 }, () => {
    /** An order that changes what is frozen, and is gone again. */
    async function nudge(): Promise<void> {
      await cancel(await order(demo, 'buy', 20_000));
    }

    test('tickers', async () => {
      await client.watchTicker(symbol);
      await trade(30_000);
      await until('the price', () => client.tickers[symbol]?.last === 30_000);
      const sent = present(client.tickers[symbol], 'ticker');
      const rest = await client.fetchTicker(symbol);
      for (const field of ['last', 'high', 'low', 'open', 'baseVolume', 'quoteVolume'] as const) {
        assert.equal(sent[field], rest[field], field);
      }
      await client.unWatchTicker(symbol);
      assert.equal((await client.watchTickers([symbol]))[symbol]?.last, 30_000);
      await client.unWatchTickers([symbol]);
    });

    test('trades', async () => {
      await client.watchTrades(symbol);
      await trade(30_001);
      const newest = () => client.trades[symbol]?.at(-1);
      await until('the trade', () => newest()?.price === 30_001);
      const sent = present(newest(), 'trade');
      const rest = await client.fetchTrades(symbol);
      const known = present(
        rest.find(({ id }) => id === sent.id),
        'the trade',
      );
      for (const field of ['price', 'amount', 'cost', 'side', 'timestamp'] as const) {
        assert.equal(sent[field], known[field], field);
      }
      await client.unWatchTrades(symbol);
      await client.watchTradesForSymbols([symbol]);
      await client.unWatchTradesForSymbols([symbol]);
    });

    test('candles', async () => {
      await client.watchOHLCV(symbol, '1m');
      await trade(30_002);
      const newest = () => client.ohlcvs[symbol]?.['1m']?.at(-1);
      await until('the candle', () => newest()?.[4] === 30_002);
      const last = [...present(newest(), 'candle')];
      const rest = await client.fetchOHLCV(symbol, '1m');
      assert.deepEqual(
        rest.find(([openMs]) => openMs === last[0]),
        last,
      );
      await client.unWatchOHLCV(symbol, '1m');
      const several = await client.watchOHLCVForSymbols([[symbol, '5m']]);
      assert.ok(several[symbol]?.['5m'] !== undefined);
      await client.unWatchOHLCVForSymbols([[symbol, '5m']]);
    });

    for (const depth of ['15', '200']) {
      test(`the best ${depth} levels of the book`, async () => {
        await client.watchOrderBook(symbol, undefined, { depth });
        const open: string[] = [];
        for (let at = 0; at < 20; at += 1) open.push(await order(demo, 'buy', 29_000 - at));
        const sent = () => present(client.orderbooks[symbol], 'book');
        const isSame = async () => {
          const rest = await client.fetchOrderBook(symbol, Number(depth));
          const { bids, asks } = sent();
          return JSON.stringify([bids, asks]) === JSON.stringify([rest.bids, rest.asks]);
        };
        await until('the book', isSame);
        assert.ok(sent().bids.length >= Math.min(20, Number(depth)));
        await Promise.all(open.map(cancel));
        await until('the book without them', isSame);
        await client.unWatchOrderBook(symbol, { depth });
        await client.watchOrderBookForSymbols([symbol], undefined, { depth });
        await client.unWatchOrderBookForSymbols([symbol], { depth });
      });
    }

    test('orders, fills and balances, as REST has them', async () => {
      const fills = client.watchMyTrades(symbol);
      const [balance, orders] = [client.watchBalance({ type }), client.watchOrders(symbol)];
      await actUntil(Promise.all([balance, orders]), nudge);
      const orderId = await order(demo, 'buy', 30_003);
      const seen = () => present(client.orders, 'orders').find(({ id }) => id === orderId);
      await until('the order', () => seen()?.status === 'open');
      await order(maker, 'sell', 30_003);
      await until('its end', () => seen()?.status === 'closed');
      const [sent, rest] = [seen(), await client.fetchOrder(orderId, symbol)];
      for (const field of ['status', 'filled', 'amount', 'cost', 'price', 'side'] as const) {
        assert.equal(sent?.[field], rest[field], field);
      }
      const fill = (await fills).find((one) => one.order === orderId);
      const [known] = (await client.fetchMyTrades(symbol)).slice(-1);
      for (const field of ['id', 'order', 'amount', 'cost', 'side'] as const) {
        assert.equal(fill?.[field], known?.[field], field);
      }
      assert.equal(fill?.fee?.cost, known?.fee?.cost);
      const money = await client.fetchBalance({ type });
      for (const coin of isSpot ? ['USDT', 'BTC'] : ['USDT']) {
        const sentMoney = () => client.balance[type]?.[coin];
        await until(`the ${coin}`, () => sentMoney()?.total === money[coin]?.total);
        await until('what is free', () => sentMoney()?.free === money[coin]?.free);
      }
      await client.unWatchOrders(undefined, { type });
      await client.unWatchMyTrades(undefined, { type });
    });
  });
}

test('the best prices of a pair', async () => {
  await client.watchBidsAsks([SPOT.symbol]);
  await SPOT.order(demo, 'buy', 28_000);
  await until('the bid', () => client.bidsasks[SPOT.symbol]?.bid === 28_000);
  const rest = await client.fetchBidsAsks([SPOT.symbol]);
  assert.equal(client.bidsasks[SPOT.symbol]?.bidVolume, rest[SPOT.symbol]?.bidVolume);
  await client.unWatchBidsAsks([SPOT.symbol]);
});

test('candles of the mark price', async () => {
  const rows = await client.watchOHLCV(SWAP.symbol, '1m', undefined, undefined, {
    priceType: 'MARK_PRICE',
  });
  assert.ok(Number(rows.at(-1)?.[4]) > 0);
});

test('positions, as REST has them', async () => {
  const trade = async () => {
    await SWAP.order(maker, 'sell', 30_005);
    await SWAP.order(demo, 'buy', 30_005);
  };
  // The first one is answered by REST.
  await actUntil(client.watchPositions([SWAP.symbol]), trade);
  await actUntil(client.watchPositions([SWAP.symbol]), trade);
  const [rest] = await client.fetchPositions([SWAP.symbol]);
  const known = present(rest, 'position');
  const rows = (): (typeof known)[] => Array.from(Object(client.positions));
  const isSame = ({ id, side, contracts, entryPrice, leverage }: typeof known) =>
    JSON.stringify([id, side, contracts, entryPrice, leverage]) ===
    JSON.stringify([known.id, known.side, known.contracts, known.entryPrice, known.leverage]);
  await until('the position', () => rows().some(isSame));
  await client.unWatchPositions();
});

test('a channel that does not exist is a bad request', async () => {
  const other = connect(server.url);
  await other.loadHttpProxyAgent();
  await other.loadMarkets();
  const message = await refusedAs(
    'BadRequest',
    other.watchOrderBook('BTC/USDT', undefined, {
      depth: '50',
    }),
  );
  assert.match(message, /INVALID_ARGUMENT: invalid depth level : 50/);
  await other.close();
});
