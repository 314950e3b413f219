/** Faults planted in liquidations: order, prices, what the fund pays, and how they go on. */
import type { Canary } from './canary.ts';

export const LIQUIDATION_CANARIES: readonly Canary[] = [
  {
    name: 'the best ratio is liquidated first',
    seedsMax: 60,
    seedFirst: 2,
    patch: {
      file: 'src/engine/liquidation/worst-first.ts',
      piece: 'one.ratio < other.ratio ?',
      instead: 'one.ratio > other.ratio ?',
    },
  },
  {
    name: 'those who gain least are deleveraged first',
    seedsMax: 60,
    seedFirst: 2,
    patch: {
      file: 'src/engine/liquidation/ranking.ts',
      piece: 'if (a !== b) return a > b ? -1 : 1;',
      instead: 'if (a !== b) return a > b ? 1 : -1;',
    },
  },
  {
    name: 'the bankruptcy price leaves out the closing fee',
    seedsMax: 40,
    patch: {
      file: 'src/engine/liquidation/bankruptcy.ts',
      piece: 'position.side, left, forcedFeePpm(margin), step)',
      instead: 'position.side, left, 0 * forcedFeePpm(margin), step)',
    },
  },
  {
    name: 'a position is reduced by one tier only',
    seedsMax: 60,
    seedFirst: 8,
    patch: {
      file: 'src/engine/liquidation/liquidate.ts',
      piece: 'contract.tiers[tier - REDUCED_FROM_TIER]',
      instead: 'contract.tiers[tier + 1 - REDUCED_FROM_TIER]',
    },
  },
  {
    name: 'one contract may lose the money of all that lose',
    seedsMax: 120,
    seedFirst: 159,
    patch: {
      file: 'src/engine/liquidation/bankruptcy.ts',
      piece: 'if (own > 0n) return (money * own) / all;',
      instead: 'if (own > 0n) return money;',
    },
  },
  {
    name: 'the fund goes much further than it may pay for',
    seedsMax: 120,
    seedFirst: 547,
    patch: {
      file: 'src/engine/liquidation/funded-limit.ts',
      piece: '  const fund = spendable(order);',
      instead: '  const fund = 100n * spendable(order);',
    },
  },
  {
    name: 'the fund pays where one account bids alone',
    seedsMax: 120,
    patch: {
      file: 'src/engine/liquidation/funded-limit.ts',
      piece: 'return isWorse && found > 0 && hasDepth(order, found) ?',
      instead: 'return isWorse && found > 0 && (order.openLots > 0 || hasDepth(order, found)) ?',
    },
  },
  {
    name: 'the fund pays nothing, and others are deleveraged at once',
    seedsMax: 120,
    seedFirst: 2,
    patch: {
      file: 'src/engine/liquidation/take-over.ts',
      piece: 'order.openLots > 0 && market.fund.payable > 0n;',
      instead: 'order.openLots < 0 && market.fund.payable > 0n;',
    },
  },
  {
    name: 'what is being reduced is taken over where an order meets as many as it may',
    seedsMax: 60,
    seedFirst: 11,
    patch: {
      file: 'src/engine/liquidation/liquidate.ts',
      piece: "if (end === 'match_limit') {",
      instead: 'if (order.openLots < 0) {',
    },
  },
  {
    name: 'a take-over waits for the next price where an order meets as many as it may',
    seedsMax: 60,
    patch: {
      file: 'src/engine/liquidation/take-over.ts',
      piece: "const takenEnd = hasMore ? 'unfinished'",
      instead: "const takenEnd = hasMore ? 'tried'",
    },
  },
  {
    name: 'orders of their own shield those who are liquidated',
    seedsMax: 60,
    seedFirst: 16,
    patch: {
      file: 'src/engine/swap/place.ts',
      piece: ".selfTradePrevention : 'cancel_maker';",
      instead: ".selfTradePrevention : 'cancel_both';",
    },
  },
  {
    name: 'who is deleveraged is chosen among those who held something when a price came',
    seedsMax: 60,
    seedFirst: 75,
    patch: {
      file: 'src/engine/liquidation/deleverage.ts',
      piece: 'for (const queue of this.#queues.values()) queue.refresh(margin);',
      instead: 'for (const queue of this.#queues.values()) void queue;',
    },
  },
];
