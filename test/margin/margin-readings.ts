/** Examples of initial margin, hedges, margin ratios and maintenance margin. */
import { entryMargin, fineEquity, fineToFloor, fineValue, marginRatio, valueFloor } from '#domain';
import { type Example, MONEY_SCALE, priceOf, sizeOf } from '../support/published-examples.ts';
import { holdingOf, partOf, pnlAt } from './position.ts';
import type { Figures, Reading } from './reading.ts';

function initialMargin(example: Example): Figures {
  const { terms } = example;
  const open = fineValue(terms, example.size(), example.price('price', 'avg', 'order_price'));
  const margin = entryMargin(terms, open, example.leverage);
  return { im: margin, margin };
}

/** Value with the sign of the side, and the margin at a rate. */
function signedValue(example: Example): Figures {
  const { terms, open, side } = holdingOf(example);
  const value = fineToFloor(terms, open);
  const leverage = 1_000_000 / example.ppm('im_rate');
  return {
    cost: side === 'long' ? value : -value,
    collateral_used: entryMargin(terms, open, leverage),
  };
}

/** A wallet through the opening of both sides: their loss together is not available. */
function availableHedge(example: Example): Figures {
  const { terms, leverage } = example;
  const [[, buySize = '', buyPrice = ''] = [], , [, sellSize = '', sellPrice = ''] = []] =
    example.rows('steps');
  const holding = (side: 'long' | 'short', size: string, price: string) => {
    const open = fineValue(terms, sizeOf(size), priceOf(price));
    return { terms, side, size: sizeOf(size), open };
  };
  const long = holding('long', buySize, buyPrice);
  const short = holding('short', sellSize, sellPrice);
  const longMargin = entryMargin(terms, long.open, leverage);
  const shortMargin = entryMargin(terms, short.open, leverage);
  const wallet = example.money('wallet');
  const availableAt = (price: string): bigint => {
    const pnl = pnlAt(long, priceOf(price)) + pnlAt(short, priceOf(price));
    return wallet - longMargin - shortMargin + (pnl < 0n ? pnl : 0n);
  };
  return {
    im_long: longMargin,
    im_short: shortMargin,
    available_after_buy: wallet - longMargin,
    available_at_9000: availableAt('9000'),
    available_at_8000: availableAt('8000'),
    upnl_long_at_8000: pnlAt(long, priceOf('8000')),
    upnl_short_at_8000: pnlAt(short, priceOf('8000')),
  };
}

/** The ratio of a long whose profit is printed: its entry value is its value less the profit. */
function ratioOfProfit(example: Example): Figures {
  const { terms } = example;
  const size = sizeOf(example.text('contracts'));
  const mark = example.price('mark');
  const unit = {
    money: example.money('position_margin'),
    longLots: size,
    longOpen: fineValue(terms, size, mark) - example.money('upnl') * terms.fineFactor,
    shortLots: 0,
    shortOpen: 0n,
    thresholdPpm: 0,
  };
  return { margin_ratio: marginRatio(terms, unit, mark, MONEY_SCALE) };
}

/** Equity is the balance and the unrealised profit, whatever position earns it. */
function equityOf(example: Example): Figures {
  const { terms } = example;
  const size = sizeOf('1000');
  const mark = priceOf('10000');
  const profit = example.money('unrealized_pnl') * terms.fineFactor;
  const unit = {
    money: example.money('total_avail_balance'),
    longLots: size,
    longOpen: fineValue(terms, size, mark) + profit,
    shortLots: 0,
    shortOpen: 0n,
    thresholdPpm: 0,
  };
  return { equity: fineToFloor(terms, fineEquity(terms, unit, mark)) };
}

function maintenance(example: Example): Figures {
  const { terms } = example;
  const size = example.size();
  const mark = example.price('mark');
  const value = fineValue(terms, size, mark);
  return {
    value: valueFloor(terms, size, mark),
    mm: partOf(terms, value, example.ppm('mmr')),
  };
}

export const MARGIN_READINGS: readonly Reading[] = [
  {
    ids: [
      'im-okex-lin',
      'im-huobi-inv-btc',
      'im-huobi-inv-eos',
      'im-bybit-inv',
      'im-bitget-lin-50k-10x',
      'im-bitget-lin-50k-5x',
      'snap-bitget-mix-margin',
      'cost-binance-long',
    ],
    compute: initialMargin,
  },
  { ids: ['snap-ftx-lin'], compute: signedValue },
  { ids: ['hedge-bybit-old'], compute: availableHedge },
  { ids: ['mr-weex'], compute: ratioOfProfit },
  { ids: ['snap-bitget-doc-acct'], compute: equityOf },
  { ids: ['mm-kucoin-lin'], compute: maintenance },
];
