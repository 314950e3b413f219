/** What must hold of a contract between two commands. Walks everything: for tests and audits. */
import { type Amount, type FineAmount, holdSideOf, isOpen } from '#domain';
import { assert } from '#kernel';
import type { Balance } from '../ledger/balance.ts';
import type { MarginAccount } from '../margin/margin-account.ts';
import { MarginWallet } from '../margin/margin-wallet.ts';
import type { State } from '../state.ts';
import type { SwapMarket } from '../swap/market.ts';
import { frozenOf } from '../swap/order.ts';

export function checkMarket(state: State, market: SwapMarket): void {
  market.book.check();
  const mismatch = mismatchOf(market);
  assert(mismatch === undefined, `${market.contract.symbol}: ${mismatch}`);
  for (const margin of market.accounts.values()) {
    checkAccount(state, margin);
    assert(market.holding.has(margin) !== margin.isFlat, 'who holds something is known');
  }
}

/** Why a contract's positions do not add up; undefined when they do. */
export function mismatchOf(market: SwapMarket): string | undefined {
  let longLots = 0;
  let shortLots = 0;
  let open: FineAmount = 0n;
  for (const { long, short } of market.accounts.values()) {
    longLots += long.lots;
    shortLots += short.lots;
    open += long.open - short.open;
  }
  if (longLots !== shortLots) return `${longLots} lots are held long and ${shortLots} short`;
  if (longLots !== market.longLots || shortLots !== market.shortLots) return 'lots are miscounted';
  const { contract, clearing, dust } = market;
  const owed = contract.kind === 'linear' ? open : -open;
  if (dust < 0n || dust >= contract.fineFactor) return 'dust is not a fraction of a unit';
  if (dust - clearing * contract.fineFactor !== owed) return 'the clearing differs from positions';
  return undefined;
}

function checkAccount(state: State, margin: MarginAccount): void {
  const { long, short, balance, mode } = margin;
  assert(balance.balance >= 0n, 'no margin balance is below zero');
  for (const position of [long, short]) {
    const { side, lots, open, margin: own, frozenLots, pendingLots } = position;
    assert(lots > 0 || (open === 0n && own === 0n), 'a flat side is worth nothing');
    assert(
      own >= 0n && (mode === 'isolated' || own === 0n),
      'only an isolated side has its own margin',
    );
    const orders = [...state.contractOrdersOf(margin, side)];
    const closing = sumOf(orders.filter(({ action }) => !isOpen(action)));
    const resting = orders.filter(({ level }) => level !== null);
    const opening = sumOf(resting.filter(({ action }) => isOpen(action)));
    assert(closing === frozenLots && frozenLots <= lots, 'closes are covered by the position');
    assert(opening === pendingLots, 'resting opens are counted');
    const isFrozen = orders.every((order) => order.frozen === frozenOf(order));
    assert(isFrozen, 'an order knows what it has frozen');
    const tpSl = [...margin.triggers(side)].filter(({ purpose }) => purpose !== 'trigger');
    assert(lots > 0 || tpSl.length === 0, 'TP/SL die with their position');
    assert(
      tpSl.every(({ action }) => holdSideOf(action) === side),
      'TP/SL close their side',
    );
  }
  const promised = [...margin.orders()].reduce((sum, order) => sum + order.promisedTpSl, 0);
  assert(promised === margin.promisedTpSlCount, 'TP/SL of open orders are counted');
  for (const { takeProfit, stopLoss, filledLots } of state.contractOrdersOf(margin)) {
    const armed = Math.max(takeProfit?.sizeLots ?? 0, stopLoss?.sizeLots ?? 0);
    assert(armed <= filledLots, 'a TP/SL closes no more than its order has filled');
  }
  assert(shortfallOf(balance) === 0n, 'orders and fixed margins are covered');
}

/**
 * What a wallet lacks of what open orders, locks and isolated margins have set aside in it. A cross
 * position has nothing set aside: what stands behind it goes up and down with it, and with the
 * price what orders have frozen may be lost, but never what isolated sides have set aside.
 */
export function shortfallOf({ balance, held, locked, reserve }: Balance): Amount {
  const wallet = reserve instanceof MarginWallet ? reserve : undefined;
  const margins = wallet?.isolatedMargin() ?? 0n;
  const missing = (wallet?.hasCross() === true ? 0n : held + locked) + margins - balance;
  return missing > 0n ? missing : 0n;
}

function sumOf(orders: readonly { readonly openLots: number }[]): number {
  return orders.reduce((sum, { openLots }) => sum + openLots, 0);
}
