/** Examples of average entry prices, profit and loss. */
import {
  averageEntry,
  type FineAmount,
  feeOnFine,
  finePnl,
  fineToFloor,
  fineValue,
  openShare,
  valueFloor,
} from '#domain';
import {
  type Computed,
  type Example,
  fromTicks,
  MONEY_SCALE,
  moneyOf,
  ONE,
  PRICE_SCALE,
  priceOf,
  sizeOf,
} from '../support/published-examples.ts';
import { holdingOf, pnlAt } from './position.ts';
import type { Figures, Reading } from './reading.ts';

const AVERAGE_SCALE = MONEY_SCALE - PRICE_SCALE;

function averages(example: Example): Figures {
  const { terms } = example;
  let open: FineAmount = 0n;
  let size = 0;
  for (const [, lots = '', price = ''] of example.rows('fills')) {
    open += fineValue(terms, sizeOf(lots), priceOf(price));
    size += sizeOf(lots);
  }
  const value = fineToFloor(terms, open);
  return { avg_entry: averageEntry(terms, open, size, AVERAGE_SCALE), value, value_btc: value };
}

/** A position that is opened, reduced and grown again: its average and profit after each fill. */
function fillByFill(example: Example): Figures {
  const { terms } = example;
  const feePpm = example.ppm('fee_rate');
  let open: FineAmount = 0n;
  let size = 0;
  let realized = 0n;
  const after: Computed[] = [];
  for (const [index, [side = '', lots = '', price = '']] of example.rows('fills').entries()) {
    const filled = sizeOf(lots);
    const value = fineValue(terms, filled, priceOf(price));
    realized -= feeOnFine(terms, value, feePpm);
    if (side === 'buy') {
      open += value;
      size += filled;
    } else {
      const share = openShare(terms, 'long', open, filled, size);
      realized += fineToFloor(terms, finePnl(terms, 'long', share, value));
      open -= share;
      size -= filled;
    }
    const avg = averageEntry(terms, open, size, AVERAGE_SCALE);
    const qty = BigInt(size) * moneyOf('0.000001');
    if (index > 0) after.push({ n: index + 1, qty, avg, realized });
  }
  return { after };
}

/** Profit at a price, the values at both ends, and the fee of the opening. */
function profit(example: Example): Figures {
  const holding = holdingOf(example);
  const { terms, size, open } = holding;
  const price = example.price('price');
  const pnl = pnlAt(holding, price);
  const value = valueFloor(terms, size, price);
  return {
    upnl: pnl,
    rpnl: pnl,
    entry_value: fineToFloor(terms, open),
    value_at_price: value,
    notional_at_price: value,
    open_fee: feeOnFine(terms, open, example.ppm('fee_rate')),
  };
}

/** Profit as a part of the margin. */
function returnOnMargin(example: Example): Figures {
  const { terms, side } = example;
  const entry = example.price('entry');
  const margin = example.money('margin_btc');
  // The size is printed in coins: the contracts that are worth them at the entry price.
  const size = Number((BigInt(example.size('size_btc')) * fromTicks(entry)) / ONE);
  const holding = { terms, side, size, open: fineValue(terms, size, entry) };
  return { pnl_ratio: (pnlAt(holding, example.price('price')) * ONE) / margin };
}

export const VALUE_READINGS: readonly Reading[] = [
  { ids: ['avg-bybit-lin-1', 'avg-bybit-inv-1'], compute: averages },
  { ids: ['avg-nautilus-tt-lin'], compute: fillByFill },
  {
    ids: [
      'pnl-bybit-lin-short',
      'pnl-bitget-lin-long',
      'pnl-hotcoin-lin-rpl-short',
      'pnl-hotcoin-lin-upl-long',
      'pnl-hotcoin-lin-upl-short',
      'pnl-nautilus-lin-long-loss',
      'pnl-nautilus-lin-short-win',
      'pnl-nautilus-lin-short',
      'pnl-bybit-inv-long',
      'pnl-coinlocally-inv-short',
      'pnl-bitmex-inv-long',
      'pnl-bitmex-guide-inv',
      'pnl-nautilus-inv1',
      'pnl-nautilus-inv-eth',
      'pnl-nautilus-inv-long',
      'pnl-nautilus-inv-short',
      'pnl-huobi-inv-pos',
    ],
    compute: profit,
  },
  { ids: ['roe-bingx-inv-1x'], compute: returnOnMargin },
];
