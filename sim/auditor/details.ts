/**
 * What a refusal of a contract command is about beside its kind: the bound, the price, what is
 * needed and what there is. Worked out from the state that refused it.
 */
import type { Command, Contract, Detail } from '#domain';
import {
  type Asked,
  type Bounds,
  bestAgainst,
  closable,
  countedLots,
  judgedTicks,
  openingCostOf,
} from './admission.ts';
import {
  coin,
  contracts,
  count,
  figure,
  lacking,
  NOTHING,
  obstacle,
  price,
} from './detail-words.ts';
import { leverageDetail } from './leverage.ts';
import { tierIndex } from './margin.ts';
import {
  bookSide,
  type ContractBook,
  holdSide,
  isOpening,
  type Model,
  type Seat,
} from './model.ts';
import { asNew, seatIn } from './placed.ts';
import { workingTicks } from './prices.ts';
import { removable } from './settings.ts';
import { liquidationTicks } from './shown.ts';
import type { OfContract } from './trigger-admission.ts';

/** What is known of a contract command that was refused; undefined where that is not worked out. */
export function contractDetail(model: Model, command: Command, reject: string): Detail | undefined {
  if (!('accountId' in command) || !('instrumentId' in command)) return undefined;
  const book = model.contracts.get(command.instrumentId);
  if (/^(account_unknown|account_frozen|contract_unknown|order_unknown)$/.test(reject)) {
    return NOTHING;
  }
  if (book === undefined) return undefined;
  const seat = seatIn(model, command.accountId)(book);
  switch (command.kind) {
    case 'place_contract_order':
      return orderDetail(model, book, seat, command, book.terms, reject);
    case 'move_contract_order':
      return moveDetail(model, book, command, reject);
    case 'place_trigger_order':
    case 'place_tp_sl':
    case 'modify_tp_sl':
    case 'modify_trigger_order':
    case 'close_position':
    case 'cancel_contract_order':
    case 'cancel_trigger_order':
      return triggerDetail(book, seat, command, reject);
    case 'set_leverage':
      return statusDetail(book, reject) ?? leverageDetail(model, book, seat, command, reject);
    case 'adjust_margin':
      return statusDetail(book, reject) ?? adjustDetail(model, book, seat, command, reject);
    case 'set_margin_mode':
    case 'set_auto_margin':
      return statusDetail(book, reject) ?? NOTHING;
    default:
      return undefined;
  }
}

/** What is known of the opening of a reversal that was refused. */
export function openingRefusedDetail(
  model: Model,
  book: ContractBook,
  asked: Asked,
  reject: string,
): Detail | undefined {
  const seat = seatIn(model, asked.accountId)(book);
  return orderDetail(model, book, seat, asked, book.terms, reject);
}

/** A contract that is not in trade is named; over a stale index it says so. */
function statusDetail({ terms }: ContractBook, reject: string): Detail | undefined {
  if (!/^contract_(suspended|delisted|halted)$/.test(reject)) return undefined;
  if (reject === 'contract_halted' && terms.status === 'online') return obstacle('index_stale');
  return { is: 'market', symbol: terms.symbol };
}

function idDetail(id: string | undefined): Detail {
  return { is: 'id', id: id ?? '' };
}

type Move = Extract<Command, { kind: 'move_contract_order' }>;

function moveDetail(
  model: Model,
  book: ContractBook,
  command: Move,
  reject: string,
): Detail | undefined {
  const order = book.orders.find(({ orderId }) => orderId === command.orderId);
  if (order === undefined || command.sizeLots <= order.filledLots) return NOTHING;
  const { left, asked, bounds, without } = asNew(model, book, order, command);
  const seat = seatIn(left, command.accountId)(without);
  return orderDetail(left, without, seat, asked, bounds, reject);
}

function orderDetail(
  model: Model,
  book: ContractBook,
  seat: Seat,
  asked: Asked,
  { minLots, maxLots }: Bounds,
  reject: string,
): Detail | undefined {
  const { terms, prices } = book;
  const known = statusDetail(book, reject) ?? presetDetail(book, asked, reject);
  if (known !== undefined) return known;
  switch (reject) {
    case 'quantity_invalid':
      return NOTHING;
    case 'quantity_below_minimum':
      return figure('at_least', contracts(terms, minLots));
    case 'quantity_above_maximum':
      if (asked.sizeLots <= maxLots) return obstacle('no_room_at_price');
      return figure('at_most', contracts(terms, maxLots));
    case 'price_invalid':
      return limitDetail(book, asked);
    case 'price_above_band':
      return figure('at_most', price(terms, prices?.highestTicks ?? 0));
    case 'price_below_band':
      return figure('at_least', price(terms, prices?.lowestTicks ?? 0));
    case 'contract_client_id_in_use':
      return idDetail(asked.clientOrderId);
    case 'contract_orders_exceeded':
      return figure('at_most', count(terms.openOrdersMax));
    case 'no_opposite_depth':
      return depthDetail(book, asked.action);
    default:
      return isOpening(asked.action)
        ? openingDetail(model, book, seat, asked, reject)
        : closingDetail(model, book, seat, asked, reject);
  }
}

/** A limit that is no price has nothing more to it; one of a preset is said to be of one. */
function limitDetail({ terms }: ContractBook, asked: Asked): Detail {
  if (asked.type === 'limit') {
    if (asked.priceTicks <= 0) return NOTHING;
    if (asked.priceTicks % terms.priceStepTicks !== 0) return stepDetail(terms);
  }
  return obstacle('tp_sl_between_steps');
}

function stepDetail(terms: Contract): Detail {
  return figure('price_step', price(terms, terms.priceStepTicks));
}

function presetDetail(book: ContractBook, asked: Asked, reject: string): Detail | undefined {
  if (reject === 'tp_sl_exceeded') return figure('at_most', count(book.terms.tpSlMax));
  if (reject === 'parameter_invalid') return obstacle('tp_sl_on_closing');
  const isProfit = reject.startsWith('take_profit_');
  if (!isProfit && !reject.startsWith('stop_loss_')) return undefined;
  const working = isProfit ? asked.takeProfitWorking : asked.stopLossWorking;
  const current = workingTicks(book, working);
  const own = asked.type === 'limit' ? asked.priceTicks : current;
  const against = reject.endsWith('_order') ? own : current;
  return figure('against', price(book.terms, against));
}

function depthDetail(book: ContractBook, action: Asked['action']): Detail {
  const isEmpty = bestAgainst(book, bookSide(action)) === undefined;
  return isEmpty ? NOTHING : obstacle('best_price_outside_band');
}

function openingDetail(
  model: Model,
  book: ContractBook,
  seat: Seat,
  asked: Asked,
  reject: string,
): Detail | undefined {
  const { terms } = book;
  if (reject === 'openable_exceeded') {
    const size = countedLots(book, seat, holdSide(asked.action)) + asked.sizeLots;
    const isIn = terms.tiers.some(({ contractsMax }) => size <= contractsMax);
    const tier = isIn ? terms.tiers[tierIndex(book, size)] : undefined;
    const leverageMax = Math.min(terms.leverageMax, tier?.leverageMax ?? 0);
    return { is: 'tier', size: contracts(terms, size), leverageMax };
  }
  if (reject === 'margin_insufficient') {
    return lacking(model, book, seat, openingCostOf(model, book, seat, asked));
  }
  if (reject !== 'opens_into_liquidation') return undefined;
  return figure('at', price(terms, judgedTicks(book, asked)));
}

function closingDetail(
  model: Model,
  book: ContractBook,
  seat: Seat,
  { action }: Asked,
  reject: string,
): Detail | undefined {
  if (reject === 'close_exceeds_position') {
    return figure('closable', contracts(book.terms, closable(book, seat, action)));
  }
  if (!/^close_(long|short)_beyond_liquidation$/.test(reject)) return undefined;
  const ticks = liquidationTicks(model, book, seat, holdSide(action));
  return ticks === undefined ? undefined : figure('against', price(book.terms, ticks));
}

type Adjust = Extract<Command, { kind: 'adjust_margin' }>;

function adjustDetail(
  model: Model,
  book: ContractBook,
  seat: Seat,
  { side, delta }: Adjust,
  reject: string,
): Detail {
  if (reject === 'margin_insufficient') return lacking(model, book, seat, delta);
  if (reject !== 'margin_removal_exceeded') return NOTHING;
  return figure('at_most', coin(book.terms.margin, removable(book, seat, side)));
}

function triggerDetail(
  book: ContractBook,
  seat: Seat,
  command: OfContract,
  reject: string,
): Detail | undefined {
  const known = statusDetail(book, reject);
  if (known !== undefined) return known;
  switch (command.kind) {
    case 'place_trigger_order':
      return planDetail(book, command, reject);
    case 'place_tp_sl':
      return tpSlDetail(book, seat, command, reject);
    case 'modify_tp_sl':
    case 'modify_trigger_order':
      return modifyDetail(book, seat, command, reject);
    case 'close_position':
      if (reject === 'quantity_above_maximum') {
        return figure('at_most', contracts(book.terms, book.terms.maxLots));
      }
      if (reject !== 'no_opposite_depth') return obstacle('no_position');
      return depthDetail(book, command.side === 'long' ? 'close_long' : 'close_short');
    default:
      return undefined;
  }
}

type Modify = Extract<Command, { kind: 'modify_tp_sl' | 'modify_trigger_order' }>;

function modifyDetail(
  book: ContractBook,
  seat: Seat,
  command: Modify,
  reject: string,
): Detail | undefined {
  const { terms } = book;
  const known = book.triggers.get(command.orderId);
  if (known === undefined) return undefined;
  const { view, parentId } = known;
  const { triggerTicks, execution = view } = command;
  switch (reject) {
    case 'order_state_wrong':
      return parentId !== undefined && !known.reached ? obstacle('grows_with_order') : NOTHING;
    case 'trigger_direction_mismatch':
    case 'quantity_invalid':
    case 'quantity_below_minimum':
      return NOTHING;
    case 'quantity_above_maximum':
      if (view.purpose === 'trigger') return NOTHING;
      return figure('at_most', contracts(terms, terms.maxLots));
    case 'close_exceeds_position': {
      const { lots } = seat[holdSide(view.action)];
      return lots === 0 ? obstacle('no_position') : figure('closable', contracts(terms, lots));
    }
    case 'price_invalid':
      return stepDetail(terms);
    default: {
      if (!/_(order|price)$/.test(reject)) return undefined;
      const own = execution.type === 'limit' ? execution.executeTicks : triggerTicks;
      const current = workingTicks(book, command.workingPrice ?? view.workingPrice);
      return figure('against', price(terms, reject.endsWith('_order') ? own : current));
    }
  }
}

type Plan = Extract<Command, { kind: 'place_trigger_order' }>;

function planDetail(book: ContractBook, command: Plan, reject: string): Detail | undefined {
  const { terms } = book;
  const step = terms.priceStepTicks;
  const execute = command.type === 'limit' ? command.executeTicks : step;
  switch (reject) {
    case 'contract_client_id_in_use':
      return idDetail(command.clientOrderId);
    case 'trigger_orders_exceeded':
      return figure('at_most', count(terms.triggerOrdersMax));
    case 'close_exceeds_position':
      return obstacle('no_position');
    case 'parameter_invalid':
      return obstacle('tp_sl_on_closing');
    case 'price_invalid':
      if (command.triggerTicks <= 0 || command.triggerTicks % step !== 0) return stepDetail(terms);
      if (execute <= 0) return NOTHING;
      return execute % step === 0 ? obstacle('tp_sl_between_steps') : stepDetail(terms);
    default: {
      if (!/_(order|price)$/.test(reject)) return NOTHING;
      const own = command.type === 'limit' ? command.executeTicks : command.triggerTicks;
      const isOwn = reject.endsWith('_order');
      const against = isOwn ? own : workingTicks(book, command.workingPrice);
      return figure('against', price(terms, against));
    }
  }
}

type TpSl = Extract<Command, { kind: 'place_tp_sl' }>;

function tpSlDetail(book: ContractBook, seat: Seat, command: TpSl, reject: string): Detail {
  const { terms } = book;
  const { lots } = seat[command.side];
  switch (reject) {
    case 'close_exceeds_position':
      return lots === 0 ? obstacle('no_position') : figure('closable', contracts(terms, lots));
    case 'quantity_invalid':
      return NOTHING;
    case 'quantity_above_maximum':
      return figure('at_most', contracts(terms, terms.maxLots));
    case 'price_invalid':
      return stepDetail(terms);
    case 'contract_client_id_in_use':
      return idDetail(command.clientOrderId);
    case 'tp_sl_exceeded':
      return figure('at_most', count(terms.tpSlMax));
    default:
      return figure('against', price(terms, workingTicks(book, command.workingPrice)));
  }
}
