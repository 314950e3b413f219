/**
 * No command of one account takes long, whatever rests or waits: what was seconds must not come
 * back unseen. The bound is ten times what a quiet machine may take, because tests share theirs.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, type Force, LIMITS, lots, ticks } from '#domain';
import { LINEAR } from '../support/contracts.ts';
import { Floor } from '../support/floor.ts';
import { contractOrder } from '../support/orders.ts';

const STEP_MOST_MS = 200;
const MANY = 5_000;
const CONTINUE: Command = { kind: 'continue_work' };

/** A contract in which much rests: as many asks of one lot, a price each, and trigger orders. */
function crowded(): Floor {
  const caps = { openOrdersMax: LIMITS.openOrdersMax, triggerOrdersMax: LIMITS.triggerOrdersMax };
  const venue = Floor.ofContract({ ...LINEAR, ...caps }, { checks: false });
  for (const name of ['ann', 'bea', 'pia', 'tom']) venue.open(name, '10000000');
  venue.trade('tom', 'bea', '30000', 1);
  for (let at = 0; at < MANY; at += 1) {
    venue.order('bea', 'open_short', (30_100 + at / 2).toFixed(1), 1);
    venue.trigger('pia', 'open_long', '30050', '20000', 1);
  }
  venue.order('bea', 'open_short', '30050', 1);
  return venue;
}

/** The longest of the commands, and of all that the venue does because of them. */
function longestMs(venue: Floor, commands: Iterable<Command>): number {
  let longest = 0;
  const timed = (command: Command): void => {
    const startMs = performance.now();
    venue.run(command);
    longest = Math.max(longest, performance.now() - startMs);
  };
  for (const command of commands) {
    timed(command);
    while (venue.engine.hasWork) timed(CONTINUE);
  }
  return longest;
}

test('sweeps, fill-or-kill orders, fans of triggers and clearing are short steps', () => {
  const venue = crowded();
  const { instrumentId } = venue.contract;
  const buy = (size: number, force: Force): Command =>
    contractOrder({
      accountId: venue.id('ann'),
      instrumentId,
      action: 'open_long',
      force,
      priceTicks: ticks(325_000),
      sizeLots: lots(size),
    });
  const bea = venue.id('bea');
  const steps: Record<string, Command> = {
    'fill-or-kill of more than one may meet': buy(MANY, 'fok'),
    'fill-or-kill of as many as one may meet': buy(LIMITS.orderMatchesMax, 'fok'),
    'sweep of all': buy(MANY, 'ioc'),
    'clearing an account': { kind: 'cancel_all_contract_orders', accountId: bea },
  };
  assert.equal(venue.account('pia').triggerOrdersCount, MANY);
  for (const [what, command] of Object.entries(steps)) {
    const ms = longestMs(venue, [command]);
    assert.ok(ms < STEP_MOST_MS, `${what}: ${ms.toFixed(1)} ms`);
  }
  assert.equal(venue.account('pia').triggerOrdersCount, 0, 'a sweep has met every trigger');
  assert.equal(venue.account('bea').openOrdersCount, 0);
  venue.engine.check();
});
