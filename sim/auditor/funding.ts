/**
 * Funding: when it is due, who pays how much down to the threshold, and how what was collected is
 * shared. Worked out from positions and the mark price before the bills are looked at.
 */
import type { BalanceChanged, Command, FundingSettled, HoldSide } from '#domain';
import { ceilDivide, floorDivide, least, most, PPB, PPM } from './figures.ts';
import { nextFunding } from './funding-times.ts';
import { must, mustBe } from './judge.ts';
import { healthOf, heldIn, isolatedMargins, valueAt } from './margin.ts';
import { type ContractBook, type Model, marginWalletName, type Seat, walletOf } from './model.ts';
import { beginAverage, rateOf } from './prices.ts';
import type { Turn } from './turn.ts';

/** A month of three a day. */
const CHARGED_MAX = 93;

interface Party {
  readonly seat: Seat;
  readonly side: HoldSide;
  readonly value: bigint;
}

export function settled(
  model: Model,
  turn: Turn,
  book: ContractBook,
  event: FundingSettled,
  bills: readonly BalanceChanged[],
): void {
  const { terms, now } = book;
  const next = expectedNext(model, turn);
  mustBe('funding', 'contract of a settlement', terms.instrumentId, next?.book.terms.instrumentId);
  mustBe('funding', 'time of a settlement', event.fundingTimeMs, next?.atMs);
  mustBe('funding', 'how many are skipped', event.skippedCount, next?.skipped);
  mustBe('funding', 'mark price of a settlement', event.markTicks, now.markTicks);
  const isSkipped = event.skippedCount > 0;
  mustBe('funding', 'rate of a settlement', event.ratePpb, isSkipped ? 0 : rateOf(book));
  book.nextFundingMs = nextFunding(terms, event.fundingTimeMs);
  beginAverage(book);
  const rate = BigInt(Math.abs(event.ratePpb));
  const paying: HoldSide = event.ratePpb > 0 ? 'long' : 'short';
  const whole = book.fine * PPB;
  const expected = new Map<string, bigint>();
  let collected = 0n;
  let uncollected = 0n;
  for (const party of rate === 0n ? [] : partiesOf(book, paying, event.markTicks)) {
    const due = ceilDivide(party.value * rate, whole);
    const paid = least(due, bearable(model, turn, book, party));
    collected += paid;
    uncollected += due - paid;
    if (paid > 0n) expected.set(keyOf(party), -paid);
    if (party.seat.mode === 'isolated') party.seat[party.side].margin -= paid;
  }
  const receivers = partiesOf(book, paying === 'long' ? 'short' : 'long', event.markTicks);
  const total = receivers.reduce((sum, { value }) => sum + value, 0n);
  let distributed = 0n;
  for (const party of collected === 0n ? [] : receivers) {
    const share = least((collected * party.value) / total, (party.value * rate) / whole);
    distributed += share;
    if (share > 0n) expected.set(keyOf(party), share);
  }
  mustBe('funding', 'what was collected', event.collected, collected);
  mustBe('funding', 'what was not collected', event.uncollected, uncollected);
  mustBe('funding', 'what was distributed', event.distributed, distributed);
  const said = new Map(bills.map((bill) => [billKey(bill), bill.delta]));
  mustBe('funding', 'the bills', textOf(said), textOf(expected));
  const totals = model.totals[terms.margin.assetId];
  if (totals !== undefined) totals.insurance += collected - distributed;
  turn.count(isSkipped ? 'settlements skipped' : 'funding settled');
}

const PASSES: ReadonlySet<Command['kind']> = new Set([
  ...(['suspend_instrument', 'reset_to_checkpoint', 'settle_funding'] as const),
]);

/** Nothing passes a settlement but what takes a contract, or all, out of its way. */
export function nothingDue(model: Model, { command, timeMs }: Turn): void {
  if (PASSES.has(command.kind)) return;
  for (const { terms, nextFundingMs } of model.contracts.values()) {
    const isAhead = terms.status === 'suspended' || nextFundingMs > timeMs;
    must(isAhead, 'funding', () => `${terms.instrumentId} is not settled`);
  }
}

interface Next {
  readonly book: ContractBook;
  readonly atMs: number;
  readonly skipped: number;
}

/** The earliest one that is missed, where no more than so many are charged one by one. */
function expectedNext(model: Model, { command, timeMs }: Turn): Next | undefined {
  if (command.kind !== 'settle_funding') return undefined;
  let first: Next | undefined;
  for (const book of model.contracts.values()) {
    if (book.terms.status === 'suspended') continue;
    const missed = missedBy(book, command.untilMs);
    const skipped = Math.max(0, missed.length - CHARGED_MAX);
    const atMs = missed[Math.max(0, skipped - 1)];
    if (atMs !== undefined && (first === undefined || atMs < first.atMs)) {
      first = { book, atMs, skipped };
    }
  }
  if (first !== undefined) must(timeMs >= first.atMs, 'funding', () => 'it is settled too early');
  return first;
}

function missedBy({ terms, nextFundingMs }: ContractBook, untilMs: number): number[] {
  const missed: number[] = [];
  for (let atMs = nextFundingMs; atMs <= untilMs; atMs = nextFunding(terms, atMs)) {
    missed.push(atMs);
  }
  return missed;
}

function partiesOf(book: ContractBook, side: HoldSide, markTicks: number): Party[] {
  const found: Party[] = [];
  for (const seat of book.seats.values()) {
    const { lots } = seat[side];
    if (lots > 0) found.push({ seat, side, value: valueAt(book, lots, markTicks) });
  }
  return found;
}

/** No more than what brings it down to its threshold, nor than the money it stands on. */
function bearable(model: Model, turn: Turn, book: ContractBook, { seat, side }: Party): bigint {
  const isCross = seat.mode === 'cross';
  const health = healthOf(model, book, seat, isCross ? 'both' : side, turn.marks);
  if (health === undefined) return 0n;
  const equity = floorDivide(health.equity, health.over);
  const isInverse = book.terms.kind === 'inverse';
  // The value of which a part is to be kept is cut like any other.
  const kept = isInverse
    ? floorDivide(health.value, health.over) * (health.kept / health.value)
    : health.kept;
  const spare = floorDivide(equity - ceilDivide(kept, PPM), book.fine);
  const wallet = marginWalletName(model.accounts.get(seat.accountId), book.terms);
  const { assetId } = book.terms.margin;
  const owned = walletOf(model, seat.accountId, wallet, assetId);
  const seats = heldIn(model, seat.accountId, wallet, assetId);
  const money = isCross ? owned - isolatedMargins(seats) : least(seat[side].margin, owned);
  return most(0n, least(spare, money));
}

function keyOf({ seat, side }: Party): string {
  return `${seat.accountId} ${side}`;
}

function billKey({ accountId, position }: BalanceChanged): string {
  return `${accountId} ${position?.side}`;
}

function textOf(bills: ReadonlyMap<string, bigint>): string {
  return [...bills]
    .map(([key, delta]) => `${key}: ${delta}`)
    .sort()
    .join(', ');
}
