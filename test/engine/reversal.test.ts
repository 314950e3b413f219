/** Reversing a position: a close and an opening of the other side in one command. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Event, HoldSide } from '#domain';
import { LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone } from '../support/floor.ts';

interface Scene {
  readonly name: string;
  /** What ann has, before she buys `held` at 30000 with leverage 10. */
  readonly money: string;
  readonly held: number;
  /** Bids that rest when she reverses. */
  readonly bids: readonly (readonly [price: string, size: number])[];
  readonly maxLots?: number;
  /** What becomes of it: lots of each side, and why nothing was opened. */
  readonly long: number;
  readonly short: number;
  readonly refused?: string;
  readonly notOpened?: string;
}

const SCENES: readonly Scene[] = [
  {
    name: 'closes all and opens as much',
    ...{ money: '1000', held: 10, bids: [['29990', 30]] },
    ...{ long: 0, short: 10 },
  },
  {
    name: 'opens what was closed where the book has less than twice of it',
    ...{ money: '1000', held: 10, bids: [['29990', 14]] },
    ...{ long: 0, short: 4 },
  },
  {
    name: 'opens no more than a thin book has closed',
    ...{ money: '1000', held: 10, bids: [['29990', 4]] },
    ...{ long: 6, short: 0, notOpened: 'no_opposite_depth' },
  },
  {
    name: 'is refused whole without a bid',
    ...{ money: '1000', held: 10, bids: [] },
    ...{ long: 10, short: 0, refused: 'no_opposite_depth' },
  },
  {
    name: 'is refused whole without a position',
    ...{ money: '1000', held: 0, bids: [['29990', 30]] },
    ...{ long: 0, short: 0, refused: 'close_exceeds_position' },
  },
  {
    name: 'is refused whole where the opening would be too large',
    ...{ money: '1000', held: 10, bids: [['29990', 30]], maxLots: 9 },
    ...{ long: 10, short: 0, refused: 'quantity_above_maximum' },
  },
  {
    name: 'is only closed where its loss has eaten the margin',
    ...{ money: '17', held: 10, bids: [['29400', 30]] },
    ...{ long: 0, short: 0, notOpened: 'margin_insufficient' },
  },
];

function reverse(venue: Floor, side: HoldSide): readonly Event[] {
  const { instrumentId } = venue.contract;
  const accountId = venue.id('ann');
  return venue.run({ kind: 'close_position', accountId, instrumentId, side, reverses: true });
}

describe('reversing a long position of ann', () => {
  for (const scene of SCENES) {
    test(scene.name, () => {
      const venue = Floor.ofContract(LINEAR);
      venue.open('ann', scene.money);
      for (const name of ['bob', 'cid']) venue.open(name, '100000');
      if (scene.held > 0) venue.trade('ann', 'cid', '30000', scene.held);
      for (const [price, size] of scene.bids) {
        refuseNone(venue.order('bob', 'open_long', price, size));
      }
      const { instrumentId } = venue.contract;
      const maxLots = scene.maxLots as never;
      if (scene.maxLots !== undefined) {
        refuseNone(venue.run({ kind: 'update_contract', instrumentId, changes: { maxLots } }));
      }
      const events = reverse(venue, 'long');
      const [first] = events;
      assert.equal(first?.kind === 'refused' ? first.reject : undefined, scene.refused);
      const refused = events.find((event) => event.kind === 'reversal_refused');
      assert.equal(refused?.refused.reject, scene.notOpened);
      assert.equal(venue.position('ann', 'long').lots, scene.long);
      assert.equal(venue.position('ann', 'short').lots, scene.short);
      venue.engine.check();
    });
  }

  test('names the close that an opening follows, and takes back what would close', () => {
    const venue = Floor.ofContract(LINEAR);
    for (const name of ['ann', 'bob', 'cid']) venue.open(name, '100000');
    venue.trade('ann', 'cid', '30000', 10);
    refuseNone(venue.order('ann', 'close_long', '31000', 4));
    refuseNone(venue.order('bob', 'open_long', '29990', 30));
    const events = reverse(venue, 'long');
    const [taken] = events;
    assert.equal(taken?.kind === 'contract_order_closed' && taken.reason, 'cancelled_by_owner');
    const accepted = events.filter((event) => event.kind === 'contract_order_accepted');
    assert.deepEqual(
      accepted.map(({ terms, reverses }) => [terms.action, terms.sizeLots, reverses]),
      [
        ['close_long', 10, undefined],
        ['open_short', 10, accepted[0]?.orderId],
      ],
    );
    assert.equal(venue.account('ann').openOrdersCount, 0);
  });
});
