/** What was published and what accounts had: funding, candles, equity by day, balances of now. */
import { PERIODS } from '#domain';
import { present } from '#kernel';
import { amount, type Column, decimal, type Row, text, time } from './columns.ts';
import { type Dataset, isWantedBy, type Past, type Source, seriesSource } from './source.ts';

/** Rates are parts of a billion. */
const RATE_SCALE = 9;
/** What the number of a series says beside its period. */
const PRICES = ['last', 'mark', 'index'] as const;
const PER_PRICE = 100;

function periodOf(periodId: number): readonly [price: string, period: string] {
  const price = present(PRICES[Math.floor(periodId / PER_PRICE)], 'price of a candle');
  const found = PERIODS.find(({ id }) => id === periodId % PER_PRICE);
  return [price, present(found, 'period of a candle').period];
}

export const FUNDING: Dataset = {
  columns: [
    text('symbol'),
    ...['rate', 'mark_price', 'collected', 'distributed', 'uncollected'].map(amount),
    text('coin'),
    time('settled_at'),
    amount('skipped'),
  ],
  sources: [
    seriesSource('funding_rates', (rate, names) => {
      const { instrumentId: market } = rate;
      const coin = names.margin(market);
      return [
        names.symbol(market),
        decimal(rate.ratePpb, RATE_SCALE),
        names.price(market, rate.markTicks),
        names.amount(coin, rate.collected),
        names.amount(coin, rate.distributed),
        names.amount(coin, rate.uncollected),
        names.coin(coin),
        rate.fundingTimeMs,
        decimal(rate.skippedCount, 0),
      ];
    }),
  ],
};

export const CANDLES: Dataset = {
  columns: [
    ...['symbol', 'price_of', 'period'].map(text),
    time('opened_at'),
    ...['open', 'high', 'low', 'close', 'volume', 'value'].map(amount),
    text('value_coin'),
    ...['trades', 'taker_buy_volume', 'taker_buy_value'].map(amount),
  ],
  sources: [
    seriesSource('candles', (candle, names) => {
      const { instrumentId: market } = candle;
      const coin = names.valued(market);
      const prices = [candle.openTicks, candle.highTicks, candle.lowTicks, candle.closeTicks];
      return [
        names.symbol(market),
        ...periodOf(candle.periodId),
        candle.openTimeMs,
        ...prices.map((ticks) => names.price(market, ticks)),
        names.size(market, candle.baseLots),
        names.amount(coin, candle.quoteAmount),
        names.coin(coin),
        decimal(candle.tradesCount, 0),
        names.size(market, candle.takerBuyLots),
        names.amount(coin, candle.takerBuyQuote),
      ];
    }),
  ],
};

export const EQUITY: Dataset = {
  columns: [time('day'), text('account'), text('coin'), amount('equity')],
  sources: [
    seriesSource('day_equities', ({ dayMs, accountId, assetId, equity }, names) => [
      dayMs,
      names.account(accountId),
      names.coin(assetId),
      names.amount(assetId, equity),
    ]),
  ],
};

const BALANCE_COLUMNS: readonly Column[] = [
  ...['account', 'wallet', 'coin'].map(text),
  ...['balance', 'held', 'locked', 'available'].map(amount),
  time('changed_at'),
];

/** Every balance that an account ever had, the spot wallet first. */
const STATE: Source = {
  counted: 'accounts:',
  *pages({ names: { state }, catalogue, filter }: Past) {
    const isWanted = isWantedBy(filter);
    let done = 0;
    for (const account of state.accounts()) {
      done += 1;
      if (!isWanted(account.accountId)) continue;
      const wallets = [
        ...[...account.spotBalances()].map((balance) => ['spot', balance] as const),
        ...account.contractBalances(),
      ];
      const rows = wallets.map(([wallet, one]): Row => {
        const amounts = [one.balance, one.held, one.locked, one.available];
        return [
          catalogue.account(account.accountId),
          wallet,
          catalogue.coin(one.assetId),
          ...amounts.map((units) => catalogue.amount(one.assetId, units)),
          one.updatedTimeMs,
        ];
      });
      yield { rows, done, total: state.accountsCount };
    }
  },
};

export const BALANCES: Dataset = { columns: BALANCE_COLUMNS, sources: [STATE] };
