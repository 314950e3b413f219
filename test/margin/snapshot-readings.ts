/** Samples of live answers of other exchanges: whole positions, every printed figure. */
import {
  averageEntry,
  entryMargin,
  feeOnFine,
  finePnl,
  fineToFloor,
  fineValue,
  liquidationTicks,
  marginRatio,
} from '#domain';
import { type Example, fromTicks, MONEY_SCALE, moneyOf, ONE } from './example.ts';
import type { Figures, Reading } from './reading.ts';
import {
  bankruptcyOf,
  type Holding,
  holdingOf,
  liquidationOf,
  pnlAt,
  type Rules,
  ratesOf,
  riskOf,
  takerPpm,
} from './reference.ts';

/** Taker fee of the accounts that these samples came from; the samples do not print it. */
const OKEX_TAKER_PPM = 500;
const GATE_ACCOUNT_FEE_PPM = 500;
/** The profit of the sample, from which follows the mark price that it does not print. */
const OKEX_SHORT_PROFIT = moneyOf('0.00007853');
const FIVE_DECIMALS = ONE / 100_000n;

function okexShort(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const { terms, size, open } = holding;
  const margin = entryMargin(terms, open, example.leverage);
  const value = open + OKEX_SHORT_PROFIT * terms.fineFactor;
  const mark = Number(averageEntry(terms, value, size, 0));
  const rates = { ...ratesOf(example), takerPpm: OKEX_TAKER_PPM };
  const risk = riskOf(holding, margin, rates, rules);
  const profit = pnlAt(holding, mark);
  const shown = ((profit + FIVE_DECIMALS / 2n) / FIVE_DECIMALS) * FIVE_DECIMALS;
  return {
    margin,
    upnl: profit,
    margin_ratio: marginRatio(terms, risk, mark, MONEY_SCALE),
    liquidation_price: fromTicks(liquidationOf(holding, margin, rates, rules)),
    pnl_ratio: ((rules.pnlRatioOf === 'shown' ? shown : profit) * ONE) / margin,
  };
}

/** Profit is paid out at a settlement, and counts from the settlement price after it. */
function okexSettled(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const { terms, size, open, side } = holding;
  const settled = fineValue(terms, size, example.price('settlement_price'));
  const based: Holding = rules.pnlBase === 'settlement' ? { ...holding, open: settled } : holding;
  const rates = { ...ratesOf(example), takerPpm: OKEX_TAKER_PPM };
  const at = liquidationOf(based, example.money('margin'), rates, rules);
  return {
    liquidation_price: fromTicks(at),
    settled_pnl: fineToFloor(terms, finePnl(terms, side, open, settled)),
  };
}

function binanceWallet(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const { terms, size } = holding;
  const mark = example.price('mark');
  const upnl = pnlAt(holding, mark);
  const wallet = example.money('isolated_wallet');
  const at = liquidationOf(holding, wallet, ratesOf(example), rules);
  return {
    upnl,
    isolated_margin: rules.pnlInMargin ? wallet + upnl : wallet,
    notional: fineToFloor(terms, fineValue(terms, size, mark)),
    liquidation_price: fromTicks(at),
  };
}

function binanceHedged(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const upnl = pnlAt(holding, example.price('mark'));
  const printed = example.money('isolated_margin_incl_upnl');
  const wallet = rules.pnlInMargin ? printed - upnl : printed;
  const at = liquidationOf(holding, wallet, ratesOf(example), rules);
  return { upnl, liquidation_price: fromTicks(at) };
}

/** Maintenance margin in money, fixed at the entry. */
function printedMaintenance(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const { terms, open } = holding;
  const step = example.price('tick');
  const hasLeverage = example.has('leverage');
  const initial = hasLeverage
    ? entryMargin(terms, open, example.leverage)
    : example.money('posInit');
  const added = example.has('added_margin') ? example.money('added_margin') : 0n;
  const kept = rules.mmBase === 'entry' ? example.money('posMaint') : 0n;
  const money = (rules.feeInMargin ? example.money('posMargin') : initial + added) - kept;
  const rates = { ...ratesOf(example), takerPpm: takerPpm(example) };
  const at = liquidationOf(holding, money, rates, rules);
  return {
    posInit: initial,
    upnl: pnlAt(holding, example.price('mark')),
    bankruptcy_price: fromTicks(
      bankruptcyOf(holding, initial + added, takerPpm(example), rules, step),
    ),
    liquidation_price: fromTicks(toSteps(at, step, holding.side)),
  };
}

/** Whole price steps, away from safety: up for a long, down for a short. */
function toSteps(price: number, step: number, side: 'long' | 'short'): number {
  return (side === 'long' ? Math.ceil(price / step) : Math.floor(price / step)) * step;
}

function gateLong(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const at = liquidationOf(holding, example.money('margin'), ratesOf(example), rules);
  return {
    upnl: pnlAt(holding, example.price('mark')),
    liquidation_price: fromTicks(at),
    open_fee: feeOnFine(holding.terms, holding.open, GATE_ACCOUNT_FEE_PPM),
  };
}

/** Margin that floats with the last price, and a risk in terms of that margin. */
function huobiFloating(example: Example, rules: Rules): Figures {
  const { terms, side } = example;
  const size = example.size();
  const last = example.price('last');
  const value = fineValue(terms, size, last);
  const opened: Holding = {
    terms,
    side,
    size,
    open: fineValue(terms, size, example.price('cost_open')),
  };
  const held = { ...opened, open: fineValue(terms, size, example.price('cost_hold')) };
  const based = rules.pnlBase === 'settlement' ? held : opened;
  const upnl = pnlAt(based, last);
  const used = rules.marginAt === 'last' ? value : opened.open;
  const margin = entryMargin(terms, used, example.leverage);
  const balance = example.money('margin_static') + upnl;
  const adjust = example.money('adjust');
  // Their threshold is a part of the margin: as a part of the value it is adjust over leverage.
  const maintenancePpm = example.ppm('adjust') / example.leverage;
  const rates = { ...ratesOf(example), maintenancePpm };
  const risk = riskOf(based, example.money('margin_static'), rates, rules);
  const at = liquidationTicks(terms, risk);
  return {
    position_margin: margin,
    upnl,
    margin_balance: balance,
    margin_available: balance - margin,
    risk_rate:
      rules.ratioTo === 'margin'
        ? (balance * ONE) / margin - adjust
        : marginRatio(terms, risk, last, MONEY_SCALE),
    profit: pnlAt(opened, last),
    liquidation_price: fromTicks(at),
  };
}

export const SNAPSHOT_READINGS: readonly Reading[] = [
  { ids: ['snap-okex3-fixed-short'], switches: { pnlRatioOf: 'shown' }, compute: okexShort },
  { ids: ['snap-okex3-swap-fixed'], switches: { pnlBase: 'settlement' }, compute: okexSettled },
  {
    ids: ['snap-binance-usdm-iso', 'snap-binance-coinm-iso'],
    switches: { feeInThreshold: 'none', pnlInMargin: true },
    compute: binanceWallet,
  },
  {
    ids: ['snap-binance-hedge-long'],
    switches: { feeInThreshold: 'none', pnlInMargin: true, tierForm: 'deduction' },
    compute: binanceHedged,
  },
  {
    ids: ['snap-bitmex-lin-iso'],
    switches: {
      mmBase: 'entry',
      feeInThreshold: 'none',
      feeInBankruptcy: false,
      feeInMargin: true,
    },
    compute: printedMaintenance,
  },
  {
    ids: ['snap-kucoin-short-added'],
    switches: {
      mmBase: 'entry',
      feeInThreshold: 'none',
      feeInBankruptcy: false,
      feeInMargin: true,
    },
    compute: printedMaintenance,
  },
  { ids: ['snap-gate-lin'], switches: {}, compute: gateLong },
  {
    ids: ['snap-huobi-lin-iso'],
    switches: {
      feeInThreshold: 'none',
      pnlBase: 'settlement',
      marginAt: 'last',
      ratioTo: 'margin',
    },
    compute: huobiFloating,
  },
];
