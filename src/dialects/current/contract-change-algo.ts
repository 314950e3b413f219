/** Another trigger, price or quantity for what waits: the fields, and what they mean. */
import {
  type Contract,
  type ModifyTriggerOrder,
  type Refused,
  type TriggeredPrice,
  ZERO_LOTS,
} from '#domain';
import { Fields } from '../kit/fields.ts';
import { optionalText, requiredText } from '../kit/request.ts';
import { row, truth } from '../kit/row.ts';
import { readContractPrice, readContractSize } from './contract-amounts.ts';
import { workingType } from './contract-new-order.ts';
import { ORDER_ID } from './parameters.ts';

const ZERO = /^0+(\.0+)?$/;

export const EXECUTE_PRICE = optionalText(
  'Limit price of the order it places; 0, or none, for market',
);

const TRIGGER = {
  orderId: ORDER_ID,
  triggerPrice: requiredText('Price that it waits for'),
};

export const TP_SL_CHANGE_FIELDS = {
  ...TRIGGER,
  executePrice: EXECUTE_PRICE,
  triggerPriceType: workingType('Price that triggerPrice looks at'),
};

export const MODIFY_FIELDS = {
  ...TRIGGER,
  workingType: workingType('Price that triggerPrice looks at'),
  price: optionalText('Limit price of the order it places, 0 for market; without one as before'),
  quantity: optionalText(
    'Base coin, 0 of a take-profit or stop-loss for all that is held; without one as before',
  ),
};

export const MODIFIED = row<undefined>()({ success: truth('Always true', true, () => true) });

interface AskedChange {
  readonly triggerPrice: string;
  readonly workingType: ModifyTriggerOrder['workingPrice'];
  readonly price: string;
  readonly quantity: string;
}

type Change = Omit<ModifyTriggerOrder, 'kind' | 'accountId' | 'instrumentId' | 'orderId'>;

export function isNone(given: string): boolean {
  return given === '' || ZERO.test(given);
}

export function executionOf(fields: Fields, given: string, contract: Contract): TriggeredPrice {
  if (isNone(given)) return { type: 'market' };
  return { type: 'limit', executeTicks: readContractPrice(fields, given, contract) };
}

/** In the units of the contract, which only the order names; what is not given stays as it is. */
export function changeOf(contract: Contract, asked: AskedChange): Change | Refused {
  const fields = new Fields({});
  const { price, quantity, workingType: workingPrice } = asked;
  const triggerTicks = readContractPrice(fields, asked.triggerPrice, contract);
  const change: Change = {
    triggerTicks,
    ...(workingPrice !== undefined && { workingPrice }),
    ...(price !== '' && { execution: executionOf(fields, price, contract) }),
    ...(quantity !== '' && {
      sizeLots: ZERO.test(quantity) ? ZERO_LOTS : readContractSize(fields, quantity, contract),
    }),
  };
  return fields.fault ?? change;
}
