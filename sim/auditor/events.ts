/** What each event does to the model, and what it must say at that moment. */
import type {
  Asset,
  BalanceChanged,
  Command,
  Contract,
  ContractSettingsChanged,
  Event,
  Liquidated,
  SpotInstrument,
} from '#domain';
import * as budget from './budget.ts';
import * as closing from './closing.ts';
import * as trades from './contract-trade.ts';
import * as funding from './funding.ts';
import { nextFunding } from './funding-times.ts';
import { must, mustBe } from './judge.ts';
import { settingsAfter } from './leverage.ts';
import { entryMargin, SIDES } from './margin.ts';
import {
  addTo,
  type ContractBook,
  type Model,
  marginWalletName,
  type Seat,
  walletOf,
} from './model.ts';
import { noteOid } from './money.ts';
import { placed } from './placed.ts';
import * as presets from './presets.ts';
import * as prices from './prices.ts';
import * as reversing from './reversing.ts';
import * as spot from './spot.ts';
import * as steps from './steps.ts';
import * as triggers from './triggers.ts';
import type { Turn } from './turn.ts';
import * as waves from './waves.ts';
import * as working from './working.ts';

const FINE_DIGITS = { linear: 12n, inverse: 24n } as const;

export function applyEvent(model: Model, turn: Turn, event: Event): void {
  prices.begin(model, turn, event);
  switch (event.kind) {
    case 'asset_listed':
      mustBe('listing', 'number of a coin', event.asset.assetId, model.assets.length);
      model.assets.push(event.asset);
      model.budgets.push(budget.unbegun());
      model.totals.push({ deposited: 0n, withdrawn: 0n, fees: 0n, insurance: 0n });
      return;
    case 'asset_updated':
      updateAsset(model, turn, event.asset);
      return;
    case 'spot_listed':
      mustBe('listing', 'number of a pair', event.instrument.instrumentId, model.instrumentsCount);
      model.instrumentsCount += 1;
      model.pairs.set(event.instrument.instrumentId, {
        terms: event.instrument,
        lastTicks: 0,
        orders: [],
        working: undefined,
      });
      return;
    case 'spot_updated':
      updatePair(model, turn, event.instrument);
      return;
    case 'account_created':
      mustBe('account', 'number of an account', event.accountId, model.accounts.size + 1);
      model.accounts.set(event.accountId, event.settings);
      return;
    case 'account_updated':
      model.accounts.set(event.accountId, event.settings);
      return;
    case 'key_created':
      model.keys.set(event.record.key, event.record.accountId);
      return;
    case 'key_revoked':
      must(model.keys.delete(event.key), 'key', () => `${event.key} was not there`);
      return;
    case 'insurance_funded':
      fundInsurance(model, event.assetId, event.amount);
      if (turn.command.kind === 'fund_insurance') noteOid(model, turn.command, turn.timeMs);
      return;
    case 'order_closed':
      spotEnded(model, turn, event);
      return;
    default:
      applyContractEvent(model, turn, event);
  }
}

/** What a coin is now goes for all that show it: nothing but its terms has changed. */
function updateAsset(model: Model, { command }: Turn, asset: Asset): void {
  const listed = model.assets[asset.assetId];
  must(listed !== undefined, 'listing', () => `coin ${asset.assetId} is not listed`);
  must(command.kind === 'update_asset', 'listing', () => `${command.kind} changes a coin`);
  mustBe('listing', `coin ${asset.assetId}`, asset, { ...listed, ...command.changes });
  model.assets[asset.assetId] = asset;
}

/** What the operator changes, or a fault, and not a word more: the rest is as it was shown. */
function changedTerms<Terms extends SpotInstrument | Contract>(
  { command }: Turn,
  { suspendedReason, ...terms }: Terms,
): object {
  if (command.kind === 'suspend_instrument') {
    return { ...terms, status: 'suspended', suspendedReason: command.reason };
  }
  const isUpdate = command.kind === 'update_spot' || command.kind === 'update_contract';
  must(isUpdate, 'listing', () => `${command.kind} changes terms`);
  const changed = { ...terms, ...command.changes };
  return changed.status === 'suspended' ? { ...changed, suspendedReason } : changed;
}

function updatePair(model: Model, turn: Turn, terms: SpotInstrument): void {
  const { instrumentId } = terms;
  const pair = model.pairs.get(instrumentId);
  must(pair !== undefined, 'listing', () => `pair ${instrumentId} is not listed`);
  mustBe('listing', `pair ${instrumentId}`, terms, changedTerms(turn, pair.terms));
  // What the operator says a pair is worth counts until the next trade.
  if (terms.referencePriceTicks !== pair.terms.referencePriceTicks) pair.lastTicks = 0;
  pair.terms = terms;
}

function fundInsurance(model: Model, assetId: number, amount: bigint): void {
  const totals = model.totals[assetId];
  must(totals !== undefined && amount > 0n, 'insurance', () => `${amount} of coin ${assetId}`);
  totals.deposited += amount;
  totals.insurance += amount;
  budget.added(model, assetId, amount);
}

/** The operator's cancels come outside the answer to a command of the owner. */
function spotEnded(
  model: Model,
  turn: Turn,
  event: Extract<Event, { kind: 'order_closed' }>,
): void {
  const { order, reason } = event;
  const pair = model.pairs.get(order.instrumentId);
  if (pair?.working?.order.orderId === order.orderId) {
    mustBe('order', 'why an order that goes on ends', reason, 'market_halted');
    must(
      pair.terms.status !== 'online',
      'order',
      () => 'an order ends for a halt and there is none',
    );
    const ended = spot.end(model, pair, pair.working.order, reason, turn.timeMs, 0);
    pair.working = undefined;
    mustBe('order', 'an order of a halted pair', event, ended);
    return;
  }
  const found = pair?.orders.find(({ orderId }) => orderId === order.orderId);
  must(pair !== undefined && found !== undefined, 'order', () => `${order.orderId} is not open`);
  mustBe('order', 'why an order ends by itself', reason, 'cancelled_by_operator');
  const expected = spot.end(model, pair, found, reason, turn.timeMs);
  mustBe('order', 'a cancelled order', event, expected);
}

function applyContractEvent(model: Model, turn: Turn, event: Event): void {
  const book = trades.bookOf(model, event);
  if (event.kind === 'contract_listed') list(model, turn, event.contract);
  else if (event.kind === 'contract_updated') update(model, turn, event.contract);
  else if (event.kind === 'contract_priced') priced(model, turn, event);
  else if (event.kind === 'contract_order_moved' || event.kind === 'contract_order_closed') {
    const found = model.contracts.get(event.order.instrumentId);
    must(found !== undefined, 'listing', () => 'an order of no contract');
    waves.noteDeed(model, turn, found, event);
    turn.touch(event.order.instrumentId, event.order.accountId);
    if (event.kind === 'contract_order_moved') {
      trades.moved(model, turn, found, event);
      turn.bookOf.set(event.order.orderId, event.order.instrumentId);
    } else {
      closing.takenBack(turn, found, trades.seatOf(model, found, event.order.accountId), event);
      trades.ended(model, turn, found, event);
    }
  } else if (event.kind.startsWith('trigger_order')) {
    if (!('trigger' in event)) return;
    const { instrumentId, accountId } = event.trigger;
    const found = model.contracts.get(instrumentId);
    // Whoever waits has a seat, with the leverage that is usual at that time.
    if (found !== undefined) trades.seatOf(model, found, accountId);
    triggers.apply(model, turn, event);
  } else if (book !== undefined) applyInBook(model, turn, book, event);
  else if (event.kind === 'balance_changed') wallet(model, event);
}

function applyInBook(model: Model, turn: Turn, book: ContractBook, event: Event): void {
  if ('accountId' in event) turn.touch(book.terms.instrumentId, event.accountId);
  waves.noteDeed(model, turn, book, event);
  switch (event.kind) {
    case 'contract_order_accepted':
      placed(model, turn, event);
      reversing.opens(turn, event);
      steps.forced(model, turn, book, event);
      turn.incoming.set(event.orderId, trades.accepted(model, turn, book, event));
      turn.bookOf.set(event.orderId, book.terms.instrumentId);
      closing.fired(
        turn,
        seat(model, book, event.accountId),
        event,
        presets.fires(turn, book, event.orderId),
      );
      return;
    case 'reversal_refused':
      reversing.refused(model, turn, book, event);
      return;
    case 'order_rested': {
      const order = turn.incoming.get(event.orderId);
      must(order !== undefined, 'order', () => `${event.orderId} rests and did not come in`);
      turn.incoming.delete(event.orderId);
      working.done(turn, book, order);
      trades.rested(model, book, order, event);
      return;
    }
    case 'contract_trade':
      for (const { accountId } of [event.taker, event.maker]) {
        turn.touch(book.terms.instrumentId, accountId);
      }
      trades.traded(model, turn, book, event);
      return;
    case 'balance_changed':
      wallet(model, event);
      seat(model, book, event.accountId).realized += event.delta;
      return;
    case 'funding_settled':
      funding.settled(model, turn, book, event, billsOf(turn, event));
      return;
    case 'insurance_moved':
      budget.beginLiquidation(model, turn, book, false);
      insuranceMoved(model, book, event);
      return;
    case 'margin_adjusted':
      seat(model, book, event.accountId)[event.side].margin += event.delta;
      return;
    case 'contract_settings_changed':
      settings(turn, book, seat(model, book, event.accountId), event);
      return;
    case 'liquidated':
      liquidated(turn, book, event);
      budget.endLiquidation(model, turn, book, event);
      return;
    default:
  }
}

function seat(model: Model, book: ContractBook, accountId: number): Seat {
  return trades.seatOf(model, book, accountId);
}

/** The bills of a settlement follow it, up to the next event of another kind. */
function billsOf(turn: Turn, event: Event): BalanceChanged[] {
  const bills: BalanceChanged[] = [];
  for (const next of turn.events.slice(turn.events.indexOf(event) + 1)) {
    if (next.kind !== 'balance_changed' || next.reason !== 'funding') break;
    bills.push(next);
  }
  return bills;
}

function wallet(model: Model, event: BalanceChanged): void {
  const { accountId, assetId, delta, balanceBefore } = event;
  const before = walletOf(model, accountId, event.wallet, assetId);
  mustBe('balance', `balance of ${accountId} before a bill`, balanceBefore, before);
  addTo(model, accountId, event.wallet, assetId, delta);
}

function insuranceMoved(
  model: Model,
  book: ContractBook,
  event: Extract<Event, { kind: 'insurance_moved' }>,
): void {
  const { accountId, delta, assetId, balance } = event;
  const name = marginWalletName(model.accounts.get(accountId), book.terms);
  mustBe('insurance', 'wallet of a payment', event.wallet, name);
  const left = addTo(model, accountId, name, assetId, delta);
  mustBe('insurance', 'balance after a payment', balance, left);
  const totals = model.totals[assetId];
  if (totals !== undefined) totals.insurance -= delta;
}

function list(model: Model, turn: Turn, terms: Contract): void {
  const { instrumentId, kind } = terms;
  mustBe('listing', 'number of a contract', instrumentId, model.instrumentsCount);
  const isBusy = [...model.contracts.values()].some(({ orders }) => orders.length > 0);
  if (isBusy) turn.count('contract listed while orders rest');
  model.instrumentsCount += 1;
  const fine = 10n ** FINE_DIGITS[kind];
  model.contracts.set(instrumentId, {
    terms,
    now: prices.startPrices(terms.referencePriceTicks),
    fine,
    factor: lotFactor(terms) * fine,
    orders: [],
    working: undefined,
    seats: new Map(),
    triggers: new Map(),
    notedCount: 0,
    dust: 0n,
    prices: undefined,
    lastTicks: 0,
    nextFundingMs: nextFunding(terms, turn.timeMs),
    left: undefined,
  });
  const book = model.contracts.get(instrumentId);
  if (book !== undefined) prices.refresh(model, turn, book);
}

/** What a lot is worth at a tick, in units of the margin coin, from the terms as written. */
function lotFactor({ contractValue, margin, priceScale, quantityScale, kind }: Contract): bigint {
  const [whole = '', part = ''] = contractValue.split('.');
  const digits = BigInt(whole + part);
  const price = kind === 'linear' ? -priceScale : priceScale;
  const scale = margin.scale + price - quantityScale - part.length;
  return scale >= 0 ? digits * 10n ** BigInt(scale) : digits / 10n ** BigInt(-scale);
}

function update(model: Model, turn: Turn, terms: Contract): void {
  const book = model.contracts.get(terms.instrumentId);
  must(book !== undefined, 'listing', () => `contract ${terms.instrumentId} is not listed`);
  mustBe('listing', `contract ${terms.instrumentId}`, terms, changedTerms(turn, book.terms));
  const wasSuspended = book.terms.status === 'suspended';
  book.terms = terms;
  prices.forgetSources(book);
  const { command } = turn;
  if (command.kind === 'update_contract' && command.changes.fundingMinutes !== undefined) {
    book.nextFundingMs = nextFunding(terms, turn.timeMs);
  }
  // Trading does not go on at prices from before a suspension.
  if (wasSuspended && terms.status !== 'suspended') prices.refresh(model, turn, book);
}

/** What is published is what was worked out; with it a wave of liquidations is over. */
function priced(
  model: Model,
  turn: Turn,
  event: Extract<Event, { kind: 'contract_priced' }>,
): void {
  const { instrumentId, openInterestLots } = event.prices;
  const book = model.contracts.get(instrumentId);
  must(book !== undefined, 'listing', () => 'prices of no contract');
  prices.checkPublished(model, turn, book, event.prices);
  book.prices = event.prices;
  let held = 0;
  for (const { long } of book.seats.values()) held += long.lots;
  mustBe('position', 'what is held', openInterestLots, held);
  if (turn.command.kind === 'tick' || turn.command.kind === 'report_index') {
    waves.endWave(model, turn, book);
    triggers.notePrices(book, event.prices);
    turn.wavesEnded.add(instrumentId);
  }
}

/** Another mode, leverage or automatic margin: an isolated margin goes with the leverage. */
function settings(
  { command }: Turn,
  book: ContractBook,
  seat: Seat,
  event: ContractSettingsChanged,
): void {
  mustBe('settings', 'settings after the command', event, expectedSettings(seat, command, event));
  seat.mode = event.marginMode;
  Object.assign(seat, { leverages: event.leverages, isSeparated: event.isSeparated });
  for (const side of SIDES) {
    const holding = seat[side];
    const before = entryMargin(book, holding);
    holding.leverage = side === 'long' ? event.longLeverage : event.shortLeverage;
    holding.automatic = side === 'long' ? event.longAutomatic : event.shortAutomatic;
    if (seat.mode === 'isolated' && holding.lots > 0) {
      holding.margin += entryMargin(book, holding) - before;
    }
  }
}

/** What the owner's command makes of the settings that were; nothing else changes them. */
function expectedSettings(seat: Seat, command: Command, event: ContractSettingsChanged): object {
  const { kind, accountId, instrumentId } = event;
  const now = {
    kind,
    accountId,
    instrumentId,
    marginMode: seat.mode,
    longLeverage: seat.long.leverage,
    shortLeverage: seat.short.leverage,
    leverages: seat.leverages,
    isSeparated: seat.isSeparated,
    longAutomatic: seat.long.automatic,
    shortAutomatic: seat.short.automatic,
  };
  if (command.kind === 'set_auto_margin') {
    return { ...now, [`${command.side}Automatic`]: command.automatic };
  }
  const isOwn = command.kind === 'set_leverage' || command.kind === 'set_margin_mode';
  return isOwn ? { ...now, ...settingsAfter(seat, command) } : now;
}

/** What a liquidation says of itself is what its fills have said. */
function liquidated(turn: Turn, book: ContractBook, event: Liquidated): void {
  const mark = turn.marks.get(book.terms.instrumentId) ?? book.prices?.markTicks;
  mustBe('liquidation', 'mark price of a liquidation', event.markTicks, mark);
  must(event.deleveragedLots <= event.sizeLots, 'liquidation', () => 'more is deleveraged than is');
  turn.count('liquidation');
}
