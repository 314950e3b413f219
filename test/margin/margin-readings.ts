/** Examples of initial margin, order cost, hedges, margin ratios and maintenance margin. */
import {
  entryMargin,
  fineEquity,
  fineToFloor,
  fineValue,
  isBreached,
  marginRatio,
  valueFloor,
} from '#domain';
import { type Example, fromTicks, MONEY_SCALE, ONE, ppmOf, priceOf, sizeOf } from './example.ts';
import type { Figures, Reading } from './reading.ts';
import {
  bankruptcyOf,
  frozenFor,
  hedgeMargin,
  holdingOf,
  openLoss,
  orderCost,
  partOf,
  pnlAt,
  type Rules,
  ratesOf,
  riskOf,
  takerPpm,
} from './reference.ts';

function initialMargin(example: Example): Figures {
  const { terms } = example;
  const open = fineValue(terms, example.size(), example.price('price', 'avg'));
  const margin = entryMargin(terms, open, example.leverage);
  return { im: margin, margin };
}

/** An order's cost and the price at which the position it opens is worth nothing. */
function costWithClosing(example: Example, rules: Rules): Figures {
  const holding = { ...holdingAt(example, 'price') };
  const { leverage } = example;
  const feePpm = takerPpm(example);
  const { initial, openFee, closeFee } = orderCost(holding, leverage, feePpm, rules);
  return {
    im: initial,
    open_fee: openFee,
    close_fee: closeFee,
    cost: frozenFor(holding, example.price('price'), leverage, feePpm, rules),
    bankruptcy_price: fromTicks(bankruptcyOf(holding, initial, feePpm, rules)),
  };
}

function holdingAt(example: Example, priceName: string) {
  const { terms, side } = example;
  const size = example.size();
  return { terms, side, size, open: fineValue(terms, size, example.price(priceName)) };
}

function costWithOpenLoss(example: Example, rules: Rules): Figures {
  const holding = holdingAt(example, 'order_price');
  const { leverage } = example;
  const price = example.price('order_price');
  const loss = openLoss(holding, example.price('mark'), rules);
  return {
    im: entryMargin(holding.terms, holding.open, leverage),
    open_loss: loss,
    cost: frozenFor(holding, price, leverage, takerPpm(example), rules) + loss,
  };
}

/** Profit as a part of a margin that may include the closing fee. */
function returnOnCost(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const costRules: Rules = rules.feeInMargin ? { ...rules, feesInCost: 'open_and_close' } : rules;
  const cost = orderCost(holding, example.leverage, takerPpm(example), costRules);
  const margin = cost.initial + cost.closeFee;
  return {
    im: cost.initial,
    close_fee: cost.closeFee,
    roi_pct: (example.money('upnl') * 100n * ONE) / margin,
  };
}

/** The cost of an order worth one coin, as a part of its value. */
function costOfOne(example: Example, rules: Rules): Figures {
  const { terms } = example;
  const size = sizeOf('1');
  const price = priceOf('1');
  const leverage = 1_000_000 / example.ppm('im_rate');
  const costOf = (side: 'long' | 'short'): bigint => {
    const holding = { terms, side, size, open: fineValue(terms, size, price) };
    return frozenFor(holding, price, leverage, takerPpm(example), rules);
  };
  return { buy_value_to_cost: costOf('long'), sell_value_to_cost: costOf('short') };
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

function lockedHedge(example: Example, rules: Rules): Figures {
  const { terms, leverage } = example;
  const marginOf = (name: string): bigint =>
    entryMargin(terms, fineValue(terms, example.size(name), example.price('price')), leverage);
  const long = marginOf('long_contracts');
  const short = marginOf('short_contracts');
  const together = hedgeMargin(long, short, rules);
  return { sum_margin: long + short, locked: long + short - together, new_margin: together };
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

function isLiquidated(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const mark = example.price('mark');
  const rates = ratesOf(example);
  const margin = entryMargin(holding.terms, holding.open, example.leverage);
  const base =
    rules.mmBase === 'entry' ? holding.open : fineValue(holding.terms, holding.size, mark);
  const pnl = pnlAt(holding, mark);
  return {
    im: margin,
    mm: partOf(holding.terms, base, rates.maintenancePpm),
    upnl: pnl,
    remaining: margin + pnl,
    liquidated: isBreached(holding.terms, riskOf(holding, margin, rates, rules), mark),
  };
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

function deducted(example: Example, rules: Rules): Figures {
  const { terms } = example;
  const value = example.money('value') * terms.fineFactor;
  const whole = partOf(terms, value, example.ppm('mmr'));
  const less = rules.tierForm === 'deduction' ? ratesOf(example).deduction : 0n;
  return { mm: whole - less };
}

function deductionOfTier(example: Example, rules: Rules): Figures {
  if (rules.tierForm !== 'deduction') return { amount: 0n };
  const step = example.ppm('mmr_n') - example.ppm('mmr_prev');
  const floor = example.money('floor_btc');
  return { amount: (floor * BigInt(step)) / 1_000_000n + example.money('amount_prev') };
}

/** Rates that rise with the size instead of in tiers. */
function continuous(example: Example, rules: Rules): Figures {
  const { terms } = example;
  const size = example.size('size_btc');
  const value = fineValue(terms, size, example.price('price'));
  const isRising = rules.tierForm === 'continuous';
  const rise = isRising ? (size / sizeOf('1')) * ppmOf(example.text('slope_per_btc')) : 0;
  const initialPpm = example.ppm('im_base') + rise;
  const maintenancePpm = example.ppm('mm_base') + rise;
  const coins = fineValue(terms, size, priceOf('1'));
  const one = ONE * terms.fineFactor;
  return {
    im_rate: partOf(terms, one, initialPpm),
    im_btc: partOf(terms, coins, initialPpm),
    im: partOf(terms, value, initialPpm),
    mm_rate: partOf(terms, one, maintenancePpm),
    mm_btc: partOf(terms, coins, maintenancePpm),
    mm: partOf(terms, value, maintenancePpm),
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
    ],
    switches: {},
    compute: initialMargin,
  },
  {
    ids: ['cost-bybit-lin-50x'],
    switches: { feesInCost: 'open_and_close', feeInBankruptcy: false },
    compute: costWithClosing,
  },
  { ids: ['cost-bybit-posmargin-roi'], switches: { feeInMargin: true }, compute: returnOnCost },
  {
    ids: ['cost-binance-long', 'cost-binance-short', 'cost-cointiger-long', 'cost-cointiger-short'],
    switches: { openLossInCost: true, feesInCost: 'none' },
    compute: costWithOpenLoss,
  },
  { ids: ['snap-phemex-cost'], switches: { feesInCost: 'open_and_close' }, compute: costOfOne },
  { ids: ['snap-ftx-lin'], switches: {}, compute: signedValue },
  { ids: ['hedge-huobi-locked'], switches: { hedgeMargin: 'larger_side' }, compute: lockedHedge },
  { ids: ['hedge-bybit-old'], switches: {}, compute: availableHedge },
  { ids: ['mr-weex'], switches: {}, compute: ratioOfProfit },
  {
    ids: ['mr-flipster-2'],
    switches: { mmBase: 'entry', feeInThreshold: 'none' },
    compute: isLiquidated,
  },
  { ids: ['snap-bitget-doc-acct'], switches: {}, compute: equityOf },
  { ids: ['mm-kucoin-lin'], switches: {}, compute: maintenance },
  {
    ids: ['mm-binance-btc', 'mm-binance-eth'],
    switches: { tierForm: 'deduction' },
    compute: deducted,
  },
  {
    ids: ['mm-binance-coinm-deduction'],
    switches: { tierForm: 'deduction' },
    compute: deductionOfTier,
  },
  {
    ids: ['mm-deribit-25', 'mm-deribit-350'],
    switches: { tierForm: 'continuous' },
    compute: continuous,
  },
];
