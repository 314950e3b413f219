/** A state read back from its dump is the state: what a dump must carry, and in which order. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, walletOf } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { LINEAR } from './contracts.ts';
import { SwapVenue } from './swap-venue.ts';

const LATER = 'cmt_laterusdt';

/** Runs commands on an engine restored from a dump taken now, and on the venue itself. */
function goOn(venue: SwapVenue, commands: readonly Command[]): Engine {
  const copy = Engine.restore(venue.engine.dump());
  for (const command of commands) {
    venue.run(command);
    const { timeMs } = present(venue.venue.commands.at(-1), 'command');
    assert.deepEqual(copy.apply(command, timeMs), venue.venue.steps.at(-1));
  }
  return copy;
}

test('the wallets of an account have one order, whichever was looked at first', () => {
  const venue = SwapVenue.listed();
  venue.run({ kind: 'list_contract', spec: { ...LINEAR, symbol: LATER } });
  const { instrumentId, margin } = present(venue.engine.listings.contract(LATER), LATER);
  const accountId = venue.open('ann', '0');
  const { assetId } = margin;
  // Refused, and so no part of the state; but it has looked for the money.
  const order = { kind: 'set_leverage', accountId, instrumentId, side: 'both' } as const;
  assert.equal(venue.run({ ...order, leverage: 1_000 })[0]?.kind, 'refused');
  const deposit = { kind: 'deposit', accountId, assetId, amount: 5n } as const;
  const copy = goOn(venue, [
    { ...deposit, wallet: walletOf(LINEAR.symbol) },
    { ...deposit, wallet: walletOf(LATER) },
  ]);
  assert.deepEqual([...copy.dump()], [...venue.engine.dump()]);
});
