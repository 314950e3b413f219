/** Closing positions at the market, whole, and reversing one. */
import type { DataJson, Services, SignedCall } from '#api';
import {
  type AccountId,
  type Contract,
  type Event,
  HOLD_SIDES,
  type HoldSide,
  isRefused,
  type OrderId,
  type Refused,
  refuse,
  type VenuePort,
} from '#domain';
import { assert } from '#kernel';
import { settleInPieces } from '../kit/batch.ts';
import { type SignedEndpoint, strictEndpoint } from '../kit/endpoint.ts';
import { formatId } from '../kit/ids.ts';
import { optionalChoice, requiredChoice } from '../kit/request.ts';
import { id, jsonList, listedName, listOf, oneOf, orNull, row } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { heldSides } from './position-rows.ts';
import { failure } from './results.ts';
import { BASE, CONTRACT, CONTRACT_OR_ALL, SIDE_WORDS } from './terms.ts';

const RATE = { limit: 20, windowMs: 1_000 };

interface Closing {
  readonly contract: Contract;
  readonly side: HoldSide;
  readonly outcome: OrderId | Refused;
}

const CLOSED = row<Closing>()({
  symbol: listedName('Contract', 'BTC-USDT-PERP', ({ contract }) => contract.symbol),
  side: oneOf(HOLD_SIDES, 'Side of the position', 'long', ({ side }) => side),
  id: orNull(schema.id('Id'), 'Order that closes it; null for none', formatId(28), (closing) =>
    isRefused(closing.outcome) ? null : formatId(closing.outcome),
  ),
  error: failure('Why there is none; null where there is one', ({ outcome }) =>
    isRefused(outcome) ? outcome : undefined,
  ),
});

interface Reversal {
  readonly closedBy: OrderId;
  readonly openedBy: OrderId | undefined;
  readonly refused: Refused | undefined;
}

const REVERSED = row<Reversal>()({
  closedBy: id('Order that closes', formatId(28), ({ closedBy }) => formatId(closedBy)),
  openedBy: orNull(
    schema.id('Id'),
    'Order that opens as much on the other side; null where nothing was closed or it was refused',
    formatId(31),
    ({ openedBy }) => (openedBy === undefined ? null : formatId(openedBy)),
  ),
  error: failure(
    'Why nothing was opened, the position being closed: margin that its loss has eaten; else null',
    ({ refused }) => refused,
  ),
});

export const POSITION_ORDERS = {
  closePositions: strictEndpoint({
    method: 'POST',
    path: `${BASE}/positions/close`,
    rate: RATE,
    permission: 'trade',
    summary:
      'Close positions whole at the market: all, or those that fit what is given. Resting orders ' +
      'that would close them are cancelled. A part is closed by an order that is reduceOnly',
    request: {
      symbol: CONTRACT_OR_ALL,
      side: optionalChoice('Only this side', SIDE_WORDS, undefined),
    },
    response: listOf(CLOSED),
    example: { request: { symbol: 'BTC-USDT-PERP' } },
    answer: ({ venue }: Services, { symbol, side }, call) => closeAll(venue, symbol, side, call),
  }),
  reversePosition: strictEndpoint({
    method: 'POST',
    path: `${BASE}/positions/reverse`,
    rate: RATE,
    permission: 'trade',
    summary:
      'Close a position at the market and open as much on the other side, in one command: nobody ' +
      'trades in between',
    request: { symbol: CONTRACT, side: requiredChoice('Side of the position', SIDE_WORDS, 'long') },
    response: REVERSED,
    example: { request: { symbol: 'BTC-USDT-PERP', side: 'long' } },
    answer: ({ venue }: Services, { symbol: contract, side }, { accountId }) =>
      reverse(venue, contract, side, accountId),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

async function closeAll(
  venue: VenuePort,
  only: Contract | undefined,
  side: HoldSide | undefined,
  { accountId, caller }: SignedCall,
): Promise<DataJson | Refused> {
  const held = await venue.read(
    (state) =>
      heldSides(state, accountId).filter(
        (one) =>
          (only === undefined || one.contract === only) &&
          (side === undefined || one.position.side === side),
      ),
    accountId,
  );
  if (!caller.isLive) return refuse('credentials_wrong');
  const outcomes = await settleInPieces(venue, held, async ({ contract, position }) => {
    const { instrumentId } = contract;
    const facts = { accountId, instrumentId, side: position.side } as const;
    return closedBy(await venue.submit({ kind: 'close_position', ...facts }));
  });
  if (isRefused(outcomes)) return outcomes;
  const closings = held.map(({ contract, position }, at): Closing => {
    const outcome = outcomes[at];
    assert(outcome !== undefined, 'an outcome for each');
    return { contract, side: position.side, outcome };
  });
  return jsonList(closings, CLOSED.write);
}

/** The close is the first order of its command. */
function closedBy(events: readonly Event[]): OrderId | Refused {
  for (const event of events) {
    if (event.kind === 'refused') return event;
    if (event.kind === 'contract_order_accepted') return event.orderId;
  }
  throw new Error('a close is accepted or refused');
}

async function reverse(
  venue: VenuePort,
  { instrumentId }: Contract,
  side: HoldSide,
  accountId: AccountId,
): Promise<DataJson | Refused> {
  const facts = { accountId, instrumentId, side } as const;
  const events = await venue.submit({ kind: 'close_position', ...facts, reverses: true });
  const closing = closedBy(events);
  if (isRefused(closing)) return closing;
  let [openedBy, refused]: [OrderId | undefined, Refused | undefined] = [undefined, undefined];
  for (const event of events) {
    if (event.kind === 'contract_order_accepted' && event.reverses === closing) {
      openedBy = event.orderId;
    } else if (event.kind === 'reversal_refused' && event.orderId === closing) {
      refused = event.refused;
    }
  }
  return REVERSED.write({ closedBy: closing, openedBy, refused });
}
