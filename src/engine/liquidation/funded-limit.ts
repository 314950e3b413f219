/** The prices past the bankruptcy price that the insurance fund pays for. */
import { type AccountId, PPM_BIG, type Ticks, ticks } from '#domain';
import { mulDivCeil, mulDivFloor } from '#kernel';
import { accepts, opposite } from '../book/book.ts';
import type { ContractOrder } from '../swap/order.ts';

/** How far past the mark price the insurance fund still pays: 2 %. */
const FUND_REACH_PARTS = 50;

/** How many resting orders are looked at for depth. */
const DEPTH_ORDERS_MAX = 1_000;

/**
 * How much worse than the bankruptcy price the fund can pay for, and not past the mark +- 2 %. In a
 * book that hangs on one account the fund pays nothing: the limit stays as it is.
 */
export function fundedLimit(order: ContractOrder, limit: Ticks): Ticks {
  const { contract, markTicks } = order.market;
  const isLinear = contract.kind === 'linear';
  const sells = order.side === 'sell';
  const bound = Math.trunc(markTicks / FUND_REACH_PARTS);
  const reach = sells ? markTicks - bound : markTicks + bound;
  const fund = spendable(order);
  const size = BigInt(order.openLots) * contract.valueFactor;
  const paid = isLinear
    ? BigInt(limit) + (sells ? -fund / size : fund / size)
    : inverseReach(size, BigInt(limit), fund, sells);
  const paidTicks = paid === undefined ? reach : Number(paid);
  const found = sells ? Math.max(reach, paidTicks) : Math.min(reach, paidTicks);
  const isWorse = sells ? found < limit : found > limit;
  return isWorse && found > 0 && hasDepth(order, found) ? ticks(found) : limit;
}

/**
 * Whether the book takes the rest of the order down to a price even without whoever bids most
 * there: two accounts that play into each other's hands have nobody else in their book.
 */
function hasDepth({ accountId, side, openLots, market }: ContractOrder, found: number): boolean {
  const byAccount = new Map<AccountId, number>();
  let [count, sum, most] = [0, 0, 0];
  for (const resting of market.book.orders(opposite(side))) {
    if (count === DEPTH_ORDERS_MAX || !accepts(side, ticks(found), resting.priceTicks)) break;
    count += 1;
    if (resting.accountId === accountId) continue;
    const own = (byAccount.get(resting.accountId) ?? 0) + resting.openLots;
    byAccount.set(resting.accountId, own);
    sum += resting.openLots;
    most = Math.max(most, own);
    if (sum - most >= openLots) return true;
  }
  return false;
}

/** What the fund has for a worse price: where that makes the fill dearer, its fee grows, too. */
function spendable({ market, side, frozenFeePpm }: ContractOrder): bigint {
  const fund = market.fund.payable;
  const isDearer = (side === 'buy') === (market.contract.kind === 'linear');
  return isDearer ? mulDivFloor(fund, PPM_BIG, PPM_BIG + BigInt(frozenFeePpm)) : fund;
}

/** The price whose value differs from that of the limit by the fund; undefined for any price. */
function inverseReach(
  size: bigint,
  limit: bigint,
  fund: bigint,
  sells: boolean,
): bigint | undefined {
  if (sells) return mulDivCeil(size, limit, size + fund * limit);
  const denominator = size - fund * limit;
  return denominator <= 0n ? undefined : mulDivFloor(size, limit, denominator);
}
