/**
 * Faults that are planted to see that they are found. Production code stays as it is: a piece of a
 * source text is replaced when a thread of its own loads it, or the simulated disk is at fault.
 */
import type { Canary } from './canary.ts';
import { LIQUIDATION_CANARIES } from './liquidation-canaries.ts';

export const CANARIES: readonly Canary[] = [
  {
    name: 'a cancelled order stays in the book',
    seedsMax: 20,
    patch: {
      file: 'src/engine/spot/close.ts',
      piece: '  market.book.remove(order);\n  closeResting(state, order, reason);',
      instead: '  void market;\n  closeResting(state, order, reason);',
    },
  },
  {
    name: 'a listing is kept in two places',
    seedsMax: 20,
    patch: {
      file: 'src/engine/state.ts',
      piece: "'listed pair').instrument = instrument;",
      instead: "'listed pair').lastTicks;",
    },
  },
  {
    name: 'a pair shows the terms that its coin had when it was listed',
    seedsMax: 60,
    patch: {
      file: 'src/engine/spot/listing.ts',
      piece: '    quote: bareCoin(quote),',
      instead: '    quote,',
    },
  },
  {
    name: 'a fee is rounded down',
    seedsMax: 20,
    seedFirst: 3,
    patch: {
      file: 'src/domain/instrument.ts',
      piece: 'fee: fee + 1n',
      instead: 'fee',
    },
  },
  {
    name: 'fees are rounded up for each piece of an order',
    seedsMax: 40,
    patch: {
      file: 'src/engine/spot/settle.ts',
      piece: 'order.setFeeAhead(feeAhead);',
      instead: 'order.setFeeAhead(0 * feeAhead);',
    },
  },
  {
    name: 'a fee is taken twice',
    seedsMax: 20,
    patch: {
      file: 'src/engine/ledger/ledger.ts',
      piece: 'balances.add(payee, amount - fee, timeMs);',
      instead: 'balances.add(payee, amount - fee - fee, timeMs);',
    },
  },
  { name: 'the disk forgets to sync', seedsMax: 60, seedFirst: 4, disk: 'skips_syncs' },
  {
    name: 'a dead process still writes: nothing fences it off',
    seedsMax: 40,
    seedFirst: 3,
    disk: 'late_writes',
  },
  {
    name: 'a settlement of funding is put off',
    seedsMax: 40,
    patch: {
      file: 'src/engine/margin/funding.ts',
      piece: 'firstMs = Math.min(firstMs, nextFundingMs);',
      instead: 'firstMs = Math.min(firstMs, nextFundingMs + 2_000);',
    },
  },
  {
    name: 'several missed settlements of funding are settled once',
    seedsMax: 40,
    patch: {
      file: 'src/engine/margin/funding.ts',
      piece: 'nextFundingMs(contract.fundingMinutes, atMs);',
      instead: 'nextFundingMs(contract.fundingMinutes, untilMs);',
    },
  },
  {
    name: 'an order that is moved to a larger size keeps its place',
    seedsMax: 40,
    seedFirst: 6,
    patch: {
      file: 'src/engine/spot/move.ts',
      piece: 'if (priceTicks === order.priceTicks && openLots <= order.openLots) {',
      instead: 'if (priceTicks === order.priceTicks && openLots <= order.openLots + 3) {',
    },
  },
  {
    name: 'a later order goes before those of its price',
    seedsMax: 40,
    patch: {
      file: 'src/engine/book/level.ts',
      piece:
        '  order.before = level.newest;\n  if (level.newest === null) level.oldest = order;\n' +
        '  else level.newest.after = order;\n  level.newest = order;',
      instead:
        '  order.after = level.oldest;\n  if (level.oldest === null) level.newest = order;\n' +
        '  else level.oldest.before = order;\n  level.oldest = order;',
    },
  },
  {
    name: 'a cancelled order leaves its margin frozen',
    seedsMax: 20,
    patch: {
      file: 'src/engine/swap/close.ts',
      piece: '  margin.balance.release(order.frozen, state.timeMs);\n  order.frozen = 0n;',
      instead: '  order.frozen = 0n;',
    },
  },
  {
    name: 'the insurance fund is paid twice',
    seedsMax: 40,
    patch: {
      file: 'src/engine/swap/fill.ts',
      piece: 'state.ledger.insure(order.margin.balance, toFund, state.timeMs);',
      instead:
        'state.ledger.insure(order.margin.balance, toFund, state.timeMs); ' +
        'state.ledger.totals(order.margin.balance.assetId).insurance += toFund;',
    },
  },
  {
    name: 'trigger orders miss a trade',
    seedsMax: 60,
    patch: {
      file: 'src/engine/swap/place.ts',
      piece: "    notePrice(state, market, 'last');\n",
      instead: "    if (size > 1) notePrice(state, market, 'last');\n",
    },
  },
  {
    name: 'the threshold of a liquidation leaves out the closing fee',
    seedsMax: 60,
    patch: {
      file: 'src/domain/contract.ts',
      piece: 'return tierOf(terms, size).maintenanceRatePpm + terms.takerFeePpm;',
      instead: 'return tierOf(terms, size).maintenanceRatePpm;',
    },
  },
  {
    name: 'a client id is free again at once',
    seedsMax: 60,
    patch: {
      file: 'src/engine/spot/close.ts',
      piece: "state.usedIds.keep(account.usedIds('spot'), clientOrderId, state.timeMs);",
      instead: 'void account;',
    },
  },
  {
    name: 'an account trades with itself against its settings',
    seedsMax: 20,
    patch: {
      file: 'src/engine/book/match.ts',
      piece: "if (prevention !== 'none' && maker.accountId === taker.accountId) {",
      instead: "if (prevention === 'cancel_both' && maker.accountId === taker.accountId) {",
    },
  },
  {
    name: 'a snapshot loses how much an order has filled',
    seedsMax: 60,
    seedFirst: 3,
    patch: {
      file: 'src/engine/report/restore.ts',
      piece: 'const filled = { filledLots, filledQuote };',
      instead: 'const filled = { filledLots, filledQuote: 0n * filledQuote };',
    },
  },
  {
    name: 'a close beyond the liquidation price rests',
    seedsMax: 40,
    seedFirst: 9,
    patch: {
      file: 'src/engine/swap/check.ts',
      piece: 'if (!isBreached(market.contract, risk, priceTicks)) return undefined;',
      instead: 'if (isLong || !isBreached(market.contract, risk, priceTicks)) return undefined;',
    },
  },
  {
    name: 'an opening is not asked for what a better price of the book needs',
    seedsMax: 60,
    seedFirst: 3,
    patch: {
      file: 'src/engine/swap/depth.ts',
      piece: "if (side === 'sell' && isLinear) return Math.max(best, terms.priceTicks);",
      instead: "if (side === 'sell' && isLinear) return terms.priceTicks;",
    },
  },
  {
    name: 'liquidations spend more of the fund than its budgets',
    seedsMax: 200,
    seedFirst: 338,
    patch: {
      file: 'src/engine/ledger/insurance-fund.ts',
      piece: 'this.#kept = this.held > left ? this.held - left : 0n;',
      instead: 'this.#kept = left < 0n ? this.held : 0n;',
    },
  },
  {
    name: 'one pair alone takes the index along at once',
    seedsMax: 120,
    seedFirst: 2,
    patch: {
      file: 'src/engine/swap/prices.ts',
      piece: 'found !== undefined && isOneBook ? paced(state, market, found) : found;',
      instead: 'found !== undefined && isOneBook && found < 0 ? paced(state, market, 1) : found;',
    },
  },
  {
    name: 'a move is asked to pay although its own freeze would',
    seedsMax: 60,
    patch: {
      file: 'src/engine/swap/move.ts',
      piece: '    left.balance.release(order.frozen,',
      instead: '    left.balance.release(0n * order.frozen,',
    },
  },
  {
    name: 'a take-profit does not grow with its order',
    seedsMax: 40,
    seedFirst: 3,
    patch: {
      file: 'src/engine/trigger/tp-sl.ts',
      piece: 'armed.sizeLots = lots(armed.sizeLots + size);',
      instead: 'armed.sizeLots = lots(armed.sizeLots + 0 * size);',
    },
  },
  {
    name: 'what fills after the first fill is not protected',
    seedsMax: 40,
    seedFirst: 3,
    patch: {
      file: 'src/engine/trigger/tp-sl.ts',
      piece: 'if (size === 0) return;\n  order.protectedLots',
      instead: 'if (size === 0 || order.protectedLots > 0) return;\n  order.protectedLots',
    },
  },
  {
    name: 'a preset on the wrong side of the average entry is armed',
    seedsMax: 60,
    seedFirst: 4,
    patch: {
      file: 'src/engine/trigger/tp-sl.ts',
      piece: 'if (position.lots === 0) return',
      instead: 'if (position.lots > 1) return undefined;\n  if (position.lots === 0) return',
    },
  },
  {
    name: 'a take-profit that fires leaves the stop-loss of its order',
    seedsMax: 120,
    seedFirst: 10,
    patch: {
      file: 'src/engine/trigger/fire.ts',
      piece: '  if (!isStop && partner !== null) cancelTrigger(',
      instead: '  if (!isStop && partner !== null && isStop) cancelTrigger(',
    },
  },
  {
    name: 'presets of orders that rest do not count towards their limit',
    seedsMax: 60,
    seedFirst: 4,
    patch: {
      file: 'src/engine/trigger/tp-sl.ts',
      piece: 'const taken = margin.tpSlCount + margin.promisedTpSlCount;',
      instead: 'const taken = margin.tpSlCount;',
    },
  },
  {
    name: 'a plan order does not lock the leverage',
    seedsMax: 40,
    seedFirst: 14,
    patch: {
      file: 'src/engine/margin/leverage.ts',
      piece: 'if (margin.openOrdersCount > 0 || margin.triggersCount > 0) return',
      instead: 'if (margin.openOrdersCount > 0) return',
    },
  },
  {
    name: 'a leverage that leaves a position at its threshold is taken',
    seedsMax: 200,
    seedFirst: 3,
    patch: {
      file: 'src/engine/margin/leverage.ts',
      piece: 'return money >= 0n && !isBreached(contract, { ...risk, money }, markTicks);',
      instead: 'return money >= 0n || !isBreached(contract, { ...risk, money }, markTicks);',
    },
  },
  {
    name: 'a leverage for the other mode is in force at once',
    seedsMax: 40,
    seedFirst: 15,
    patch: {
      file: 'src/engine/margin/leverage.ts',
      piece: 'return mode === margin.mode;',
      instead: "return mode === margin.mode || mode === 'cross';",
    },
  },
  {
    name: 'one plan order too many is taken',
    seedsMax: 120,
    seedFirst: 8,
    patch: {
      file: 'src/engine/trigger/place.ts',
      piece: 'if (margin.triggersCount >= contract.triggerOrdersMax) {',
      instead: 'if (margin.triggersCount > contract.triggerOrdersMax) {',
    },
  },
  {
    name: 'a stop-loss is put on a position at the very price it looks at',
    seedsMax: 60,
    seedFirst: 2,
    patch: {
      file: 'src/engine/trigger/tp-sl.ts',
      piece: '    : triggerTicks < heldTicks;',
      instead: '    : triggerTicks <= heldTicks;',
    },
  },
  {
    name: 'a unit of margin that orders come to together is not taken',
    seedsMax: 60,
    seedFirst: 3,
    patch: {
      file: 'src/engine/swap/fill.ts',
      piece: '  if (spendable > 0n) addOwed(margin, position, spendable);',
      instead: '  if (spendable > 0n) addOwed(margin, position, 0n * spendable);',
    },
  },
  {
    name: 'a liquidation price leaves out the closing fee',
    seedsMax: 20,
    patch: {
      file: 'src/engine/margin/view.ts',
      piece: '  return liquidationTicks(margin.market.contract, risk);',
      instead:
        '  const thresholdPpm = risk.thresholdPpm - margin.market.contract.takerFeePpm;\n' +
        '  return liquidationTicks(margin.market.contract, { ...risk, thresholdPpm });',
    },
  },
  {
    name: 'a refusal says what is missing and not what there is',
    seedsMax: 20,
    patch: {
      file: 'src/engine/margin/lacking.ts',
      piece: 'needsCoin(market.contract.margin, needed, has)',
      instead: 'needsCoin(market.contract.margin, needed, needed - has)',
    },
  },
  {
    name: 'a fill that opens into a liquidation goes through',
    seedsMax: 60,
    patch: {
      file: 'src/engine/margin/opening.ts',
      piece: '  return staysHealthy(margin, held, size, { worth, fee, growth });',
      instead: '  return staysHealthy(margin, held, size, { worth, fee, growth }) || size > 0;',
    },
  },
  {
    name: 'an order is dropped that could have paid for its fill with what it has frozen',
    seedsMax: 60,
    seedFirst: 2,
    patch: {
      file: 'src/engine/margin/opening.ts',
      piece: 'return margin.spendable + thawed >= fee + growth;',
      instead: 'return margin.spendable + 0n * thawed >= fee + growth;',
    },
  },
  {
    name: 'what is written of a time in force is not looked at',
    seedsMax: 60,
    seedFirst: 2,
    patch: {
      file: 'src/domain/codec.ts',
      piece: "    force: present(FORCES[Number(row[6])], 'time in force'),\n    sizeLots",
      instead: "    force: FORCES[Number(row[6])] ?? 'gtc',\n    sizeLots",
    },
  },
  {
    name: 'an order ends where it has met as many as one command may',
    seedsMax: 60,
    seedFirst: 8,
    patch: {
      file: 'src/engine/orders-at-work.ts',
      piece: 'if (traded >= LIMITS.orderTradesMax) return false;',
      instead: 'if (traded >= 1) return false;',
    },
  },
  {
    name: 'a market goes on beside the order that is at work in it',
    seedsMax: 60,
    seedFirst: 20,
    patch: {
      file: 'src/engine/orders-at-work.ts',
      piece: '      order.instrumentId === instrumentId ||\n',
      instead: '',
    },
  },
  ...LIQUIDATION_CANARIES,
];
