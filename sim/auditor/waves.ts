/**
 * Liquidation: whoever a new mark price brings to the threshold is dealt with, the worst ratio
 * first, and nobody else is; in that very step or, once it has as many events as a step has of
 * this, in the next steps that go on with it.
 */
import type { Event, HoldSide } from '#domain';
import { must } from './judge.ts';
import {
  type Health,
  type HeldSeat,
  healthOf,
  heldIn,
  isBreached,
  isCrossHeld,
  type Unit,
} from './margin.ts';
import { type ContractBook, holdSide, type Model, marginWalletName, type Seat } from './model.ts';
import * as prices from './prices.ts';
import type { Turn, Wave } from './turn.ts';

const UNITS: readonly Unit[] = ['long', 'short', 'both'];
/** A step with so many events leaves the rest to the next, as does one that breaches so many. */
const STEP_MAX = 400;

interface Breach {
  readonly name: string;
  readonly accountId: number;
  readonly unit: Unit;
  readonly health: Health;
}

/** Begins to judge a contract's wave, before the first of its liquidations is looked at. */
function beginWave(model: Model, turn: Turn, book: ContractBook): Wave {
  const { instrumentId } = book.terms;
  const known = turn.waves.get(instrumentId);
  if (known !== undefined) return known;
  turn.spread ??= spreadOf(model);
  const found = isQuiet(turn, book) ? [] : breachesOf(model, turn, book);
  const begun = model.begun.filter((one) => one.instrumentId === instrumentId);
  const namesOf = (some: typeof begun) =>
    some.map(({ accountId, unit }) => nameOf(accountId, unit));
  // What an earlier price has begun stays in front, if it is not over.
  const first = new Set(namesOf(begun));
  const rank = ({ name }: Breach) => (first.has(name) ? 0 : 1);
  found.sort((one, other) => rank(one) - rank(other) || worstFirst(one, other));
  const wave: Wave = {
    breached: found.map(({ name }) => name),
    dealt: new Set(),
    forced: [],
    disturbed: new Set(namesOf(begun.filter(({ isSure }) => !isSure))),
  };
  turn.waves.set(instrumentId, wave);
  return wave;
}

/** Over a stale index, and while it is suspended, nothing is liquidated. */
function isQuiet(turn: Turn, book: ContractBook): boolean {
  const { kind } = turn.command;
  if (kind !== 'tick' && kind !== 'report_index') return true;
  return book.terms.status === 'suspended' || turn.stale.has(book.terms.instrumentId);
}

function breachesOf(model: Model, turn: Turn, book: ContractBook): Breach[] {
  const found: Breach[] = [];
  for (const seat of book.seats.values()) {
    for (const unit of UNITS) {
      if (unit === 'both' && isOverSeveral(model, turn, book, seat)) continue;
      const health = healthOf(model, book, seat, unit, turn.marks);
      if (health === undefined || !isBreached(health)) continue;
      const { accountId } = seat;
      found.push({ name: nameOf(accountId, unit), accountId, unit, health });
    }
  }
  return found;
}

/** What stands on several contracts is judged when all of them are: see leftBreached. */
function isOverSeveral(model: Model, turn: Turn, book: ContractBook, seat: Seat): boolean {
  const { assetId } = book.terms.margin;
  return (
    turn.spread?.has(`${seat.accountId} ${assetId}`) === true ||
    crossHeld(model, book, seat.accountId).length > 1
  );
}

function crossHeld(model: Model, book: ContractBook, accountId: number): HeldSeat[] {
  const wallet = marginWalletName(model.accounts.get(accountId), book.terms);
  return heldIn(model, accountId, wallet, book.terms.margin.assetId).filter(isCrossHeld);
}

/** Who stood on several contracts when the first of them was judged, also if one is flat by now. */
function spreadOf(model: Model): Set<string> {
  const found = new Set<string>();
  for (const book of model.contracts.values()) {
    for (const accountId of book.seats.keys()) {
      const isSpread = crossHeld(model, book, accountId).length > 1;
      if (isSpread) found.add(`${accountId} ${book.terms.margin.assetId}`);
    }
  }
  return found;
}

function worstFirst(one: Breach, other: Breach): number {
  const [a, b] = [one.health, other.health];
  const difference = ratioOf(a) - ratioOf(b);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return one.accountId - other.accountId || (one.unit === 'long' ? -1 : 1);
}

/** To fifteen digits, rounded down: ratios that are equal to so many count as equal. */
function ratioOf({ equity, value }: Health): bigint {
  const scaled = equity * 10n ** 15n;
  const cut = scaled / value;
  return cut * value > scaled ? cut - 1n : cut;
}

function nameOf(accountId: number, unit: Unit): string {
  return `${accountId} ${unit}`;
}

/** Notes who an event deals with, and that it was its turn. */
export function noteDeed(model: Model, turn: Turn, book: ContractBook, event: Event): void {
  if (event.kind === 'contract_order_accepted') {
    if (event.terms.cause === 'owner') return;
    const isOthers = event.terms.cause === 'deleveraging' || event.terms.cause === 'netting';
    if (isOthers) turn.wasDeleveraged.add(event.accountId);
    const seat = book.seats.get(event.accountId);
    if (seat === undefined) return;
    const unit = unitOf(seat, holdSide(event.terms.action));
    const name = nameOf(event.accountId, unit);
    const wave = beginWave(model, turn, book);
    const { cause } = event.terms;
    if (cause === 'liquidation' || cause === 'reduction') {
      mustBeDue(turn, model, book, wave, name, seat, unit);
      if (!wave.forced.includes(name)) wave.forced.push(name);
    } else if (!wave.forced.includes(name)) wave.disturbed.add(name);
    wave.dealt.add(name);
  } else if (event.kind === 'margin_adjusted' && event.cause === 'automatic') {
    const wave = beginWave(model, turn, book);
    wave.dealt.add(nameOf(event.accountId, event.side));
  } else if (event.kind === 'contract_order_closed' && event.reason === 'liquidation') {
    const wave = beginWave(model, turn, book);
    const { accountId, action } = event.order;
    for (const unit of [holdSide(action), 'both'] as const) wave.dealt.add(nameOf(accountId, unit));
  } else if (event.kind === 'trigger_order_closed' && event.reason === 'liquidation') {
    const wave = beginWave(model, turn, book);
    const { accountId, action } = event.trigger;
    for (const unit of [holdSide(action), 'both'] as const) wave.dealt.add(nameOf(accountId, unit));
  }
}

/** Nobody is liquidated who is above the threshold. */
function mustBeDue(
  turn: Turn,
  model: Model,
  book: ContractBook,
  wave: Wave,
  name: string,
  seat: Seat,
  unit: Unit,
): void {
  const isKnown = wave.breached.includes(name) || wave.disturbed.has(name);
  if (isKnown || turn.wasDeleveraged.has(seat.accountId)) return;
  if (unit === 'both' && isOverSeveral(model, turn, book, seat)) return;
  const health = healthOf(model, book, seat, unit, turn.marks);
  must(isBreached(health), 'liquidation', () => `${name} is liquidated above its threshold`);
}

function unitOf(seat: Seat, side: HoldSide): Unit {
  return seat.mode === 'cross' ? 'both' : side;
}

/** Takes up what earlier steps have left. */
export function goOn(model: Model, turn: Turn): void {
  for (const [instrumentId, { left }] of model.contracts) {
    if (left === undefined) continue;
    const { due, rankings } = left;
    const fresh = { dealt: new Set<string>(), forced: [], disturbed: new Set<string>() };
    turn.waves.set(instrumentId, { breached: due, ...fresh });
    for (const [key, ranked] of rankings) turn.rankings.set(key, ranked);
  }
}

/** After a step that went on: what is due was dealt with, as far as a step does. */
export function endGoingOn(model: Model, turn: Turn): void {
  for (const book of model.contracts.values()) {
    if (book.left === undefined) continue;
    const isOver = book.terms.status === 'suspended' || prices.isStale(book, turn.timeMs);
    if (isOver) book.left = undefined;
    else endWave(model, turn, book);
    turn.count('wave of liquidations gone on with');
  }
}

/** At the end of a contract's turn: those who were due were dealt with, the worst one first. */
export function endWave(model: Model, turn: Turn, book: ContractBook): void {
  const wave = beginWave(model, turn, book);
  const left = leftOf(model, turn, book, wave);
  for (const _name of wave.breached) turn.count('unit breached by a new mark price');
  const known = wave.forced.filter(
    (name) => wave.breached.includes(name) && !wave.disturbed.has(name),
  );
  const due = wave.breached.filter((name) => known.includes(name));
  must(
    known.join() === due.join(),
    'liquidation order',
    () => `liquidated in the order ${known.join(', ')}; the worst first are ${due.join(', ')}`,
  );
  if (known.length > 1) turn.count('liquidation order of several');
  const last = known.at(-1);
  for (const name of left) {
    if (turn.wasDeleveraged.has(accountOf(name))) continue;
    const where = `contract ${book.terms.instrumentId}`;
    must(isFull(turn), 'liquidation', () => `${name} of ${where} is breached and left alone`);
    const isBehind =
      last === undefined || wave.breached.indexOf(name) > wave.breached.indexOf(last);
    must(isBehind, 'liquidation order', () => `${name} of ${where} is left and ${last} is not`);
  }
  const { rankings, begun } = turn;
  const goesOn = (left.length > 0 || begun.size > 0) && isFull(turn);
  book.left = goesOn ? { due: left, rankings } : undefined;
}

/** Whether a step has done as much as it does of a wave, or a liquidation goes on in the next. */
function isFull({ at, waves, isCut }: Turn): boolean {
  return (
    isCut ||
    at + 1 >= STEP_MAX ||
    [...waves.values()].some(({ breached }) => breached.length >= STEP_MAX)
  );
}

/** Neither dealt with nor above the threshold by what the liquidation of others has filled. */
function leftOf(model: Model, turn: Turn, book: ContractBook, wave: Wave): string[] {
  return wave.breached.filter((name) => {
    const unit = UNITS.find((one) => name.endsWith(` ${one}`));
    const seat = book.seats.get(accountOf(name));
    if (wave.dealt.has(name) || seat === undefined || unit === undefined) return false;
    return isBreached(healthOf(model, book, seat, unit, turn.marks));
  });
}

function accountOf(name: string): number {
  return Number(name.split(' ')[0]);
}

/** After a step that has judged all contracts: what is breached now was tried in it. */
export function leftBreached(model: Model, turn: Turn): void {
  const isLeft = [...model.contracts.values()].some(({ left }) => left !== undefined);
  if (turn.command.kind !== 'tick' || isLeft) return;
  for (const book of model.contracts.values()) {
    if (isQuiet(turn, book)) continue;
    for (const seat of book.seats.values()) {
      for (const unit of UNITS) checkLeft(model, turn, book, seat, unit);
    }
  }
}

function checkLeft(model: Model, turn: Turn, book: ContractBook, seat: Seat, unit: Unit): void {
  const health = healthOf(model, book, seat, unit);
  if (health === undefined || !isBreached(health)) return;
  const name = nameOf(seat.accountId, unit);
  const wallet = marginWalletName(model.accounts.get(seat.accountId), book.terms);
  const seats = heldIn(model, seat.accountId, wallet, book.terms.margin.assetId);
  const isTried = seats.some(({ book: { terms } }) => {
    const dealt = turn.waves.get(terms.instrumentId)?.dealt;
    return dealt?.has(name) === true;
  });
  const isExcused = turn.wasDeleveraged.has(seat.accountId) || turn.hasTraded.has(seat.accountId);
  must(
    isTried || isExcused,
    'liquidation',
    () => `${name} of contract ${book.terms.instrumentId} is left below its threshold`,
  );
}
