/**
 * What this venue has beyond the contract for what waits for a price: another trigger for a plan
 * order or preset, which keeps its id, and presets of a position that is held.
 */
import type { JsonObject, Services } from '#api';
import {
  type AccountId,
  type Contract,
  isRefused,
  type Listings,
  type Lots,
  type ModifyTriggerOrder,
  type PlaceTpSl,
  type Refused,
  refuse,
  type TpSlPurpose,
  type TriggeredPrice,
  ZERO_LOTS,
} from '#domain';
import { submit } from '../kit/carry-out.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { Fields } from '../kit/fields.ts';
import { optionalText, requestReader, requiredChoice, requiredText } from '../kit/request.ts';
import { readContracts } from './sizes.ts';
import { CLIENT_OID, readPrice } from './swap-new-order.ts';
import { HOLD_SIDE } from './swap-new-plan.ts';
import { EXAMPLE_REFERENCE, ORDER_REFERENCE } from './swap-orders.ts';
import { BASE, CONTRACT, SYMBOL } from './swap-terms.ts';
import { PLACED, TRADE } from './swap-trade.ts';
import { whyNoPlan } from './swap-triggers.ts';
import { triggerType } from './trigger-types.ts';

const PURPOSES: ReadonlyMap<string, TpSlPurpose> = new Map([
  ['take_profit', 'take_profit'],
  ['stop_loss', 'stop_loss'],
]);

const ZERO = /^0+(\.0+)?$/;

const EXECUTE = 'Limit price of the order it places, or 0 for market';
const TRIGGER_PRICE = requiredText('Price that triggers it');
const TRIGGER_TYPE = triggerType('Price that trigger_price looks at');

const PRESET_FIELDS = {
  symbol: CONTRACT,
  holdSide: HOLD_SIDE,
  preset_type: requiredChoice('take_profit or stop_loss', PURPOSES, 'stop_loss'),
  trigger_price: TRIGGER_PRICE,
  trigger_type: TRIGGER_TYPE,
  execute_price: optionalText(`${EXECUTE}, which is the default`),
  size: optionalText('Contracts; 0, or none, for all that is held when it fires'),
  client_oid: CLIENT_OID,
};

const readPresetFields = requestReader(PRESET_FIELDS);

function readPreset(
  body: JsonObject,
  listings: Listings,
  accountId: AccountId,
): PlaceTpSl | Refused {
  const asked = readPresetFields(body, listings);
  if (isRefused(asked)) return asked;
  const { symbol: contract } = asked;
  const fields = new Fields(body);
  const placed: PlaceTpSl = {
    kind: 'place_tp_sl',
    accountId,
    instrumentId: contract.instrumentId,
    side: asked.holdSide,
    purpose: asked.preset_type,
    triggerTicks: readPrice(fields, 'trigger_price', asked.trigger_price, contract),
    ...executionOf(fields, asked.execute_price, contract),
    workingPrice: asked.trigger_type ?? 'last',
    sizeLots: sizeOf(fields, asked.size, contract),
    clientOrderId: asked.client_oid,
  };
  return fields.fault ?? placed;
}

function executionOf(fields: Fields, given: string, contract: Contract): TriggeredPrice {
  if (given === '' || ZERO.test(given)) return { type: 'market' };
  return { type: 'limit', executeTicks: readPrice(fields, 'execute_price', given, contract) };
}

function sizeOf(fields: Fields, given: string, contract: Contract): Lots {
  return given === '' || ZERO.test(given) ? ZERO_LOTS : readContracts(fields, given, contract);
}

const MOVE_FIELDS = {
  symbol: CONTRACT,
  orderId: ORDER_REFERENCE,
  trigger_price: TRIGGER_PRICE,
  trigger_type: TRIGGER_TYPE,
  execute_price: optionalText(`${EXECUTE}; without one as before`),
  size: optionalText('Contracts, 0 of a preset for all that is held; without one as before'),
};

type Change = Omit<ModifyTriggerOrder, 'kind' | 'accountId' | 'instrumentId' | 'orderId'>;

/** Each that is not given stays as it is. */
interface AskedChange {
  readonly trigger_price: string;
  readonly trigger_type: ModifyTriggerOrder['workingPrice'];
  readonly execute_price: string;
  readonly size: string;
}

function changeOf(asked: AskedChange, contract: Contract): Change | Refused {
  const fields = new Fields({});
  const { execute_price: price, size, trigger_type: workingPrice } = asked;
  const change: Change = {
    triggerTicks: readPrice(fields, 'trigger_price', asked.trigger_price, contract),
    ...(workingPrice !== undefined && { workingPrice }),
    ...(price !== '' && { execution: executionOf(fields, price, contract) }),
    ...(size !== '' && { sizeLots: sizeOf(fields, size, contract) }),
  };
  return fields.fault ?? change;
}

export const SWAP_TRIGGER_MOVES = {
  movePlan: signedEndpoint({
    ...TRADE,
    path: `${BASE}/order/movePlan`,
    summary:
      'Give a plan order or preset another trigger, price or size; it keeps its id and waits in ' +
      'the same direction (not in the contract: an extension)',
    request: MOVE_FIELDS,
    response: PLACED,
    example: { request: { ...EXAMPLE_REFERENCE, trigger_price: '36500' } },
    answer: async (services: Services, asked, { accountId }) => {
      const { symbol: contract, orderId: reference } = asked;
      const change = changeOf(asked, contract);
      if (isRefused(change)) return change;
      const { orderId } = reference;
      if (orderId === undefined) return refuse('order_unknown');
      const { instrumentId } = contract;
      const order = { kind: 'modify_trigger_order', accountId, instrumentId, orderId } as const;
      const done = await submit(services.venue, 'trigger_order_modified', { ...order, ...change });
      if (!isRefused(done)) return PLACED.write(done.trigger);
      return whyNoPlan(services, order, done);
    },
  }),
  placePreset: signedEndpointReadBy(readPreset, {
    ...TRADE,
    path: `${BASE}/position/placePreset`,
    summary:
      'Put a take-profit or stop-loss on a position that is held ' +
      '(not in the contract: an extension)',
    request: PRESET_FIELDS,
    response: PLACED,
    example: {
      request: {
        symbol: SYMBOL,
        holdSide: '1',
        preset_type: 'take_profit',
        trigger_price: '36500',
        trigger_type: 'index',
      },
    },
    answer: async ({ venue }: Services, command) => {
      const placed = await submit(venue, 'trigger_order_accepted', command);
      return isRefused(placed) ? placed : PLACED.write(placed.trigger);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
