/** Take-profit and stop-loss of positions that are held, and closing positions at market. */
import type { JsonObject, Services, SignedCall } from '#api';
import { refuseSaying } from '#api';
import {
  type AccountId,
  type Contract,
  isRefused,
  type Listings,
  type OrderId,
  type PlaceTpSl,
  type Refused,
  refuse,
  type TpSlPurpose,
  type VenuePort,
  ZERO_LOTS,
} from '#domain';
import { submit } from '../kit/carry-out.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { Fields, shown } from '../kit/fields.ts';
import { formatId } from '../kit/ids.ts';
import { optionalText, requestReader, requiredChoice, requiredText } from '../kit/request.ts';
import { ID_NUMBER, idNumber, jsonList, listOf, row, text, truth, whole } from '../kit/row.ts';
import { waitingOf } from './contract-algo.ts';
import { readContractPrice, readContractSize } from './contract-amounts.ts';
import {
  changeOf,
  EXECUTE_PRICE,
  executionOf,
  isNone,
  MODIFIED,
  TP_SL_CHANGE_FIELDS,
} from './contract-change-algo.ts';
import { CLIENT_ID, POSITION_SIDE, workingType } from './contract-new-order.ts';
import { contractOf } from './contract-order-reference.ts';
import { type Held, heldSides } from './contract-positions.ts';
import { CONTRACT, CONTRACT_BASE, CONTRACT_OR_ALL, EXAMPLE_SYMBOL } from './contract-terms.ts';
import { costs } from './costs.ts';
import { rejectText } from './rejects.ts';

const PURPOSES: ReadonlyMap<string, TpSlPurpose> = new Map([
  ['take_profit', 'take_profit'],
  ['stop_loss', 'stop_loss'],
]);

const TP_SL_FIELDS = {
  symbol: CONTRACT,
  clientAlgoId: CLIENT_ID,
  planType: requiredChoice('TAKE_PROFIT or STOP_LOSS', PURPOSES, 'stop_loss', [
    'TAKE_PROFIT',
    'STOP_LOSS',
  ]),
  triggerPrice: requiredText('Price that it waits for'),
  executePrice: EXECUTE_PRICE,
  quantity: optionalText('Base coin; 0, or none, for all that is held when it fires'),
  positionSide: POSITION_SIDE,
  triggerPriceType: workingType('Price that triggerPrice looks at'),
};

const readTpSlFields = requestReader(TP_SL_FIELDS);

function readTpSlOrder(
  input: JsonObject,
  listings: Listings,
  accountId: AccountId,
): PlaceTpSl | Refused {
  const asked = readTpSlFields(input, listings);
  if (isRefused(asked)) return asked;
  const { symbol: contract, quantity } = asked;
  const fields = new Fields(input);
  const order: PlaceTpSl = {
    kind: 'place_tp_sl',
    accountId,
    instrumentId: contract.instrumentId,
    side: asked.positionSide,
    purpose: asked.planType,
    triggerTicks: readContractPrice(fields, asked.triggerPrice, contract),
    ...executionOf(fields, asked.executePrice, contract),
    workingPrice: asked.triggerPriceType ?? 'last',
    sizeLots: isNone(quantity) ? ZERO_LOTS : readContractSize(fields, quantity, contract),
    clientOrderId: asked.clientAlgoId,
  };
  return fields.fault ?? order;
}

const TP_SL_PLACED = row<OrderId>()({
  success: truth('Always true', true, () => true),
  orderId: idNumber('Id of the take-profit or stop-loss', formatId),
  errorCode: text('Always empty', '', () => ''),
  errorMessage: text('Always empty', '', () => ''),
});

/** A position that was to be closed, and the order that does it. */
interface Closing {
  readonly held: Held;
  readonly outcome: OrderId | Refused;
}

const CLOSED = row<Closing>()({
  positionId: whole('The position', 12, ({ held }) => held.position.positionId),
  success: truth('Whether an order was placed', true, ({ outcome }) => !isRefused(outcome)),
  successOrderId: idNumber('The order; 0 for none', ({ outcome }) =>
    isRefused(outcome) ? '0' : formatId(outcome),
  ),
  errorMessage: text('Why there is none; empty otherwise', '', ({ outcome }) =>
    isRefused(outcome) ? rejectText(outcome, 'contract') : '',
  ),
});

async function close(venue: VenuePort, accountId: AccountId, held: Held): Promise<Closing> {
  const { side, contract } = held;
  const { instrumentId } = contract;
  const command = { kind: 'close_position', accountId, instrumentId, side } as const;
  const accepted = await submit(venue, 'contract_order_accepted', command);
  return { held, outcome: isRefused(accepted) ? accepted : accepted.orderId };
}

/** The positions that a call names; refused when it names one that is not there. */
async function heldOf(
  venue: VenuePort,
  contract: Contract | undefined,
  positionId: string,
  { accountId, caller }: SignedCall,
): Promise<readonly Held[] | Refused> {
  const held = await venue.read((state) => heldSides(state, accountId, contract), accountId);
  if (!caller.isLive) return refuse('credentials_wrong');
  if (positionId === '') return held;
  const named = held.filter(({ position }) => String(position.positionId) === positionId);
  if (named.length > 0) return named;
  return refuseSaying('parameter_invalid', `positionId ${shown(positionId)} is no position`);
}

const CHANGING = { method: 'POST', permission: 'trade' } as const;

export const CONTRACT_TP_SL = {
  placeTpSlOrder: signedEndpointReadBy(readTpSlOrder, {
    ...CHANGING,
    path: `${CONTRACT_BASE}/placeTpSlOrder`,
    ...costs(5, 1),
    summary: 'Put a take-profit or stop-loss on a position that is held',
    request: TP_SL_FIELDS,
    response: listOf(TP_SL_PLACED),
    example: {
      request: {
        symbol: EXAMPLE_SYMBOL,
        clientAlgoId: 'tp-7',
        planType: 'TAKE_PROFIT',
        triggerPrice: '33000',
        positionSide: 'LONG',
      },
    },
    answer: async ({ venue }: Services, command) => {
      const accepted = await submit(venue, 'trigger_order_accepted', command);
      if (isRefused(accepted)) return accepted;
      return jsonList([accepted.trigger.orderId], TP_SL_PLACED.write);
    },
  }),
  modifyTpSlOrder: signedEndpoint({
    ...CHANGING,
    path: `${CONTRACT_BASE}/modifyTpSlOrder`,
    ...costs(5),
    summary: 'Give a take-profit or stop-loss another trigger; it keeps its id',
    request: TP_SL_CHANGE_FIELDS,
    response: MODIFIED,
    example: { request: { orderId: String(ID_NUMBER), triggerPrice: '33500' } },
    answer: async ({ venue, live }: Services, asked, call) => {
      const waiting = await waitingOf(venue, asked.orderId, call);
      if (isRefused(waiting)) return waiting;
      const { accountId, instrumentId, orderId } = waiting;
      const { triggerPrice, triggerPriceType: workingType, executePrice: price } = asked;
      const change = { triggerPrice, workingType, price, quantity: '' };
      const changed = changeOf(contractOf(live.listings, instrumentId), change);
      if (isRefused(changed)) return changed;
      const order = { kind: 'modify_tp_sl', accountId, instrumentId, orderId } as const;
      const done = await submit(venue, 'trigger_order_modified', { ...order, ...changed });
      return isRefused(done) ? done : MODIFIED.write(undefined);
    },
  }),
  closePositions: signedEndpoint({
    ...CHANGING,
    path: `${CONTRACT_BASE}/closePositions`,
    ...costs(50, 1),
    summary: 'Close positions whole at market: one, those of a contract, or all',
    request: { symbol: CONTRACT_OR_ALL, positionId: optionalText('Only this position') },
    response: listOf(CLOSED),
    example: { request: { symbol: EXAMPLE_SYMBOL } },
    answer: async ({ venue }: Services, { symbol, positionId }, call) => {
      const held = await heldOf(venue, symbol, positionId, call);
      if (isRefused(held)) return held;
      const closings = await Promise.all(held.map((one) => close(venue, call.accountId, one)));
      return jsonList(closings, CLOSED.write);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
