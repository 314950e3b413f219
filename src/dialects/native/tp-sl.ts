/** Take-profit and stop-loss that an order of a contract brings with it: fields and reader. */
import { type Contract, type TpSlTerms, WORKING_PRICES, type WorkingPrice } from '#domain';
import type { Fields } from '../kit/fields.ts';
import { type Field, optionalChoice, optionalText } from '../kit/request.ts';
import { readPrice } from './amounts.ts';

const WORKING: ReadonlyMap<string, WorkingPrice | undefined> = new Map(
  WORKING_PRICES.map((working) => [working, working]),
);

/** The price that a trigger looks at; undefined when it is left out. */
export function triggerPriceOf(description: string): Field<WorkingPrice | undefined> {
  return optionalChoice<WorkingPrice | undefined>(description, WORKING, undefined);
}

export const TP_SL_FIELDS = {
  takeProfit: optionalText('Of an order of a contract that opens: closes what it opened there'),
  takeProfitBy: triggerPriceOf('Price that takeProfit looks at; last without it'),
  stopLoss: optionalText('The same where the price falls back to this'),
  stopLossBy: triggerPriceOf('Price that stopLoss looks at; last without it'),
};

export interface TpSlWish {
  readonly takeProfit: string;
  readonly takeProfitBy: WorkingPrice | undefined;
  readonly stopLoss: string;
  readonly stopLossBy: WorkingPrice | undefined;
}

export function readTpSlWish(fields: Fields): TpSlWish {
  const wish = {
    takeProfit: TP_SL_FIELDS.takeProfit.read(fields, 'takeProfit'),
    takeProfitBy: TP_SL_FIELDS.takeProfitBy.read(fields, 'takeProfitBy'),
    stopLoss: TP_SL_FIELDS.stopLoss.read(fields, 'stopLoss'),
    stopLossBy: TP_SL_FIELDS.stopLossBy.read(fields, 'stopLossBy'),
  };
  // It would be thought to protect what nothing protects.
  if (wish.takeProfit === '' && wish.takeProfitBy !== undefined) fields.missing('takeProfit');
  if (wish.stopLoss === '' && wish.stopLossBy !== undefined) fields.missing('stopLoss');
  return wish;
}

/** The names of those that are given, for what brings none. */
export function givenTpSl({ takeProfit, stopLoss }: TpSlWish): readonly string[] {
  return [...(takeProfit === '' ? [] : ['takeProfit']), ...(stopLoss === '' ? [] : ['stopLoss'])];
}

/** In the units of the contract. */
export function tpSlOf(fields: Fields, wish: TpSlWish, contract: Contract): TpSlTerms {
  const { takeProfit, takeProfitBy = 'last', stopLoss, stopLossBy = 'last' } = wish;
  return {
    ...(takeProfit !== '' && {
      takeProfitTicks: readPrice(fields, 'takeProfit', takeProfit, contract),
      ...(takeProfitBy !== 'last' && { takeProfitWorking: takeProfitBy }),
    }),
    ...(stopLoss !== '' && {
      stopLossTicks: readPrice(fields, 'stopLoss', stopLoss, contract),
      ...(stopLossBy !== 'last' && { stopLossWorking: stopLossBy }),
    }),
  };
}
