/**
 * Watches a floor: after every command it compares the engine with the second set of books, walks
 * over all positions to see who should have been liquidated, and counts what happened.
 */
import { strict as assert } from 'node:assert/strict';
import type { AccountId, Command, Contract, Event, MarginAccountView } from '#domain';
import type { Engine } from '#engine';
import { present } from '#kernel';
import {
  type Book,
  type Holder,
  isBelow,
  isHeld,
  isNetting,
  needed,
  type Others,
  othersAt,
  sideOf,
  type Unit,
  worthOf,
} from './swap-arithmetic.ts';
import { key, Model } from './swap-model.ts';
import { OrdersWalk } from './swap-orders-walk.ts';
import { PositionsWalk } from './swap-positions-walk.ts';
import { checkCover, compareFigures, compareRatio, compareWallet } from './swap-wallet-figures.ts';

/** The figures that need more work are compared once in so many commands. */
const FIGURES_EVERY = 5;

/** A unit as it stood before a command. */
interface Stance {
  readonly holder: Holder;
  readonly unit: Unit;
  /** A copy: what the unit was, not what it has become. */
  readonly as: Holder;
  readonly money: bigint;
  /** Copies of what else is cross on its wallet. */
  readonly peers: readonly Holder[];
}

/** What the engine shows of everybody, after one command. */
type Views = ReadonlyMap<Holder, MarginAccountView>;

export class Audit {
  readonly model = new Model();
  readonly counts = new Map<string, number>();
  readonly #orders = new OrdersWalk();
  readonly #positions = new PositionsWalk();
  /** Who was left with part of a loss over several contracts that nobody could take. */
  readonly #leftOver = new Set<AccountId>();
  #stances: readonly Stance[] = [];
  #commandsCount = 0;

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  /**
   * To be called after every command, from the venue's first one on. What a refused one would have
   * changed shows after the next, so that half of the commands cost nothing.
   */
  watch(command: Command, events: readonly Event[], engine: Engine): void {
    const [first] = events;
    if (first?.kind === 'refused') {
      this.#tally(command, first);
      return;
    }
    engine.check();
    this.#commandsCount += 1;
    this.model.follow(events, (contract) => markOf(engine, contract));
    this.#orders.follow(events);
    this.#positions.follow(events, engine);
    assert.equal(engine.audit().openOrdersCount, this.#orders.openCount, 'open orders');
    for (const event of events) this.#tally(command, event);
    this.#compareMoney(engine);
    const books = [...this.model.books.values()];
    const holders = books.flatMap((book) => [...book.holders.values()]);
    const views = new Map(holders.map((holder) => [holder, viewOf(engine, holder)]));
    for (const book of books) compareBook(book, views);
    for (const book of books) this.#compareFigures(book, engine, views);
    if (command.kind === 'tick' || command.kind === 'report_index') {
      this.#checkBreaches(command, events, engine);
    }
    this.#stances = holders.flatMap((holder) => this.#stancesOf(holder));
  }

  #compareMoney(engine: Engine): void {
    for (const account of engine.accounts()) {
      for (const { assetId, balance } of account.spotBalances()) {
        this.#compareBalance(account.accountId, 'spot', assetId, balance);
      }
      for (const [wallet, { assetId, balance }] of account.contractBalances()) {
        this.#compareBalance(account.accountId, wallet, assetId, balance);
      }
    }
    for (const line of engine.audit().lines) {
      const { assetId } = line;
      const books = [...this.model.books.values()].filter(
        ({ contract }) => contract.margin.assetId === assetId,
      );
      const clearing = books.reduce((sum, book) => sum + book.clearing, 0n);
      assert.equal(line.clearing, clearing, 'clearing');
      assert.equal(line.insuranceFund, this.model.funds.get(assetId) ?? 0n, 'insurance fund');
      assert.equal(line.fees, this.model.fees.get(assetId) ?? 0n, 'fees');
      const inside = this.model.inside.get(assetId) ?? 0n;
      assert.equal(line.deposited - line.withdrawn, inside, 'deposited less withdrawn');
      assert.ok(line.insuranceFund >= 0n, 'the fund is never in debt');
      assert.equal(line.accounts + line.fees + line.insuranceFund + line.clearing, inside, 'sum');
    }
  }

  #compareBalance(
    accountId: AccountId,
    wallet: string,
    assetId: Parameters<typeof key>[2],
    balance: bigint,
  ): void {
    const at = key(accountId, wallet, assetId);
    assert.equal(balance, this.model.balances.get(at) ?? 0n, `balance of ${at}`);
    assert.ok(balance >= 0n, 'no balance is below zero');
  }

  #compareFigures(book: Book, engine: Engine, views: Views): void {
    const marks = (contract: Contract) => markOf(engine, contract);
    const mark = marks(book.contract);
    for (const holder of book.holders.values()) {
      const view = present(views.get(holder), 'view');
      const wallet = this.model.onWalletOf(holder);
      checkCover(wallet, view, this.model.balance(holder.accountId, book));
      for (const { unit, money, peers } of this.#stancesOf(holder)) {
        const { equity } = worthOf(holder, unit, money, mark, othersAt(peers, marks));
        if (unit === 'both' && equity >= 0n) this.#leftOver.delete(holder.accountId);
        const isSolvent = equity >= 0n || this.#isStuck(holder, peers, engine);
        assert.ok(isSolvent, `account ${holder.accountId} ${unit} owes more than it has`);
      }
      if (this.#commandsCount % FIGURES_EVERY !== 0) continue;
      compareFigures(holder, view, mark);
      compareWallet(wallet, view, marks);
      const peers = holder.mode === 'isolated' ? [] : this.model.peersOf(holder);
      const others = othersAt(peers, marks);
      compareRatio(holder, view, mark, this.#moneyOf(holder, 'both'), others);
      checkLiquidationPrices(holder, view, (unit) => this.#moneyOf(holder, unit), others);
    }
  }

  #stancesOf(holder: Holder): Stance[] {
    const units: Unit[] = holder.mode === 'isolated' ? ['long', 'short'] : ['both'];
    const as = copyOf(holder);
    const peers = holder.mode === 'isolated' ? [] : this.model.peersOf(holder).map(copyOf);
    return units
      .filter((unit) => (unit === 'both' ? isHeld(as) : as[unit].lots > 0))
      .map((unit) => ({ holder, unit, as, money: this.#moneyOf(holder, unit), peers }));
  }

  #moneyOf(holder: Holder, unit: Unit): bigint {
    return unit === 'both' ? this.model.crossMoney(holder) : holder[unit].margin;
  }

  /**
   * The naive walk over all units: each one that the new mark prices breach is dealt with, no
   * other one is, and none is left. While the index is stale no unit is dealt with.
   */
  #checkBreaches(command: Command, events: readonly Event[], engine: Engine): void {
    const deeds = deedsOf(events);
    const marks = (contract: Contract) => markOf(engine, contract);
    const isMarked = ({ contract }: Book) =>
      command.kind === 'tick' ||
      ('instrumentId' in command && command.instrumentId === contract.instrumentId);
    const dueWallets = new Set<Holder>();
    for (const { holder, unit, as, money, peers } of this.#stances) {
      if (!isMarked(holder.book)) continue;
      const { contract } = holder.book;
      const mark = marks(contract);
      const isStale = isStaleNow(engine, contract);
      const left = money - this.#fundingPaid(events, as, unit);
      const isBreached = isBelow(as, unit, left, mark, othersAt(peers, marks));
      const due = isBreached && !isStale;
      if (isBreached && isStale) this.count('units breached while the index is stale');
      if (due) this.count('units breached by a new mark price');
      if (due && peers.length > 0) this.count('units over several contracts breached');
      const wallet = this.model.onWalletOf(holder);
      if (due && unit === 'both') for (const one of wallet) dueWallets.add(one);
      const isShared = unit === 'both' && wallet.length > 1;
      // What any look at the wallet finds due is dealt with in all of its contracts.
      if (!due && isShared && command.kind === 'tick') continue;
      const names = (isShared ? wallet : [holder]).map(nameOf);
      if (wallet.some((one) => deeds.traded.has(nameOf(one)))) continue;
      // What one isolated side lost was closed against the other, whose closes were taken back.
      if (names.some((name) => deeds.netted.has(name)) && holder.mode === 'isolated') continue;
      // Orders of an isolated contract go when what is cross on the same wallet is liquidated.
      if (unit !== 'both' && dueWallets.has(holder)) continue;
      const crossNames = (isShared ? wallet.filter(({ mode }) => mode === 'cross') : [holder]).map(
        nameOf,
      );
      const isDealtWith = crossNames.some((name) => deeds.liquidated.has(`${name} ${unit}`));
      if (!isDealtWith && this.#isStuck(as, peers, engine)) continue;
      assert.equal(isDealtWith, due, `${nameOf(holder)} ${unit} at ${mark}`);
    }
    for (const book of this.model.books.values()) {
      if (!isMarked(book) || isStaleNow(engine, book.contract)) continue;
      this.#checkNoneIsLeft(book, deeds, engine);
    }
  }

  /** Over several contracts: one cannot be closed while its index is stale, or nobody took it. */
  #isStuck(as: Holder, peers: readonly Holder[], engine: Engine): boolean {
    if (this.#leftOver.has(as.accountId)) return true;
    if (peers.length === 0) return false;
    return [as, ...peers].some(({ book }) => isStaleNow(engine, book.contract));
  }

  #checkNoneIsLeft(book: Book, deeds: ReturnType<typeof deedsOf>, engine: Engine): void {
    const marks = (contract: Contract) => markOf(engine, contract);
    for (const holder of book.holders.values()) {
      for (const { unit, money, peers } of this.#stancesOf(holder)) {
        const mark = marks(book.contract);
        if (!isBelow(holder, unit, money, mark, othersAt(peers, marks))) continue;
        if (this.#isStuck(holder, peers, engine)) continue;
        // Plan orders fire after the liquidations: a close at a bad price can bring one below.
        const isOwn = this.model.onWalletOf(holder).some((one) => deeds.closed.has(nameOf(one)));
        assert.ok(isOwn, `${nameOf(holder)} ${unit} is left at ${mark}`);
        this.count('units brought below by their own orders');
      }
    }
  }

  /** What funding took from the money behind a unit in these events. */
  #fundingPaid(events: readonly Event[], of: Holder, unit: Unit): bigint {
    const wallet = this.model.onWalletOf(of);
    let paid = 0n;
    let paying: Unit = 'both';
    for (const event of events) {
      if (event.kind === 'funding_settled') paying = event.ratePpb > 0 ? 'long' : 'short';
      if (event.kind === 'funding_settled' && event.instrumentId > of.book.contract.instrumentId) {
        break;
      }
      if (event.kind !== 'balance_changed' || event.reason !== 'funding') continue;
      if (event.accountId !== of.accountId) continue;
      const { instrumentId, delta } = event;
      const one = wallet.find(({ book }) => book.contract.instrumentId === instrumentId);
      if (one === undefined) continue;
      // An isolated side pays out of its margin, and what it receives goes to the balance.
      const isOwn = one.book === of.book && unit === paying && delta < 0n;
      const isCommon = unit === 'both' && (one.mode === 'cross' || delta > 0n);
      if (isOwn || isCommon) paid -= delta;
    }
    return paid;
  }

  #tallyChange(command: Command, event: Event): void {
    if (event.kind === 'contract_order_moved') {
      this.count(event.keptLots > 0 ? 'moved in its place' : 'moved to another');
    } else if (event.kind === 'trigger_order_closed' && event.status === 'triggered') {
      const { workingPrice = 'last' } = event.trigger;
      if (workingPrice !== 'last') this.count(`${workingPrice} price triggered`);
      if (event.trigger.sizeLots === 0) this.count('all of a position triggered');
    } else if (event.kind === 'contract_order_accepted' && command.kind === 'close_position') {
      this.count('order of close_position');
    }
  }

  #tally(command: Command, event: Event): void {
    this.count(event.kind);
    this.#tallyChange(command, event);
    if (event.kind === 'refused') {
      this.count(`refused: ${event.reject}`);
    } else if (isNetting(event)) {
      const book = this.model.book(event.instrumentId);
      this.count(`netted ${this.model.holder(book, event.taker.accountId).mode}`);
      this.count(`netted by ${command.kind}`);
    } else if (event.kind === 'contract_trade') {
      this.count(event.inBook ? 'trade in the book' : 'trade by deleveraging');
      if (event.taker.cause === 'reduction') this.count('trade of a reduction');
      if (event.taker.accountId === event.maker.accountId) this.count('trade with oneself');
      if (event.taker.realizedPnl + event.maker.realizedPnl !== 0n)
        this.count('trade that realises');
    } else if (event.kind === 'contract_order_closed') {
      const { order, reason } = event;
      if (order.cause === 'owner') this.count(`order ended: ${reason}`);
      if (order.cause !== 'owner') this.count(`order by ${order.cause}`);
      const holder = this.model.holder(this.model.book(order.instrumentId), order.accountId);
      const isLeft = order.cause === 'liquidation' && order.filledLots < order.sizeLots;
      if (isLeft && this.model.onWalletOf(holder).length > 1) {
        this.#leftOver.add(order.accountId);
        this.count('loss over several contracts that nobody can take');
      }
    } else if (event.kind === 'trigger_order_closed') {
      this.count(`${event.trigger.purpose} ${event.status}`);
    } else if (event.kind === 'liquidated') {
      this.count(`liquidated ${event.mode} ${event.side}`);
      if (event.fundDelta > 0n) this.count('liquidation that pays the fund');
      if (event.fundDelta < 0n) this.count('liquidation that the fund pays for');
      if (event.deleveragedLots > 0) this.count('liquidation that deleverages');
      if (event.sizeLots === 0) this.count('liquidation that finds nobody');
    } else if (event.kind === 'margin_adjusted') {
      this.count(`margin adjusted: ${event.cause}`);
    } else if (event.kind === 'funding_settled') {
      if (event.collected > 0n) this.count('funding collected');
      if (event.uncollected > 0n) this.count('funding not collected in full');
      if (event.collected > event.distributed) this.count('funding that leaves dust');
    }
  }
}

/** Who took part in what, as `contract account` or `contract account unit`. */
function deedsOf(events: readonly Event[]) {
  const liquidated = new Set<string>();
  const traded = new Set<string>();
  const closed = new Set<string>();
  const netted = new Set<string>();
  for (const event of events) {
    if (event.kind === 'liquidated') {
      const unit = event.mode === 'cross' ? 'both' : event.side;
      liquidated.add(`${event.instrumentId} ${event.accountId} ${unit}`);
    } else if (event.kind === 'margin_adjusted' && event.cause === 'automatic') {
      liquidated.add(`${event.instrumentId} ${event.accountId} ${event.side}`);
    } else if (event.kind === 'contract_order_closed' && event.reason === 'liquidation') {
      const { order } = event;
      liquidated.add(`${order.instrumentId} ${order.accountId} both`);
      liquidated.add(`${order.instrumentId} ${order.accountId} ${sideOf(order)}`);
    } else if (isNetting(event)) {
      const name = `${event.instrumentId} ${event.taker.accountId}`;
      liquidated.add(`${name} both`);
      netted.add(name);
    } else if (event.kind === 'contract_trade') {
      for (const { accountId, action } of [event.taker, event.maker]) {
        const name = `${event.instrumentId} ${accountId}`;
        traded.add(name);
        const closes = action === 'close_long' || action === 'close_short';
        if (event.taker.cause === 'owner' && closes) closed.add(name);
      }
    }
  }
  return { liquidated, traded, closed, netted };
}

function nameOf({ accountId, book }: Holder): string {
  return `${book.contract.instrumentId} ${accountId}`;
}

function copyOf(holder: Holder): Holder {
  return { ...holder, long: { ...holder.long }, short: { ...holder.short } };
}

function markOf(engine: Engine, { instrumentId }: Contract): number {
  return present(engine.contractPrices(instrumentId), 'prices').markTicks;
}

function viewOf(engine: Engine, { accountId, book }: Holder): MarginAccountView {
  const found = engine.marginAccount(accountId, book.contract.instrumentId);
  return present(found, 'margin account');
}

function compareBook(book: Book, views: Views): void {
  let longLots = 0;
  let shortLots = 0;
  for (const holder of book.holders.values()) {
    longLots += holder.long.lots;
    shortLots += holder.short.lots;
    compareHolding(holder, present(views.get(holder), 'view'));
  }
  assert.equal(longLots, shortLots, 'as much is held long as short');
}

/** What is held, and the margin set aside for it: a unit less where rounding left too little. */
function compareHolding(holder: Holder, view: MarginAccountView): void {
  const name = `account ${holder.accountId}`;
  assert.equal(view.marginMode, holder.mode, name);
  const ever = holder.long.everRealized + holder.short.everRealized;
  assert.equal(view.realizedPnl, ever, `${name} realised of all times`);
  for (const at of ['long', 'short'] as const) {
    const [side, shown] = [holder[at], view[at]];
    assert.equal(shown.lots, side.lots, `${name} ${at} lots`);
    assert.equal(shown.leverage, side.leverage, `${name} ${at} leverage`);
    assert.equal(shown.realizedPnl, side.realized, `${name} ${at} realised`);
    assert.ok(shown.availableLots <= side.lots && shown.availableLots >= 0);
    if (holder.mode === 'cross') {
      const used = needed(holder.book.contract, side.open, side.leverage);
      assert.equal(shown.margin, used, `${name} ${at} margin in use`);
      continue;
    }
    const missing = side.margin - shown.margin;
    // Only who has nothing left may lack what the margins of orders, each rounded, come to.
    const isSpent = holder.opened > 0 && view.available === 0n;
    const isRounded = missing >= -side.lacking && missing <= (isSpent ? holder.opened : 0);
    assert.ok(isRounded, `${name} ${at} margin ${shown.margin} instead of ${side.margin}`);
    side.margin = shown.margin;
    // A close in between may round it away before it is made good.
    side.lacking = side.lots === 0 ? 0n : side.lacking + (isSpent ? BigInt(holder.opened) : 0n);
  }
  holder.opened = 0;
}

/** At the price shown a unit is safe, or just not any more; a step further it is liquidated. */
function checkLiquidationPrices(
  holder: Holder,
  view: MarginAccountView,
  moneyOf: (unit: Unit) => bigint,
  others: Others,
): void {
  const net = holder.long.lots - holder.short.lots;
  // The value of an even hedge outgrows the money behind it: in USDT when the price rises, in
  // coins when it falls.
  const netFalls = net === 0 ? holder.book.contract.kind === 'inverse' : net > 0;
  for (const at of ['long', 'short'] as const) {
    const { liquidationTicks, lots } = view[at];
    if (lots === 0) assert.equal(liquidationTicks, 0, 'a flat side has no liquidation price');
    if (liquidationTicks === 0) continue;
    const unit = holder.mode === 'isolated' ? at : 'both';
    const falls = unit === 'both' ? netFalls : at === 'long';
    const beyond = liquidationTicks + (falls ? -1 : 1);
    const before = liquidationTicks - (falls ? -1 : 1);
    const money = moneyOf(unit);
    assert.ok(beyond === 0 || isBelow(holder, unit, money, beyond, others), 'liquidated beyond it');
    assert.ok(before === 0 || !isBelow(holder, unit, money, before, others), 'safe before it');
  }
}

function isStaleNow(engine: Engine, { instrumentId }: Contract): boolean {
  return present(engine.contractPrices(instrumentId), 'prices').indexStale;
}
