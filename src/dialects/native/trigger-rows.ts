/** Trigger orders, take-profits and stop-losses, waiting or over, as one kind of row. */
import {
  type Contract,
  isOpen,
  type Lots,
  type OrderId,
  sideOf,
  type Ticks,
  type TriggerOrderView,
  type TriggerPurpose,
  type TriggerStatus,
  WORKING_PRICES,
  type WorkingPrice,
  ZERO_LOTS,
} from '#domain';
import { priceText } from '../kit/amounts.ts';
import { TIME_MS } from '../kit/examples.ts';
import { formatId } from '../kit/ids.ts';
import { decimal, id, nullOr, oneOf, orNull, row, text, truth, whole } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { SYMBOL, sizeText } from './terms.ts';

/** What became of one that waits no more. */
interface End {
  readonly status: TriggerStatus;
  /** Empty where the status says it all. */
  readonly reason: string;
  readonly placedOrderId: OrderId | undefined;
  readonly updatedTimeMs: number;
}

export interface ShownTrigger {
  readonly market: Contract;
  readonly trigger: TriggerOrderView;
  /** Undefined while it waits. */
  readonly end?: End | undefined;
  /** Of the order that it placed. */
  readonly filledLots?: Lots | undefined;
}

const STATUSES: readonly TriggerStatus[] = ['waiting', 'triggered', 'failed', 'cancelled'];
const PURPOSES: readonly TriggerPurpose[] = ['trigger', 'take_profit', 'stop_loss'];

/** A price, or null for none. */
function priceOrNull(
  description: string,
  example: string | null,
  of: (trigger: TriggerOrderView) => Ticks | undefined,
) {
  return orNull<ShownTrigger>(
    schema.decimal('Price'),
    description,
    example,
    ({ market, trigger }) => {
      const price = of(trigger);
      return price === undefined ? null : priceText(price, market);
    },
  );
}

/** The price that a take-profit or stop-loss looks at; null where there is none. */
function workingOrNull(
  name: string,
  example: WorkingPrice | null,
  of: (trigger: TriggerOrderView) => readonly [Ticks | undefined, string | undefined],
) {
  return orNull<ShownTrigger>(
    schema.oneOf(WORKING_PRICES, 'Price'),
    `Price that ${name} looks at; null without one`,
    example,
    ({ trigger }) => {
      const [price, working = 'last'] = of(trigger);
      return price === undefined ? null : working;
    },
  );
}

export const TRIGGER = row<ShownTrigger>()({
  id: id('Trigger', formatId(28), ({ trigger }) => formatId(trigger.orderId)),
  clientId: nullOr(
    'Id chosen by the client; null for none',
    text<ShownTrigger>('Client id', 'breakout-7', ({ trigger }) => trigger.clientOrderId ?? ''),
    ({ trigger }) => trigger.clientOrderId === undefined,
  ),
  symbol: SYMBOL,
  side: oneOf(['buy', 'sell'], 'Side', 'buy', ({ trigger }) => sideOf(trigger.action)),
  reduceOnly: truth('Whether it closes', false, ({ trigger }) => !isOpen(trigger.action)),
  purpose: oneOf(
    PURPOSES,
    'take_profit and stop_loss end with the position, trigger waits on without one',
    'trigger',
    ({ trigger }) => trigger.purpose,
  ),
  trigger: decimal('Price that it waits for', '36000.0', ({ market, trigger }) =>
    priceText(trigger.triggerTicks, market),
  ),
  triggerBy: oneOf(
    WORKING_PRICES,
    'Price that trigger looks at',
    'last',
    ({ trigger }) => trigger.workingPrice ?? 'last',
  ),
  direction: oneOf(
    ['rise', 'fall'],
    'Which way that price has to go',
    'rise',
    ({ trigger }) => trigger.direction,
  ),
  type: oneOf(
    ['limit', 'market'],
    'Type of the order that it places',
    'limit',
    ({ trigger }) => trigger.type,
  ),
  price: priceOrNull('Its limit price; null of a market order', '36050.0', (trigger) =>
    trigger.type === 'limit' ? trigger.executeTicks : undefined,
  ),
  size: nullOr(
    'Contracts; null for whatever is held when it fires',
    decimal<ShownTrigger>('Size', '10', ({ market, trigger }) =>
      sizeText(trigger.sizeLots, market),
    ),
    ({ trigger }) => trigger.sizeLots === 0,
  ),
  takeProfit: priceOrNull(
    'Take-profit of what it opens; null without one',
    null,
    ({ takeProfitTicks }) => takeProfitTicks,
  ),
  takeProfitBy: workingOrNull('takeProfit', null, ({ takeProfitTicks, takeProfitWorking }) => [
    takeProfitTicks,
    takeProfitWorking,
  ]),
  stopLoss: priceOrNull(
    'Stop-loss of what it opens; null without one',
    '35000.0',
    ({ stopLossTicks }) => stopLossTicks,
  ),
  stopLossBy: workingOrNull('stopLoss', 'last', ({ stopLossTicks, stopLossWorking }) => [
    stopLossTicks,
    stopLossWorking,
  ]),
  status: oneOf(
    STATUSES,
    'waiting, or what became of it: triggered has placed its order, failed could not',
    'waiting',
    ({ end }) => end?.status ?? 'waiting',
  ),
  reason: orNull(
    schema.text('Why'),
    'Why it failed or was cancelled; null otherwise',
    null,
    ({ end }) => (end === undefined || end.reason === '' ? null : end.reason),
  ),
  order: orNull(schema.id('Order'), 'Order that it placed; null for none', null, ({ end }) =>
    end?.placedOrderId === undefined ? null : formatId(end.placedOrderId),
  ),
  filled: decimal('Filled of that order', '0', ({ market, filledLots = ZERO_LOTS }) =>
    sizeText(filledLots, market),
  ),
  time: whole(
    'When it was placed, in Unix milliseconds',
    TIME_MS,
    ({ trigger }) => trigger.createdTimeMs,
  ),
  closedTime: nullOr(
    'When it fired, failed or was cancelled; null while it waits',
    whole<ShownTrigger>('When', TIME_MS, ({ end }) => end?.updatedTimeMs ?? 0),
    ({ end }) => end === undefined,
  ),
});
