/** Every public answer about the markets, as text without the time it was given. */
export async function publicAnswers(url: string): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const path of PUBLIC) {
    const text = await (await fetch(url + path)).text();
    answers[path] = text.replace(/"(requestTime|timestamp|ts)":"?[0-9]+"?/g, '');
  }
  return answers;
}

const SPOT = '/api/spot/v1';
const SWAP = '/api/swap/v3/market';
const PUBLIC = [
  `${SPOT}/public/currencies`,
  `${SPOT}/public/products`,
  `${SPOT}/market/tickers`,
  `${SPOT}/market/depth?symbol=BTCUSDT`,
  `${SPOT}/market/fills?symbol=BTCUSDT`,
  ...['1min', '1h', '1d', '7d', '1M'].map(
    (period) => `${SPOT}/market/candles?symbol=BTCUSDT&period=${period}&limit=1000`,
  ),
  `${SWAP}/contracts`,
  `${SWAP}/tickers`,
  `${SWAP}/depth?symbol=cmt_btcusdt`,
  `${SWAP}/trades?symbol=cmt_btcusdt`,
  `${SWAP}/candles?symbol=cmt_btcusdt&granularity=60`,
  `${SWAP}/mark_price?symbol=cmt_btcusdt`,
  `${SWAP}/index?symbol=cmt_btcusdt`,
  `${SWAP}/open_interest?symbol=cmt_btcusdt`,
  `${SWAP}/funding_time?symbol=cmt_btcusdt`,
  `${SWAP}/historyFundRate?symbol=cmt_btcusdt&pageIndex=1&pageSize=20`,
];
