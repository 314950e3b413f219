/**
 * A second set of books, kept from events alone and with arithmetic of its own: what every account
 * holds and owns, what the venue took, what the insurance fund has. It knows nothing of orders,
 * matching or prices; it asserts that each event says what follows from those before it.
 */
import { strict as assert } from 'node:assert/strict';
import {
  type AccountId,
  type AccountSettings,
  type AssetId,
  type Contract,
  type ContractFill,
  type ContractOrderAccepted,
  type ContractOrderMoved,
  type ContractTrade,
  type Event,
  type FundingSettled,
  type HoldSide,
  type InstrumentId,
  type Liquidated,
  marginWallet,
  type OrderId,
  type Wallet,
} from '#domain';
import { present } from '#kernel';
import {
  type Book,
  buys,
  type Change,
  ceilDiv,
  closing,
  fineOf,
  floorOf,
  type Holder,
  isBelow,
  isHeld,
  isNetting,
  needed,
  opens,
  othersAt,
  type Side,
  sideOf,
} from './swap-arithmetic.ts';

const PPM = 1_000_000n;
const PPB = 1_000_000_000n;
/** Pieces of a forced close can be rounded down by this much in all before the fund steps in. */
const ROUNDING_MAX = 40n;

/** A takeover under way: the margin behind the position, and what its order made of it so far. */
interface Takeover {
  readonly orderId: number;
  readonly side: HoldSide;
  readonly margin: bigint;
  /** Whether the margin is known to the unit. */
  readonly isExact: boolean;
  result: bigint;
  dustUnits: bigint;
}

export class Model {
  readonly books = new Map<InstrumentId, Book>();
  readonly balances = new Map<string, bigint>();
  readonly fees = new Map<AssetId, bigint>();
  readonly funds = new Map<AssetId, bigint>();
  /** Deposited less withdrawn. */
  readonly inside = new Map<AssetId, bigint>();
  readonly #settings = new Map<AccountId, AccountSettings>();
  /** The mark prices that the events of a command came about at. */
  #markOf: (contract: Contract) => number = () => 0;
  readonly #takerRates = new Map<OrderId, number>();
  /** Exact fees of each order so far, in PPM parts of fine units. */
  readonly #owedFees = new Map<OrderId, bigint>();
  #takeover: Takeover | undefined;

  /** Books the events of one command. */
  follow(events: readonly Event[], markOf: (contract: Contract) => number): void {
    this.#markOf = markOf;
    const forced = new Map<number, HoldSide>();
    for (const event of events) {
      if (event.kind !== 'contract_order_closed' || event.order.cause !== 'liquidation') continue;
      forced.set(event.order.orderId, sideOf(event.order));
    }
    events.forEach((event, at) => {
      if (event.kind === 'contract_order_accepted') {
        this.#accept(event);
        const side = forced.get(event.orderId);
        if (side !== undefined) this.#begin(event, side);
      } else if (event.kind === 'funding_settled') {
        this.#fund(event, events.slice(at + 1));
      } else {
        this.#follow(event);
      }
    });
  }

  book(id: InstrumentId): Book {
    return present(this.books.get(id), 'contract');
  }

  holder(book: Book, accountId: AccountId): Holder {
    const known = book.holders.get(accountId);
    if (known !== undefined) return known;
    const leverage = Math.min(20, book.contract.leverageMax);
    const made: Holder = {
      accountId,
      book,
      mode: this.#walletOf(accountId, book) === 'margin' ? 'cross' : 'isolated',
      long: {
        lots: 0,
        open: 0n,
        margin: 0n,
        realized: 0n,
        everRealized: 0n,
        leverage,
        lacking: 0n,
      },
      short: {
        lots: 0,
        open: 0n,
        margin: 0n,
        realized: 0n,
        everRealized: 0n,
        leverage,
        lacking: 0n,
      },
      opened: 0,
    };
    book.holders.set(accountId, made);
    return made;
  }

  balance(accountId: AccountId, book: Book): bigint {
    const { assetId } = book.contract.margin;
    return this.balances.get(key(accountId, this.#walletOf(accountId, book), assetId)) ?? 0n;
  }

  /** Everything of an account that stands on the same wallet as this. */
  onWalletOf({ accountId, book }: Holder): Holder[] {
    const wallet = this.#walletOf(accountId, book);
    const { assetId } = book.contract.margin;
    return [...this.books.values()]
      .filter(
        (one) =>
          one.contract.margin.assetId === assetId && this.#walletOf(accountId, one) === wallet,
      )
      .flatMap((one) => one.holders.get(accountId) ?? []);
  }

  /** What else is cross and held on the same wallet. */
  peersOf(holder: Holder): Holder[] {
    const all = this.onWalletOf(holder);
    return all.filter((one) => one !== holder && one.mode === 'cross' && isHeld(one));
  }

  /** What isolated margins leave of the wallet. */
  crossMoney(holder: Holder): bigint {
    const aside = this.onWalletOf(holder).reduce(
      (sum, { long, short }) => sum + long.margin + short.margin,
      0n,
    );
    return this.balance(holder.accountId, holder.book) - aside;
  }

  #walletOf(accountId: AccountId, { contract }: Book): Wallet {
    return marginWallet(present(this.#settings.get(accountId), 'settings'), contract);
  }

  #follow(event: Event): void {
    switch (event.kind) {
      case 'account_created':
      case 'account_updated':
        this.#settings.set(event.accountId, event.settings);
        break;
      case 'contract_listed': {
        const { contract } = event;
        const empty = { holders: new Map(), clearing: 0n, dust: 0n };
        this.books.set(contract.instrumentId, { contract, ...empty });
        break;
      }
      case 'contract_order_moved':
        if (event.keptLots === 0) this.#moved(event);
        break;
      case 'contract_updated':
        this.book(event.contract.instrumentId).contract = event.contract;
        break;
      case 'balance_changed': {
        const { accountId, wallet, assetId, delta, balanceBefore, reason } = event;
        const at = key(accountId, wallet, assetId);
        assert.equal(balanceBefore, this.balances.get(at) ?? 0n, 'a bill continues the last one');
        add(this.balances, at, delta);
        if (reason === 'deposit' || reason === 'withdraw') add(this.inside, assetId, delta);
        break;
      }
      case 'insurance_funded':
        add(this.funds, event.assetId, event.amount);
        add(this.inside, event.assetId, event.amount);
        break;
      case 'contract_settings_changed': {
        const holder = this.holder(this.book(event.instrumentId), event.accountId);
        holder.mode = event.marginMode;
        relever(holder, holder.long, event.longLeverage);
        relever(holder, holder.short, event.shortLeverage);
        break;
      }
      case 'trigger_order_accepted':
        this.holder(this.book(event.trigger.instrumentId), event.trigger.accountId);
        break;
      case 'margin_adjusted':
        this.holder(this.book(event.instrumentId), event.accountId)[event.side].margin +=
          event.delta;
        break;
      case 'contract_trade':
        this.#trade(event);
        break;
      case 'liquidated':
        this.#liquidated(event);
        break;
      default:
    }
  }

  #trade(event: ContractTrade): void {
    const book = this.book(event.instrumentId);
    const { contract } = book;
    const { taker, maker, sizeLots, priceTicks, inBook } = event;
    const value = fineOf(contract, sizeLots, priceTicks);
    assert.equal(event.quoteAmount, floorOf(contract, value), 'a trade names its value');
    const outside = taker.accountId === maker.accountId ? 'netting' : 'deleveraging';
    const isOutside = maker.cause === 'netting' || maker.cause === 'deleveraging';
    assert.equal(isOutside, !inBook, 'deleveraging and netting are not in the book');
    if (!inBook) assert.deepEqual([taker.cause, maker.cause], [outside, outside]);
    assert.equal(event.takerSide, buys(taker) ? 'buy' : 'sell');
    assert.notEqual(buys(taker), buys(maker), 'one buys what the other sells');
    const fills = [taker, maker].map((fill) => {
      // Worked out before either party is booked: they may be one account.
      return { fill, change: this.#change(book, fill, sizeLots, value) };
    });
    if (isNetting(event)) roundOnce(contract, fills);
    const [taking = 0n, making] = fills.map(
      ({ fill, change }) => fill.realizedPnl - floorOf(contract, change?.gain ?? 0n),
    );
    assert.equal(making, -taking, 'what rounding takes from one the other goes without');
    const step = fineOf(contract, sizeLots, priceTicks + contract.priceStepTicks) - value;
    const most = inBook ? 0n : (step < 0n ? -step : step) / contract.fineFactor + ROUNDING_MAX;
    const moved = taking < 0n ? -taking : taking;
    assert.ok(moved <= most, `made good: ${taking} of at most ${most}`);
    for (const { fill, change } of fills) {
      const fee = inBook ? this.#takeFee(contract, fill, value, fill === taker) : 0n;
      assert.equal(fill.fee, fee, 'the fee of a fill');
      this.#apply(book, fill, sizeLots, value, change);
    }
  }

  #accept({ accountId, instrumentId, orderId, terms }: ContractOrderAccepted): void {
    const book = this.book(instrumentId);
    this.holder(book, accountId);
    const { takerFeePpm } = present(this.#settings.get(accountId), 'settings');
    const own = takerFeePpm ?? book.contract.takerFeePpm;
    const isForced = terms.cause !== 'owner';
    this.#takerRates.set(orderId, isForced ? Math.min(own, book.contract.takerFeePpm) : own);
  }

  /** Its fees begin anew, at the rate of now. */
  #moved({ order }: ContractOrderMoved): void {
    const { takerFeePpm } = present(this.#settings.get(order.accountId), 'settings');
    const rate = takerFeePpm ?? this.book(order.instrumentId).contract.takerFeePpm;
    this.#takerRates.set(order.orderId, rate);
    this.#owedFees.delete(order.orderId);
  }

  #change(book: Book, fill: ContractFill, size: number, value: bigint): Change | undefined {
    if (opens(fill)) return undefined;
    const side = this.holder(book, fill.accountId)[sideOf(fill)];
    return closing(book.contract, sideOf(fill), side, size, value);
  }

  /**
   * An order is charged by what it does, and never more than what applied when it came in: the fees
   * of all its fills together are the exact sum, rounded up once.
   */
  #takeFee(contract: Contract, fill: ContractFill, value: bigint, isTaker: boolean): bigint {
    const settings = present(this.#settings.get(fill.accountId), 'settings');
    const accepted = present(this.#takerRates.get(fill.orderId), 'rate of an order');
    const making = settings.makerFeePpm ?? contract.makerFeePpm;
    const rate = isTaker ? accepted : Math.min(making, accepted);
    const before = this.#owedFees.get(fill.orderId) ?? 0n;
    const after = before + value * BigInt(rate);
    this.#owedFees.set(fill.orderId, after);
    const whole = PPM * contract.fineFactor;
    return ceilDiv(after, whole) - ceilDiv(before, whole);
  }

  #apply(
    book: Book,
    fill: ContractFill,
    size: number,
    value: bigint,
    change: Change | undefined,
  ): void {
    const holder = this.holder(book, fill.accountId);
    const side = holder[sideOf(fill)];
    this.#pay(book, fill.accountId, fill.realizedPnl - fill.fee);
    add(this.fees, book.contract.margin.assetId, fill.fee);
    if (change === undefined) {
      if (holder.mode === 'isolated') {
        const before = needed(book.contract, side.open, side.leverage);
        side.margin += needed(book.contract, side.open + value, side.leverage) - before;
        holder.opened += 1;
      }
      side.open += value;
      side.lots += size;
      return;
    }
    this.#close(book, side, size, change, fill.realizedPnl);
    if (fill.orderId === this.#takeover?.orderId) {
      this.#takeover.result += fill.realizedPnl - fill.fee;
    }
  }

  #close(book: Book, side: Side, size: number, change: Change, booked: bigint): void {
    const { contract } = book;
    assert.ok(size <= side.lots, 'no more is closed than is held');
    side.lots -= size;
    side.open -= change.share;
    side.margin -= change.release;
    side.realized = side.lots === 0 ? 0n : side.realized + booked;
    side.everRealized += booked;
    book.clearing -= booked;
    book.dust += change.gain - floorOf(contract, change.gain) * contract.fineFactor;
    const units = book.dust / contract.fineFactor;
    book.dust -= units * contract.fineFactor;
    book.clearing -= units;
    add(this.funds, contract.margin.assetId, units);
    if (this.#takeover !== undefined) this.#takeover.dustUnits += units;
  }

  #begin({ accountId, instrumentId, orderId }: ContractOrderAccepted, side: HoldSide): void {
    const holder = this.holder(this.book(instrumentId), accountId);
    const { margin } = holder[side];
    const isExact = holder.opened === 0;
    this.#takeover = { orderId, side, margin, isExact, result: 0n, dustUnits: 0n };
  }

  /** A unit that is taken over leaves nothing: its money went into its losses or to the fund. */
  #liquidated(event: Liquidated): void {
    const book = this.book(event.instrumentId);
    const { accountId, mode } = event;
    const takeover = present(this.#takeover, 'takeover');
    this.#takeover = undefined;
    const toFund = event.fundDelta - takeover.dustUnits;
    add(this.funds, book.contract.margin.assetId, toFund);
    this.#pay(book, accountId, -toFund);
    const holder = this.holder(book, accountId);
    const lost = toFund - takeover.result;
    if (mode === 'cross') {
      if (isHeld(holder) || this.peersOf(holder).length > 0) return;
      assert.equal(this.crossMoney(holder), 0n, 'all of what is crossed is gone');
    } else if (takeover.isExact) {
      if (holder[event.side].lots === 0) assert.equal(lost, takeover.margin, 'the margin, exactly');
      else assert.ok(lost <= takeover.margin, 'no more than the margin');
    }
  }

  /** One side pays, no further than its threshold; the other shares it; the rest is the fund's. */
  #fund(event: FundingSettled, after: readonly Event[]): void {
    const book = this.book(event.instrumentId);
    const bills = fundingBills(after);
    const [collected, uncollected] = this.#collect(book, event, bills);
    assert.deepEqual([event.collected, event.uncollected], [collected, uncollected], 'collected');
    const receivers = holding(book, event, event.ratePpb > 0 ? 'short' : 'long');
    const total = receivers.reduce((sum, { value }) => sum + value, 0n);
    let distributed = 0n;
    for (const { holder, value } of receivers) {
      const shared = (collected * value) / total;
      const owed = (value * BigInt(Math.abs(event.ratePpb))) / (PPB * book.contract.fineFactor);
      const share = shared < owed ? shared : owed;
      const got = (bills.get(holder.accountId) ?? []).find((delta) => delta > 0n) ?? 0n;
      assert.equal(got, share, 'everybody receives in proportion, and never above what is due');
      holder.long.everRealized += got;
      distributed += share;
    }
    assert.equal(event.distributed, distributed);
    const payers = holding(book, event, event.ratePpb > 0 ? 'long' : 'short');
    const roundedCount = BigInt(payers.length + receivers.length);
    assert.ok(collected - distributed <= roundedCount, 'only dust is left over');
    add(this.funds, book.contract.margin.assetId, collected - distributed);
  }

  #collect(book: Book, event: FundingSettled, bills: FundingBills): readonly [bigint, bigint] {
    const side = event.ratePpb > 0 ? 'long' : 'short';
    const rate = BigInt(Math.abs(event.ratePpb));
    let collected = 0n;
    let uncollected = 0n;
    for (const { holder, value } of holding(book, event, side)) {
      const due = ceilDiv(value * rate, PPB * book.contract.fineFactor);
      const [first = 0n] = bills.get(holder.accountId) ?? [];
      const paid = first < 0n ? -first : 0n;
      this.#checkPayer(holder, side, event.markTicks, due, paid);
      if (holder.mode === 'isolated') holder[side].margin -= paid;
      holder[side].everRealized -= paid;
      collected += paid;
      uncollected += due - paid;
    }
    return [collected, uncollected];
  }

  /** Paying takes nobody below the threshold; nobody is let off who could have paid. */
  #checkPayer(holder: Holder, side: HoldSide, mark: number, due: bigint, paid: bigint): void {
    assert.ok(paid >= 0n && paid <= due, `paid ${paid} of ${due}`);
    const unit = holder.mode === 'isolated' ? side : 'both';
    const money = holder.mode === 'isolated' ? holder[side].margin : this.crossMoney(holder);
    const peers = holder.mode === 'isolated' ? [] : this.peersOf(holder);
    const others = othersAt(peers, this.#markOf);
    if (isBelow(holder, unit, money, mark, others)) {
      assert.equal(paid, 0n, 'whoever is to be liquidated pays nothing');
      return;
    }
    assert.ok(!isBelow(holder, unit, money - paid + 1n, mark, others), 'paying takes nobody below');
    const isSpent = paid === money || isBelow(holder, unit, money - paid - 3n, mark, others);
    assert.ok(paid === due || isSpent, 'a payer pays what it can');
  }

  #pay(book: Book, accountId: AccountId, amount: bigint): void {
    const { assetId } = book.contract.margin;
    add(this.balances, key(accountId, this.#walletOf(accountId, book), assetId), amount);
  }
}

/** What funding did to each account: who pays on one side may receive on the other, after it. */
type FundingBills = ReadonlyMap<AccountId, readonly bigint[]>;

function fundingBills(events: readonly Event[]): FundingBills {
  const bills = new Map<AccountId, readonly bigint[]>();
  for (const event of events) {
    if (event.kind !== 'balance_changed' || event.reason !== 'funding') break;
    bills.set(event.accountId, [...(bills.get(event.accountId) ?? []), event.delta]);
  }
  return bills;
}

/** Everybody on one side with the value held at the mark price; nobody when nothing is charged. */
function holding({ contract, holders }: Book, event: FundingSettled, side: HoldSide) {
  return [...holders.values()]
    .filter((holder) => event.ratePpb !== 0 && holder[side].lots > 0)
    .map((holder) => ({ holder, value: fineOf(contract, holder[side].lots, event.markTicks) }));
}

export function key(accountId: AccountId, wallet: string, assetId: AssetId): string {
  return `${accountId} ${wallet} ${assetId}`;
}

/** What is netted is one profit, rounded once: the second fill takes what the first one left. */
function roundOnce(contract: Contract, fills: { change: Change | undefined }[]): void {
  const [first, second] = fills;
  assert.ok(first?.change !== undefined && second?.change !== undefined, 'both sides close');
  const kept = floorOf(contract, first.change.gain) * contract.fineFactor;
  const gain = second.change.gain + first.change.gain - kept;
  first.change = { ...first.change, gain: kept };
  second.change = { ...second.change, gain };
}

function add<K>(sums: Map<K, bigint>, at: K, amount: bigint): void {
  sums.set(at, (sums.get(at) ?? 0n) + amount);
}

/** A leverage takes what is then missing of the entry margin, or frees what is too much. */
function relever(holder: Holder, side: Side, leverage: number): void {
  if (holder.mode === 'isolated') {
    const { contract } = holder.book;
    const missing =
      needed(contract, side.open, leverage) - needed(contract, side.open, side.leverage);
    side.margin += missing;
  }
  side.leverage = leverage;
}
