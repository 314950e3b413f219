/** The fields of a new plan order and their reader. */
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Contract,
  closeOf,
  type HoldSide,
  isRefused,
  type Listings,
  type OrderType,
  openOf,
  type PlaceTriggerOrder,
  type Refused,
  type TpSlTerms,
  type WorkingPrice,
} from '#domain';
import { Fields } from '../kit/fields.ts';
import {
  type Field,
  optionalText,
  readByAnother,
  requestReader,
  requiredChoice,
  requiredText,
} from '../kit/request.ts';
import * as schema from '../kit/schema.ts';
import { readContracts } from './sizes.ts';
import { CLIENT_OID, ORDER_SIZE, ORDER_TYPES, readPrice } from './swap-new-order.ts';
import { CONTRACT, HOLD_SIDES } from './swap-terms.ts';
import { PRESET_TYPES, triggerType } from './trigger-types.ts';

const DIRECTIONS: ReadonlyMap<string, 'open' | 'close'> = new Map([
  ['1', 'open'],
  ['2', 'close'],
]);

/** holdSide or, as older clients call it, side. If both are given they must agree. */
export const HOLD_SIDE: Field<HoldSide> = {
  schema: schema.optional('1 long, 2 short', schema.choices(...HOLD_SIDES.keys())),
  read: (fields, name) => {
    const holdSide = fields.choice(name, HOLD_SIDES, undefined);
    const side = fields.choice('side', HOLD_SIDES, undefined);
    const found = holdSide ?? side;
    if (found === undefined) fields.missing(name);
    if (side !== undefined && side !== found) {
      fields.refuse('trigger_direction_mismatch', `${name} is ${found}, side is ${side}`);
    }
    return found ?? 'long';
  },
};

/** Some clients name it as in an ordinary order. */
const MATCH_TYPE: Field<OrderType> = {
  schema: schema.optional('0 limit (default), 1 market; also as match_price'),
  read: (fields, name) =>
    fields.choice(fields.text(name) === '' ? 'match_price' : name, ORDER_TYPES, 'limit'),
};

const EXECUTE_PRICE: Field<string> = {
  ...optionalText('Limit price of the order it places; ignored for a market order'),
  read: (fields, name) =>
    MATCH_TYPE.read(fields, 'match_type') === 'limit' ? fields.requiredText(name) : '',
};

/** In the order in which they are read. */
export const PLAN_FIELDS = {
  symbol: CONTRACT,
  type: requiredChoice('1 open, 2 close', DIRECTIONS, 'open'),
  holdSide: HOLD_SIDE,
  side: readByAnother(schema.optional('Same as holdSide, read when that is not given; deprecated')),
  match_type: MATCH_TYPE,
  size: ORDER_SIZE,
  trigger_price: requiredText('Price that triggers it'),
  execute_price: EXECUTE_PRICE,
  client_oid: CLIENT_OID,
  trigger_type: triggerType('Price that trigger_price looks at'),
  presetTakeProfitPrice: optionalText('Take-profit of what it opens, at market (an extension)'),
  presetStopLossPrice: optionalText('Stop-loss of what it opens, at market (an extension)'),
  ...PRESET_TYPES,
};

const readPlanFields = requestReader(PLAN_FIELDS);

/** The command of one new plan order. */
export function readPlanOrder(
  body: JsonObject,
  listings: Listings,
  accountId: AccountId,
): PlaceTriggerOrder | Refused {
  const asked = readPlanFields(body, listings);
  if (isRefused(asked)) return asked;
  const { symbol: contract, type: direction, holdSide, match_type: type } = asked;
  const fields = new Fields(body);
  const triggerTicks = readPrice(fields, 'trigger_price', asked.trigger_price, contract);
  const price =
    type === 'limit'
      ? { type, executeTicks: readPrice(fields, 'execute_price', asked.execute_price, contract) }
      : { type };
  const placed: PlaceTriggerOrder = {
    kind: 'place_trigger_order',
    accountId,
    instrumentId: contract.instrumentId,
    action: direction === 'open' ? openOf(holdSide) : closeOf(holdSide),
    ...price,
    triggerTicks,
    sizeLots: readContracts(fields, asked.size, contract),
    ...(asked.trigger_type !== undefined && { workingPrice: asked.trigger_type }),
    clientOrderId: asked.client_oid,
    ...presetsOf(fields, asked, contract),
  };
  return fields.fault ?? placed;
}

interface AskedPresets {
  readonly presetTakeProfitPrice: string;
  readonly presetStopLossPrice: string;
  readonly presetTakeProfitTriggerType: WorkingPrice | undefined;
  readonly presetStopLossTriggerType: WorkingPrice | undefined;
}

/** A price to look at without its trigger means nothing. */
function presetsOf(fields: Fields, asked: AskedPresets, contract: Contract): TpSlTerms {
  const { presetTakeProfitPrice: profit, presetStopLossPrice: loss } = asked;
  const takeProfitWorking = asked.presetTakeProfitTriggerType;
  const stopLossWorking = asked.presetStopLossTriggerType;
  return {
    ...(profit !== '' && {
      takeProfitTicks: readPrice(fields, 'presetTakeProfitPrice', profit, contract),
      ...(takeProfitWorking !== undefined && { takeProfitWorking }),
    }),
    ...(loss !== '' && {
      stopLossTicks: readPrice(fields, 'presetStopLossPrice', loss, contract),
      ...(stopLossWorking !== undefined && { stopLossWorking }),
    }),
  };
}
