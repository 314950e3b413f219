/** Prices of a sandbox's markets, and money for its accounts. */
import { refuseSaying } from '#api';
import { isRefused, type Refused, type Ticks, ZERO_TICKS } from '#domain';
import { INDEX_REPORT, INDEX_REPORT_FIELDS, reportIndex } from '../admin/contracts.ts';
import { required, SCALED } from '../admin/fields.ts';
import { FUNDS, fund, MOVEMENT } from '../admin/money.ts';
import { submitChanges } from '../admin/pairs.ts';
import { ticksOf } from '../admin/terms.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { shown } from '../kit/fields.ts';
import { CONTRACT_SYMBOL, PAIR_SYMBOL } from '../kit/markets.ts';
import { optionalText, requiredText } from '../kit/request.ts';
import { row, texts } from '../kit/row.ts';
import { BASE, type SandboxContext } from './context.ts';

const MOVED = row<readonly string[]>()({
  symbols: texts('Pair moved', [PAIR_SYMBOL], (symbols) => symbols),
});

export const MARKET_ENDPOINTS = {
  setIndex: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/index`,
    duty: 'run',
    isFrequent: true,
    summary: 'Sets the index price of a contract; everything that follows from it follows at once',
    request: { symbol: requiredText('Contract'), ...INDEX_REPORT_FIELDS },
    response: INDEX_REPORT,
    example: { request: { symbol: CONTRACT_SYMBOL, price: '30000' } },
    answer: (context: SandboxContext, asked) => reportIndex(context, asked.symbol, asked),
  }),
  movePrice: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/price`,
    duty: 'run',
    isFrequent: true,
    summary: 'Moves the simulated market of a coin: pairs, and through them contracts, follow',
    request: {
      coin: requiredText('Coin, as in BTC'),
      price: required(SCALED, 'Price in the quote coin'),
      quote: optionalText('Quote coin; USDT if absent'),
    },
    response: MOVED,
    example: { request: { coin: 'BTC', price: '30000' } },
    answer: async (context: SandboxContext, asked) => {
      const coin = asked.coin.toUpperCase();
      const quote = asked.quote.toUpperCase() || 'USDT';
      const pair = context.live.listings.spot.find(
        ({ baseCode, quoteCode }) => baseCode === coin && quoteCode === quote,
      );
      if (pair === undefined) {
        return refuseSaying('symbol_unknown', `no pair of ${shown(coin)} and ${shown(quote)}`);
      }
      const priceTicks = ticksOf(asked.price, pair.priceScale);
      if (isRefused(priceTicks)) return priceTicks;
      if (priceTicks === 0) return refuseSaying('price_invalid', 'a price is above zero');
      return (await movePair(context, pair, priceTicks)) ?? MOVED.write([pair.symbol]);
    },
  }),
  credit: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/credit`,
    duty: 'run',
    summary: 'Gives an account money',
    request: { account: requiredText('Account, by name or id'), ...FUNDS },
    response: MOVEMENT,
    example: { request: { account: 'demo', coin: 'USDT', amount: '250' } },
    answer: ({ venue }: SandboxContext, asked) => fund(venue, 'deposit', asked.account, asked),
  }),
} as const satisfies Record<string, OperatorEndpoint<SandboxContext>>;

/**
 * The reference price of the pair is where the simulated market goes on from. The same price again
 * is no news to it, so it is taken back first.
 */
async function movePair(
  { venue }: SandboxContext,
  pair: Parameters<typeof submitChanges>[1],
  priceTicks: Ticks,
): Promise<Refused | undefined> {
  const isNews = pair.referencePriceTicks !== priceTicks;
  const steps = isNews ? [priceTicks] : [ZERO_TICKS, priceTicks];
  const answers = steps.map((referencePriceTicks) =>
    submitChanges(venue, pair, { referencePriceTicks }),
  );
  return (await Promise.all(answers)).find(isRefused);
}
