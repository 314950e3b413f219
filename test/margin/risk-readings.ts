/** Examples of liquidation and bankruptcy prices, of replenishment and of the insurance fund. */
import { bankruptcyTicks, entryMargin, finePnl, fineToFloor, fineValue } from '#domain';
import { mulDivCeil, present } from '#kernel';
import { type Example, fromTicks, ONE } from './example.ts';
import type { Figures, Reading } from './reading.ts';
import {
  appended,
  bankruptcyOf,
  holdingOf,
  liquidationOf,
  partOf,
  pnlAt,
  type Rules,
  ratesOf,
  takerPpm,
} from './reference.ts';

/** The margin of the position: printed, or its entry value over the leverage. */
function marginOf(example: Example): bigint {
  const { terms, open } = holdingOf(example);
  return example.has('margin')
    ? example.money('margin')
    : entryMargin(terms, open, example.leverage);
}

function isolated(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const rates = ratesOf(example);
  const margin = marginOf(example);
  return {
    im: margin,
    mm: partOf(holding.terms, holding.open, rates.maintenancePpm),
    liquidation_price: fromTicks(liquidationOf(holding, margin, rates, rules)),
  };
}

/** A wallet that also stands for another contract: its maintenance margin and profit count. */
function crossedWithOthers(example: Example, rules: Rules): Figures {
  let money = example.money('wallet');
  const others = rules.walletOf === 'all_contracts' ? example.others() : [];
  for (const other of others) {
    const held = holdingOf(other);
    const mark = other.price('mark');
    const { maintenancePpm, deduction } = ratesOf(other);
    const value = fineValue(held.terms, held.size, mark);
    money += pnlAt(held, mark) - partOf(held.terms, value, maintenancePpm);
    if (rules.tierForm === 'deduction') money += deduction;
  }
  const at = liquidationOf(holdingOf(example), money, ratesOf(example), rules);
  return { liquidation_price: fromTicks(at) };
}

/** The wallet pays for everything down to a printed price step. */
function bustPrice(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const { terms, size } = holding;
  const money = example.money('wallet');
  const fee = takerPpm(example);
  const bust = bankruptcyOf(holding, money, fee, rules, example.price('tick'));
  const closeFee = partOf(terms, fineValue(terms, size, bust), fee);
  const rates = { ...ratesOf(example), closeFee };
  return {
    value: fineToFloor(terms, holding.open),
    occ_closing_fee: closeFee,
    bust_price: fromTicks(bust),
    liquidation_price: fromTicks(liquidationOf(holding, money, rates, rules)),
  };
}

/** From leverage alone, or from the margin of a position. */
function bankruptcy(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const margin = example.has('posMargin')
    ? example.money('posMargin')
    : entryMargin(holding.terms, holding.open, example.leverage);
  const at = bankruptcyOf(holding, margin, takerPpm(example), rules);
  const upnl = example.has('mark') ? pnlAt(holding, example.price('mark')) : 0n;
  return { bankruptcy_price: fromTicks(at), upnl };
}

/** A short's money is what selling paid it and its margin: closing may cost all of that. */
function bankruptcyCost(example: Example, rules: Rules): Figures {
  const { terms, side } = example;
  const size = example.size();
  const open = example.money('quote_balance') * terms.fineFactor;
  const holding = { terms, side, size, open };
  const at = bankruptcyOf(holding, 0n, takerPpm(example), rules);
  return { bankruptcy_value: fineToFloor(terms, fineValue(terms, size, at)) };
}

/** Closing part of a long: what it must receive, whole units, or a whole price times the size. */
function bankruptcyOfPart(example: Example, rules: Rules): Figures {
  const total = BigInt(example.text('total_base_units'));
  const part = BigInt(example.text('close_base_units'));
  const owed = -BigInt(example.text('quote_units'));
  if (rules.rounding === 'on_amount') {
    return { bankruptcy_quote_units: mulDivCeil(owed, part, total) * ONE };
  }
  const terms = { kind: 'linear', valueFactor: 1n, fineFactor: 1n } as const;
  const position = { lots: Number(total), open: owed, money: 0n };
  const at = present(bankruptcyTicks(terms, 'long', position, 0, 1), 'a bankruptcy price');
  return { bankruptcy_quote_units: BigInt(at) * part * ONE };
}

/** What an insurance fund gains by a fill better than the bankruptcy price. */
function fundGain(example: Example): Figures {
  const { terms, side } = example;
  const size = example.size();
  const valueAt = (name: string) => fineValue(terms, size, example.price(name));
  const gain = finePnl(terms, side, valueAt('bankruptcy_price'), valueAt('fill'));
  return { fund_delta: fineToFloor(terms, gain) };
}

function replenished(example: Example, rules: Rules): Figures {
  const holding = holdingOf(example);
  const { leverage } = example;
  const initial = entryMargin(holding.terms, holding.open, leverage);
  const available = example.money('available') - initial;
  const added = appended(holding, leverage, example.price('trigger_mark'), available, rules);
  const at = liquidationOf(holding, initial + added, ratesOf(example), rules);
  return {
    available_after_open: available,
    added,
    available_after_append: available - added,
    margin_after: initial + added,
    liquidation_price_after: fromTicks(at),
  };
}

export const RISK_READINGS: readonly Reading[] = [
  {
    ids: [
      'liq-ft-binance-short-0',
      'liq-ft-binance-short-2',
      'liq-ft-binance-short-3',
      'liq-ft-binance-long-7',
      'liq-binance-eth-iso',
      'liq-binance-btc-iso',
    ],
    switches: { tierForm: 'deduction', feeInThreshold: 'none' },
    compute: isolated,
  },
  {
    ids: [
      'liq-ft-gate-short-8',
      'liq-ft-gate-short-9',
      'liq-ft-gate-short-10',
      'liq-ft-okx-short-11',
      'liq-ft-gate-long-12',
      'liq-ft-gate-long-13',
      'liq-bitget-lin-long',
    ],
    switches: {},
    compute: isolated,
  },
  {
    ids: [
      'liq-ft-bybit-long-15',
      'liq-ft-bybit-long-16',
      'liq-ft-bybit-short-18',
      'liq-ft-bybit-short-20',
      'liq-bybit-lin-long',
      'liq-mexc-lin-long',
      'liq-kucoin-lin-short',
      'liq-mcs-inv-long',
      'liq-mcs-inv-short',
    ],
    switches: { mmBase: 'entry', feeInThreshold: 'none' },
    compute: isolated,
  },
  {
    ids: ['liq-binance-eth-cross'],
    switches: { tierForm: 'deduction', feeInThreshold: 'none', walletOf: 'all_contracts' },
    compute: crossedWithOthers,
  },
  {
    ids: ['snap-bybit-inv-cross'],
    switches: { mmBase: 'entry', feeInThreshold: 'at_bankruptcy' },
    compute: bustPrice,
  },
  {
    ids: ['bp-bybit-lin', 'snap-aax-lin'],
    switches: { feeInBankruptcy: false },
    compute: bankruptcy,
  },
  { ids: ['bp-dydx-short'], switches: { feeInBankruptcy: false }, compute: bankruptcyCost },
  {
    ids: ['bp-dydx-partial-round-long'],
    switches: { rounding: 'on_amount' },
    compute: bankruptcyOfPart,
  },
  { ids: ['ins-btcmex'], switches: {}, compute: fundGain },
  { ids: ['amr-bitget'], switches: { amrRule: 'one_initial_margin' }, compute: replenished },
];
