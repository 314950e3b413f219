/** Examples of liquidation prices and of the insurance fund. */
import { entryMargin, feeOnFine, finePnl, fineToFloor, fineValue } from '#domain';
import { type Example, fromTicks } from '../support/published-examples.ts';
import { holdingOf, liquidationOf, partOf, pnlAt } from './position.ts';
import type { Figures, Reading } from './reading.ts';

/** Taker fee of the account that the sample came from, which does not print it. */
const GATE_ACCOUNT_FEE_PPM = 500;

/** The margin of the position: printed, or its entry value over the leverage. */
function marginOf(example: Example): bigint {
  const { terms, open } = holdingOf(example);
  return example.has('margin')
    ? example.money('margin')
    : entryMargin(terms, open, example.leverage);
}

function isolated(example: Example): Figures {
  const holding = holdingOf(example);
  const margin = marginOf(example);
  return {
    im: margin,
    mm: partOf(holding.terms, holding.open, example.ppm('mmr')),
    liquidation_price: fromTicks(liquidationOf(example, margin)),
  };
}

/** A sample of a live answer: a whole position. */
function gateLong(example: Example): Figures {
  const holding = holdingOf(example);
  const at = liquidationOf(example, example.money('margin'));
  return {
    upnl: pnlAt(holding, example.price('mark')),
    liquidation_price: fromTicks(at),
    open_fee: feeOnFine(holding.terms, holding.open, GATE_ACCOUNT_FEE_PPM),
  };
}

/** What an insurance fund gains by a fill better than the bankruptcy price. */
function fundGain(example: Example): Figures {
  const { terms, side } = example;
  const size = example.size();
  const valueAt = (name: string) => fineValue(terms, size, example.price(name));
  const gain = finePnl(terms, side, valueAt('bankruptcy_price'), valueAt('fill'));
  return { fund_delta: fineToFloor(terms, gain) };
}

export const RISK_READINGS: readonly Reading[] = [
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
    compute: isolated,
  },
  { ids: ['snap-gate-lin'], compute: gateLong },
  { ids: ['ins-btcmex'], compute: fundGain },
];
