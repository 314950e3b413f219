/**
 * The leverage of a contract: whether another one is taken, what it takes from the money that is
 * available, and what the settings of an account are after each command that changes them.
 */
import type {
  ContractSettingsChanged,
  Detail,
  LeverageChange,
  SetLeverage,
  SetMarginMode,
} from '#domain';
import { TAKEN, type Verdict } from './admission.ts';
import { count, lacking, obstacle } from './detail-words.ts';
import { PPM, SAFE_MAX } from './figures.ts';
import { entryMargin, pnlOf, SIDES, spendable, tierIndex, valueAt } from './margin.ts';
import {
  type ContractBook,
  type Holding,
  type Model,
  marginWalletName,
  type Seat,
} from './model.ts';

/** Sides whose leverage a change is of: in cross mode there is one for both. */
function sidesOf({ mode }: Seat, { side }: LeverageChange): readonly ('long' | 'short')[] {
  return mode === 'cross' || side === 'both' ? SIDES : [side];
}

/** What is asked for the mode the account is in; the rest waits for the other mode. */
function changesInForce(seat: Seat, command: SetLeverage): LeverageChange[] {
  const all: LeverageChange[] = [command, ...(command.others ?? [])];
  return all.filter(({ mode }) => mode === undefined || mode === seat.mode);
}

/** The last leverage that is asked for each side. */
function wantedOf(seat: Seat, command: SetLeverage): Map<'long' | 'short', number> {
  const wanted = new Map<'long' | 'short', number>();
  for (const change of changesInForce(seat, command)) {
    for (const side of sidesOf(seat, change)) wanted.set(side, change.leverage);
  }
  return wanted;
}

export function judgeLeverage(
  model: Model,
  book: ContractBook,
  seat: Seat,
  command: SetLeverage,
): Verdict {
  const inForce = new Set(changesInForce(seat, command));
  for (const change of [command, ...(command.others ?? [])]) {
    const reject =
      outOfRange(book, change) ??
      (inForce.has(change) ? lockedOrBeyond(book, seat, change) : undefined);
    if (reject !== undefined) return reject;
  }
  return moneyOf(model, book, seat, command) ?? TAKEN;
}

function outOfRange({ terms }: ContractBook, { leverage }: LeverageChange): string | undefined {
  const isWhole = Number.isInteger(leverage) && leverage <= SAFE_MAX;
  const isWithin = leverage >= terms.leverageMin && leverage <= terms.leverageMax;
  return isWhole && isWithin ? undefined : 'leverage_out_of_range';
}

/** Orders and plan orders lock it, TP/SL do not; the tier of what is held bounds it. */
function lockedOrBeyond(
  book: ContractBook,
  seat: Seat,
  change: LeverageChange,
): string | undefined {
  const sides = sidesOf(seat, change);
  const { leverage } = change;
  if (sides.every((side) => seat[side].leverage === leverage)) return undefined;
  const { accountId } = seat;
  const plans = [...book.triggers.values()].filter(({ view }) => view.purpose === 'trigger');
  const waiting = [...book.orders, ...plans.map(({ view }) => view)];
  if (waiting.some((one) => one.accountId === accountId)) return 'leverage_locked';
  for (const side of sides) {
    const size = seat.mode === 'cross' ? seat.long.lots + seat.short.lots : seat[side].lots;
    const allowed = book.terms.tiers[tierIndex(book, size)]?.leverageMax ?? 0;
    if (size > 0 && leverage > allowed) return 'leverage_out_of_range';
  }
  return undefined;
}

/** V(E) / L' - V(E) / L of all sides comes from what is available, and leaves a safe side. */
function moneyOf(
  model: Model,
  book: ContractBook,
  seat: Seat,
  command: SetLeverage,
): string | undefined {
  const wallet = marginWalletName(model.accounts.get(seat.accountId), book.terms);
  const free = spendable(model, seat.accountId, wallet, book.terms.margin.assetId);
  const changes = [...wantedOf(seat, command)].map(([side, leverage]) => {
    return { side, delta: marginDelta(book, seat[side], leverage) };
  });
  const needed = changes.reduce((sum, { delta }) => sum + delta, 0n);
  if (needed > 0n && needed > free) return 'margin_insufficient';
  const isUnsafe = changes.some(
    ({ side, delta }) => seat.mode === 'isolated' && delta < 0n && !isSafe(book, seat, side, delta),
  );
  return isUnsafe ? 'leverage_out_of_range' : undefined;
}

function marginDelta(book: ContractBook, holding: Holding, leverage: number): bigint {
  return entryMargin(book, { ...holding, leverage }) - entryMargin(book, holding);
}

/** Whether an isolated side is above its threshold at the mark price with another margin. */
function isSafe(book: ContractBook, seat: Seat, side: 'long' | 'short', delta: bigint): boolean {
  const money = seat[side].margin + delta;
  if (money < 0n) return false;
  const { lots } = seat[side];
  const { markTicks } = book.now;
  const tier = book.terms.tiers[tierIndex(book, lots)];
  const rate = BigInt((tier?.maintenanceRatePpm ?? 0) + book.terms.takerFeePpm);
  if (book.terms.kind === 'linear') {
    const equity = money * book.fine + pnlOf(book, seat, side);
    return equity * PPM > valueAt(book, lots, markTicks) * rate;
  }
  // Without the cut of an inverse value: everything times the price.
  const worth = BigInt(lots) * book.factor;
  const sign = side === 'long' ? 1n : -1n;
  const mark = BigInt(markTicks);
  const equity = money * book.fine * mark + sign * (seat[side].open * mark - worth);
  return equity * PPM > worth * rate;
}

/** What the first change that cannot be is held against, or what the money lacks. */
export function leverageDetail(
  model: Model,
  book: ContractBook,
  seat: Seat,
  command: SetLeverage,
  reject: string,
): Detail {
  if (reject === 'leverage_locked') return { is: 'nothing' };
  if (reject === 'margin_insufficient') {
    const wanted = [...wantedOf(seat, command)];
    const deltas = wanted.map(([side, leverage]) => marginDelta(book, seat[side], leverage));
    return lacking(
      model,
      book,
      seat,
      deltas.reduce((sum, delta) => sum + delta, 0n),
    );
  }
  const inForce = new Set(changesInForce(seat, command));
  const { leverageMin: min, leverageMax: max, tiers } = book.terms;
  for (const change of [command, ...(command.others ?? [])]) {
    if (outOfRange(book, change) !== undefined) {
      return { is: 'range', field: 'leverage', min, max, scale: 0 };
    }
    if (!inForce.has(change) || lockedOrBeyond(book, seat, change) === undefined) continue;
    const sizes = sidesOf(seat, change).map((side) =>
      seat.mode === 'cross' ? seat.long.lots + seat.short.lots : seat[side].lots,
    );
    const allowed = sizes
      .filter((size) => size > 0)
      .map((size) => tiers[tierIndex(book, size)]?.leverageMax ?? 0)
      .find((most) => change.leverage > most);
    const figure = count(allowed ?? 0);
    return { is: 'figure', role: 'at_most_of_position', figure };
  }
  return obstacle('margin_left_at_threshold');
}

type Settings = Pick<
  ContractSettingsChanged,
  'marginMode' | 'leverages' | 'isSeparated' | 'longLeverage' | 'shortLeverage'
>;

/** What an account's settings are after a command that was taken. */
export function settingsAfter(seat: Seat, command: SetLeverage | SetMarginMode): Settings {
  return command.kind === 'set_leverage' ? relevered(seat, command) : moded(seat, command);
}

function relevered(seat: Seat, command: SetLeverage): Settings {
  const { mode, isSeparated } = seat;
  const leverages = { ...seat.leverages };
  for (const { side, leverage, mode: of = mode } of [command, ...(command.others ?? [])]) {
    if (of === mode) continue;
    if (of === 'cross') leverages.cross = leverage;
    else {
      if (side !== 'short') leverages.isolatedLong = leverage;
      if (side !== 'long') leverages.isolatedShort = leverage;
    }
  }
  const wanted = wantedOf(seat, command);
  const longLeverage = wanted.get('long') ?? seat.long.leverage;
  const shortLeverage = wanted.get('short') ?? seat.short.leverage;
  if (wanted.size > 0) store(leverages, mode, longLeverage, shortLeverage);
  return { marginMode: mode, leverages, isSeparated, longLeverage, shortLeverage };
}

/** Another mode has the leverages that were stored for it, or goes on with those of before. */
function moded(seat: Seat, { mode, leverages: which, isSeparated }: SetMarginMode): Settings {
  const leverages = { ...seat.leverages };
  let [long, short] = [seat.long.leverage, seat.short.leverage];
  if (mode !== seat.mode) {
    if (which === 'stored') {
      long = mode === 'cross' ? leverages.cross : leverages.isolatedLong;
      short = mode === 'cross' ? leverages.cross : leverages.isolatedShort;
    } else if (mode === 'cross') short = long;
    store(leverages, mode, long, short);
  }
  return {
    marginMode: mode,
    leverages,
    isSeparated: isSeparated ?? seat.isSeparated,
    longLeverage: long,
    shortLeverage: short,
  };
}

function store(leverages: Seat['leverages'], mode: string, long: number, short: number): void {
  if (mode === 'cross') leverages.cross = long;
  else Object.assign(leverages, { isolatedLong: long, isolatedShort: short });
}
