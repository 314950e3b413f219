/** Figures of an account at the mark price, worked out anew: of a contract and of its wallet. */
import { strict as assert } from 'node:assert/strict';
import type { Contract, MarginAccountView } from '#domain';
import { present } from '#kernel';
import {
  ceilDiv,
  fineOf,
  floorDiv,
  floorOf,
  gainOf,
  type Holder,
  isHeld,
  needed,
  type Others,
  othersAt,
  thresholdOf,
  worthOf,
} from './swap-arithmetic.ts';

const AVERAGE_SCALE = 10n ** 8n;
const RATIO_SCALE = 10n ** 8n;

/** Isolated margins are always there; without anything cross, so is all that is set aside. */
export function checkCover(
  wallet: readonly Holder[],
  view: MarginAccountView,
  balance: bigint,
): void {
  assert.equal(view.balance, balance);
  const margins = asideOf(wallet);
  assert.ok(margins <= balance, `account ${view.accountId}: margins of ${margins} in ${balance}`);
  if (wallet.some(({ mode }) => mode === 'cross')) return;
  const used = view.marginFrozen + margins;
  assert.ok(used <= balance, `account ${view.accountId}: ${used} set aside of ${balance}`);
}

function asideOf(wallet: readonly Holder[]): bigint {
  return wallet.reduce((sum, { long, short }) => sum + long.margin + short.margin, 0n);
}

/** Figures of one contract at the mark price, worked out anew. */
export function compareFigures(holder: Holder, view: MarginAccountView, mark: number): void {
  const { contract } = holder.book;
  for (const at of ['long', 'short'] as const) {
    const gain = gainAt(holder, at, mark);
    assert.equal(view[at].unrealizedPnl, floorOf(contract, gain), 'profit of a side');
    assert.equal(view[at].averageEntry, averageOf(contract, holder[at]), 'average entry');
    if (holder.mode === 'cross') continue;
    const ratio = ratioOf(worthOf(holder, at, holder[at].margin, mark));
    assert.equal(view[at].marginRatio, ratio, 'margin ratio of a side');
  }
  const pnl = gainAt(holder, 'long', mark) + gainAt(holder, 'short', mark);
  assert.equal(view.unrealizedPnl, floorOf(contract, pnl));
}

function gainAt({ book, ...holder }: Holder, at: 'long' | 'short', mark: number): bigint {
  const { contract } = book;
  const { lots, open } = holder[at];
  return gainOf(contract, at, open, lots === 0 ? 0n : fineOf(contract, lots, mark));
}

/** Figures of the money that several contracts may stand on, summed over all of them. */
export function compareWallet(
  wallet: readonly Holder[],
  view: MarginAccountView,
  markOf: (contract: Contract) => number,
): void {
  const sumOver = (holders: readonly Holder[], of: (holder: Holder) => bigint) =>
    holders.reduce((sum, holder) => sum + of(holder), 0n);
  const gainOfBoth = (holder: Holder) => {
    const mark = markOf(holder.book.contract);
    return gainAt(holder, 'long', mark) + gainAt(holder, 'short', mark);
  };
  const [first] = wallet;
  const contract = present(first, 'contract of a wallet').book.contract;
  assert.equal(view.equity, view.balance + floorOf(contract, sumOver(wallet, gainOfBoth)));
  const cross = wallet.filter((holder) => holder.mode === 'cross' && isHeld(holder));
  const free = view.balance - view.marginFrozen - asideOf(wallet);
  const usedBy = ({ book, long, short }: Holder) =>
    needed(book.contract, long.open, long.leverage) +
    needed(book.contract, short.open, short.leverage);
  const pnl = floorOf(contract, sumOver(cross, gainOfBoth));
  const beside = free - sumOver(cross, usedBy) + (pnl < 0n ? pnl : 0n);
  const { kept } = crossAt(cross, markOf);
  const least = ceilDiv(kept, 1_000_000n * contract.fineFactor) + 1n;
  const spare = cross.length === 0 ? free : free + pnl - least;
  const available = beside < spare ? beside : spare;
  assert.equal(view.available, available > 0n ? available : 0n, 'available');
}

/** As othersAt, of one inverse contract as well. */
function crossAt(cross: readonly Holder[], markOf: (contract: Contract) => number) {
  const [only] = cross;
  if (only?.book.contract.kind !== 'inverse') return othersAt(cross, markOf);
  const { long, short, book } = only;
  const value = fineOf(book.contract, Math.max(long.lots, short.lots), markOf(book.contract));
  return { kept: value * thresholdOf(book.contract, long.lots + short.lots) };
}

export function compareRatio(
  holder: Holder,
  view: MarginAccountView,
  mark: number,
  money: bigint,
  others: Others,
): void {
  if (holder.mode === 'isolated') return;
  const worth = worthOf(holder, 'both', money, mark, others);
  const ratio = isHeld(holder) ? ratioOf(worth) : 0n;
  assert.equal(view.marginRatio, ratio, 'margin ratio of an account');
}

/** Equity over value, in 10^-8, rounded down. */
function ratioOf({ equity, value }: Pick<ReturnType<typeof worthOf>, 'equity' | 'value'>): bigint {
  return value === 0n ? 0n : floorDiv(equity * RATIO_SCALE, value);
}

function averageOf(contract: Contract, { lots, open }: Holder['long']): bigint {
  if (lots === 0) return 0n;
  const whole = BigInt(lots) * contract.valueFactor * AVERAGE_SCALE;
  const [above, below] =
    contract.kind === 'linear'
      ? [open * AVERAGE_SCALE, BigInt(lots) * contract.valueFactor * contract.fineFactor]
      : [whole * contract.fineFactor, open];
  return (2n * above + below) / (2n * below);
}
