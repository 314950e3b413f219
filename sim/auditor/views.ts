/** Whether what the venue shows is what its events have said: balances, books, positions, funds. */
import type {
  AccountId,
  AssetId,
  HoldSide,
  InstrumentId,
  MarginAccountView,
  Side,
  StateReader,
} from '#domain';
import { closable } from './admission.ts';
import { floorDivide } from './figures.ts';
import { must, mustBe } from './judge.ts';
import { entryMargin, frozenIn, pnlOf, SIDES, spendable } from './margin.ts';
import {
  bookSide,
  type ContractBook,
  type Model,
  marginWalletName,
  type PairBook,
  type Seat,
  walletOf,
} from './model.ts';
import * as shown from './shown.ts';
import { heldInSpot } from './spot-checks.ts';

const BOOK_SIDES: readonly Side[] = ['buy', 'sell'];

export function checkSpotBalances(model: Model, view: StateReader, accountId: number): void {
  const account = view.account(accountId as AccountId);
  if (account === undefined) {
    must(!model.accounts.has(accountId), 'account', () => `account ${accountId} is gone`);
    return;
  }
  for (const { assetId } of model.assets) {
    const shown = account.balance('spot', assetId);
    const owned = walletOf(model, accountId, 'spot', assetId);
    const name = `account ${accountId} coin ${assetId}`;
    must(owned >= 0n, 'balance', () => `${name} is at ${owned}`);
    mustBe('balance', `${name}: balance`, shown?.balance ?? 0n, owned);
    const held = heldInSpot(model, accountId, assetId);
    mustBe('hold', `${name}: held`, shown?.held ?? 0n, held);
    const available = owned - held - (model.locks.get(`${accountId} ${assetId}`) ?? 0n);
    must(available >= 0n, 'hold', () => `${name}: ${available} is free`);
    mustBe('hold', `${name}: available`, shown?.available ?? 0n, available);
  }
}

interface Levelled {
  readonly priceTicks: number;
  readonly openLots: number;
}

function levelsOf(orders: readonly Levelled[], side: Side): string[] {
  const levels = new Map<number, { lots: number; count: number }>();
  for (const { priceTicks, openLots } of orders) {
    const level = levels.get(priceTicks) ?? { lots: 0, count: 0 };
    levels.set(priceTicks, { lots: level.lots + openLots, count: level.count + 1 });
  }
  const sign = side === 'buy' ? -1 : 1;
  return [...levels]
    .sort(([one], [other]) => sign * (one - other))
    .map(([price, { lots, count }]) => `${price}: ${lots} in ${count}`);
}

function checkLevels(view: StateReader, id: InstrumentId, side: Side, own: string[]): void {
  const shown = [...view.bookLevels(id, side)].map(
    ({ priceTicks, lots, ordersCount }) => `${priceTicks}: ${lots} in ${ordersCount}`,
  );
  mustBe('book', `${side} side of instrument ${id}`, shown, own);
}

export function checkPair(view: StateReader, pair: PairBook): void {
  for (const side of BOOK_SIDES) {
    const orders = pair.orders.filter((order) => order.side === side);
    checkLevels(view, pair.terms.instrumentId, side, levelsOf(orders, side));
  }
}

export function checkContract(model: Model, view: StateReader, book: ContractBook): void {
  const { instrumentId, margin } = book.terms;
  for (const side of BOOK_SIDES) {
    const orders = book.orders.filter(({ action }) => bookSide(action) === side);
    checkLevels(view, instrumentId, side, levelsOf(orders, side));
  }
  let [longs, shorts, owed] = [0, 0, 0n];
  for (const { long, short } of book.seats.values()) {
    longs += long.lots;
    shorts += short.lots;
    owed += long.open - short.open;
  }
  mustBe('position', `longs of ${instrumentId}, which are its shorts`, longs, shorts);
  const isDust = book.dust >= 0n && book.dust < book.fine;
  must(isDust, 'conservation', () => `dust of ${instrumentId} is ${book.dust}`);
  const clearing = book.dust - (book.terms.kind === 'linear' ? owed : -owed);
  must(clearing % book.fine === 0n, 'conservation', () => `${clearing} owed is no whole amount`);
  const fund = model.totals[margin.assetId]?.insurance ?? 0n;
  must(fund >= 0n, 'insurance', () => `the fund of ${margin.code} is at ${fund}`);
  mustBe('insurance', `fund of ${margin.code}`, view.insuranceFund(margin.assetId), fund);
}

export function checkSeat(model: Model, reader: StateReader, book: ContractBook, seat: Seat): void {
  const { instrumentId, margin } = book.terms;
  const { assetId } = margin;
  const { accountId } = seat;
  const view = reader.marginAccount(accountId as AccountId, instrumentId);
  must(view !== undefined, 'position', () => `account ${accountId} is not shown`);
  const name = `account ${accountId} in ${instrumentId}`;
  const wallet = marginWalletName(model.accounts.get(accountId), book.terms);
  mustBe('position', `${name}: mode`, view.marginMode, seat.mode);
  mustBe('settings', `${name}: leverages`, view.leverages, seat.leverages);
  mustBe('settings', `${name}: separated`, view.isSeparated, seat.isSeparated);
  mustBe('balance', `${name}: balance`, view.balance, walletOf(model, accountId, wallet, assetId));
  mustBe('pnl', `${name}: realised`, view.realizedPnl, seat.realized);
  const frozen = frozenIn(model, accountId, wallet, assetId);
  mustBe('hold', `${name}: frozen`, view.marginFrozen, frozen);
  for (const side of SIDES) {
    const [held, own] = [view[side], seat[side]];
    mustBe('position', `${name}: ${side}`, held.lots, own.lots);
    mustBe('position', `${name}: ${side} open value`, held.open, own.open);
    mustBe('position', `${name}: ${side} leverage`, held.leverage, own.leverage);
    mustBe('pnl', `${name}: ${side} realised`, held.realizedPnl, own.realized);
    checkShown(model, book, seat, view, side);
    if (seat.mode === 'cross') {
      const used = entryMargin(book, own);
      mustBe('margin', `${name}: ${side} margin in use`, held.margin, used);
      continue;
    }
    mustBe('margin', `${name}: ${side} margin`, held.margin, own.margin);
  }
  const free = spendable(model, accountId, wallet, assetId);
  const available = free > 0n ? free : 0n;
  mustBe('margin', `${name}: available`, view.available, available);
  checkCovered(model, accountId, wallet, assetId, seat);
}

/** What is worked out for its owner to read. */
function checkShown(
  model: Model,
  book: ContractBook,
  seat: Seat,
  view: MarginAccountView,
  side: HoldSide,
): void {
  const [own, held] = [seat[side], view[side]];
  const name = `account ${seat.accountId} in ${book.terms.instrumentId}: ${side}`;
  mustBe('shown', `${name} average`, held.averageEntry, shown.averageEntry(book, own));
  const pnl = floorDivide(pnlOf(book, seat, side), book.fine);
  mustBe('shown', `${name} unrealised`, held.unrealizedPnl, pnl);
  const rate = shown.maintenanceRate(book, seat, side);
  mustBe('shown', `${name} maintenance rate`, held.maintenanceRatePpm, rate);
  mustBe('shown', `${name} automatic margin`, held.autoAppend, own.automatic);
  const action = side === 'long' ? 'close_long' : 'close_short';
  mustBe('shown', `${name} to close`, held.availableLots, closable(book, seat, action));
  const isCross = seat.mode === 'cross';
  const ratio = shown.marginRatio(model, book, seat, shown.unitOf(seat, side));
  mustBe('shown', `${name} ratio`, isCross ? view.marginRatio : held.marginRatio, ratio);
  const ticks = shown.liquidationTicks(model, book, seat, side);
  if (ticks !== undefined) mustBe('shown', `${name} liquidation`, held.liquidationTicks, ticks);
}

/** Isolated margins and freezes together are never more than the money there is. */
function checkCovered(
  model: Model,
  accountId: number,
  wallet: string,
  assetId: AssetId,
  seat: Seat,
): void {
  const owned = walletOf(model, accountId, wallet, assetId);
  must(owned >= 0n, 'balance', () => `account ${accountId}: ${wallet} is at ${owned}`);
  if (wallet === 'margin' || seat.mode === 'cross') return;
  const set = seat.long.margin + seat.short.margin + frozenIn(model, accountId, wallet, assetId);
  must(set <= owned, 'coverage', () => `account ${accountId}: ${set} is set aside of ${owned}`);
}

/** Money is neither made nor lost: it is with accounts, the venue, or owed by positions. */
export function checkConservation(model: Model): void {
  for (const { assetId, code } of model.assets) {
    const totals = model.totals[assetId];
    if (totals === undefined) continue;
    let there = totals.fees + totals.insurance;
    for (const [key, amount] of model.wallets) {
      if (key.endsWith(` ${assetId}`)) there += amount;
    }
    for (const book of model.contracts.values()) {
      if (book.terms.margin.assetId !== assetId) continue;
      let owed = 0n;
      for (const { long, short } of book.seats.values()) owed += long.open - short.open;
      there += (book.dust - (book.terms.kind === 'linear' ? owed : -owed)) / book.fine;
    }
    const brought = totals.deposited - totals.withdrawn;
    mustBe('conservation', `${code} in the venue`, there, brought);
  }
}
