/** Another trigger, price or size for what waits: the fields, and what they mean. */
import {
  type Contract,
  type Lots,
  type ModifyTriggerOrder,
  type OrderType,
  type Refused,
  type TriggeredPrice,
  type TriggerOrderView,
  type WorkingPrice,
  ZERO_LOTS,
} from '#domain';
import { strictReader } from '../kit/endpoint.ts';
import { Fields } from '../kit/fields.ts';
import { optionalChoice, optionalText } from '../kit/request.ts';
import { conflict, readPrice, readSize } from './amounts.ts';
import { executionOf } from './new-trigger.ts';
import { triggerPriceOf } from './tp-sl.ts';

/** As a size: whatever is held when it fires. */
const ALL = 'all';

const TYPES: ReadonlyMap<string, OrderType | undefined> = new Map([
  ['limit', 'limit'],
  ['market', 'market'],
]);

export const TRIGGER_CHANGE_FIELDS = {
  trigger: optionalText('Price that it waits for, further on in the same direction'),
  triggerBy: triggerPriceOf('Price that trigger looks at'),
  type: optionalChoice<OrderType | undefined>('Of the order that it places', TYPES, undefined),
  price: optionalText('Of a limit order'),
  size: optionalText(
    `Contracts; of one that closes also ${ALL}, for whatever is held when it fires`,
  ),
};

export interface AskedChange {
  readonly trigger: string;
  readonly triggerBy: WorkingPrice | undefined;
  readonly type: OrderType | undefined;
  readonly price: string;
  readonly size: string;
}

export const readTriggerChange = strictReader(TRIGGER_CHANGE_FIELDS);

type Change = Pick<ModifyTriggerOrder, 'triggerTicks' | 'workingPrice' | 'execution' | 'sizeLots'>;

/** Undefined where nothing is to change; what is left out stays as it is. */
export function changeOf(
  asked: AskedChange,
  waiting: TriggerOrderView,
  contract: Contract,
): Change | Refused | undefined {
  const { trigger, triggerBy: workingPrice, type, price, size } = asked;
  if (`${trigger}${price}${size}` === '' && (workingPrice ?? type) === undefined) return undefined;
  const fields = new Fields({});
  const change: Change = {
    triggerTicks:
      trigger === '' ? waiting.triggerTicks : readPrice(fields, 'trigger', trigger, contract),
    ...(workingPrice !== undefined && { workingPrice }),
    ...((type !== undefined || price !== '') && {
      execution: newExecution(fields, asked, waiting, contract),
    }),
    ...(size !== '' && { sizeLots: newSize(fields, size, waiting, contract) }),
  };
  return fields.fault ?? change;
}

function newExecution(
  fields: Fields,
  { type: asked, price }: AskedChange,
  waiting: TriggerOrderView,
  contract: Contract,
): TriggeredPrice {
  const type = asked ?? waiting.type;
  if (type === 'market') {
    if (price !== '') conflict(fields, 'price', 'a market order');
    return { type };
  }
  if (price !== '') return executionOf(fields, { type, price }, contract);
  if (waiting.type === 'limit') return { type, executeTicks: waiting.executeTicks };
  fields.missing('price');
  return { type: 'market' };
}

function newSize(
  fields: Fields,
  size: string,
  { purpose }: TriggerOrderView,
  contract: Contract,
): Lots {
  if (size.toLowerCase() !== ALL) return readSize(fields, size, contract);
  if (purpose === 'trigger') conflict(fields, `size ${ALL}`, 'what does not end with a position');
  return ZERO_LOTS;
}
