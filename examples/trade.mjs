import ccxt from 'ccxt';

const url = 'http://127.0.0.1:8787';
const exchange = new ccxt.weex({
  apiKey: 'demo-key',
  secret: 'demo-secret',
  password: 'demo-pass',
  urls: { api: { public: url, private: url, contract: url, contractPrivate: url } },
});

// A pair: buy 0.01 BTC at market, then offer it above the market.
const bought = await exchange.createOrder('BTC/USDT', 'market', 'buy', 0.01);
const { average, filled } = await exchange.fetchOrder(bought.id, 'BTC/USDT');
console.log('bought', filled, 'BTC at', average);
const offer = await exchange.createOrder('BTC/USDT', 'limit', 'sell', 0.009, average * 1.1);
console.log('open orders', (await exchange.fetchOpenOrders('BTC/USDT')).length);
await exchange.cancelOrder(offer.id, 'BTC/USDT');

// A perpetual swap: open an isolated long at ten times leverage, close it.
const swap = 'BTC/USDT:USDT';
await exchange.setMarginMode('isolated', swap);
await exchange.setLeverage(10, swap, { marginMode: 'isolated' });
await exchange.createOrder(swap, 'market', 'buy', 0.02);
const [position] = await exchange.fetchPositions([swap]);
console.log(position.side, position.contracts, 'liquidated at', position.liquidationPrice);
await exchange.createOrder(swap, 'market', 'sell', 0.02, undefined, { reduceOnly: true });
console.log('USDT', (await exchange.fetchBalance({ type: 'swap' })).USDT.total);
