/**
 * Random actions where a step of the price or a unit of money is more than the margin of a lot: a
 * liquidation always takes something, and whoever a price breaches is gone by the end of its step.
 * The exception is rare: a position whose whole worth is a unit or two may find no counterparty.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AccountId, Contract, Event } from '#domain';
import { present } from '#kernel';
import { ScenarioFloor } from './swap-floor.ts';
import { scenario } from './swap-random.ts';

const RATIO_PER_PPM = 100n;

/** Who is below the threshold at the mark price. */
function inTrouble(floor: ScenarioFloor, contract: Contract): AccountId[] {
  const { instrumentId, takerFeePpm } = contract;
  const prices = present(floor.engine.contractPrices(instrumentId), 'prices');
  if (prices.indexStale) return [];
  return floor.traders.flatMap((_, trader) => {
    const view = floor.seat(trader, contract);
    return [view.long, view.short].flatMap(({ lots, marginRatio, maintenanceRatePpm }) => {
      const ratio = marginRatio ?? view.marginRatio ?? 0n;
      const threshold = BigInt(maintenanceRatePpm + takerFeePpm) * RATIO_PER_PPM;
      return lots > 0 && ratio < threshold ? [view.accountId] : [];
    });
  });
}

/** A plan order that fires after the liquidations can close at a price that brings one below. */
function isOwnersClose(event: Event): boolean {
  return event.kind === 'contract_trade' && event.taker.cause === 'owner';
}

/** Whose liquidation was tried in this step and found no counterparty for the rest. */
function leftOver(events: readonly Event[]): AccountId[] {
  return events.flatMap((event) => {
    if (event.kind !== 'contract_order_closed' || event.order.cause !== 'liquidation') return [];
    return event.reason === 'remainder_not_filled' ? [event.order.accountId] : [];
  });
}

for (const kind of ['steps', 'units'] as const) {
  test(`a liquidation ends in the step that began it: coarse ${kind}`, () => {
    const counts = { liquidated: 0, deleveraged: 0, prices: 0, leftOver: 0 };
    fc.assert(
      fc.property(scenario(1, 100, 160), ({ starts, moves }) => {
        const floor = new ScenarioFloor(kind, starts);
        floor.watch((command, events, engine) => {
          engine.check();
          for (const event of events) {
            if (event.kind !== 'liquidated') continue;
            counts.liquidated += 1;
            if (event.deleveragedLots > 0) counts.deleveraged += 1;
            assert.ok(event.sizeLots > 0, 'a liquidation takes something');
          }
          const isPrice = command.kind === 'tick' || command.kind === 'report_index';
          if (!isPrice || events.some(isOwnersClose)) return;
          counts.prices += 1;
          const tried = leftOver(events);
          for (const contract of floor.contracts) {
            const found = inTrouble(floor, contract);
            assert.deepEqual(
              found.filter((accountId) => !tried.includes(accountId)),
              [],
            );
            counts.leftOver += found.length;
          }
        });
        // Fees that one unit cannot hold are another matter.
        const isFee = ({ action }: (typeof moves)[number]) =>
          kind === 'units' && (action.act === 'terms' || action.act === 'settings');
        floor.play(moves.filter((move) => !isFee(move)));
        assert.equal(floor.engine.audit().balanced, true);
      }),
      { numRuns: 200, seed: 9, endOnFailure: true },
    );
    assert.ok(counts.liquidated > 200, `${counts.liquidated} liquidations`);
    assert.ok(counts.deleveraged > 100, `${counts.deleveraged} deleveraged`);
    assert.ok(counts.prices > 3_000, `${counts.prices} prices`);
    assert.ok(counts.leftOver < counts.prices / 200, `${counts.leftOver} left over`);
  });
}
