/** Money of an account that is held: nothing comes in or goes out but what the holder pays. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accountId, type Command, type Event } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { Floor, refuseNone, rejectOf } from '../support/floor.ts';

const HOLDER = 'cup/1';

class Held {
  readonly venue = Floor.listed();

  constructor() {
    this.venue.open('ann', { USDT: '1000' });
    this.venue.open('bob', { USDT: '1000' });
    refuseNone(this.hold('ann'));
  }

  hold(who: string, isHeld = true, holder = HOLDER): readonly Event[] {
    return this.venue.run({ kind: 'hold_money', accountId: this.venue.id(who), holder, isHeld });
  }

  pays(kind: 'deposit' | 'withdraw', who: string, holder?: string): string | undefined {
    const of = { accountId: this.venue.id(who), wallet: 'spot' } as const;
    return this.told({ kind, ...of, ...this.#money(), holder });
  }

  sends(from: string, to: string): string | undefined {
    const ends = { accountId: this.venue.id(from), toAccountId: this.venue.id(to) };
    return this.told({ kind: 'transfer_between_accounts', ...ends, ...this.#money() });
  }

  told(command: Command): string | undefined {
    return rejectOf(this.venue.run(command));
  }

  #money() {
    const { assetId } = present(this.venue.engine.listings.assetByCode('USDT'), 'USDT');
    return { assetId, amount: 100n };
  }
}

describe('money that is held', () => {
  test('neither comes in nor goes out, whoever asks', () => {
    const held = new Held();
    assert.equal(held.pays('deposit', 'ann'), 'money_held');
    assert.equal(held.pays('withdraw', 'ann'), 'money_held');
    assert.equal(held.sends('ann', 'bob'), 'money_held');
    assert.equal(held.sends('bob', 'ann'), 'money_held');
    assert.equal(held.pays('deposit', 'ann', 'cup/2'), 'money_held');
    assert.equal(held.pays('deposit', 'bob'), undefined);
  });

  test('is paid by its holder, as long as it holds', () => {
    const held = new Held();
    assert.equal(held.pays('deposit', 'ann', HOLDER), undefined);
    assert.equal(held.pays('withdraw', 'ann', HOLDER), undefined);
    refuseNone(held.hold('ann', false));
    assert.equal(held.pays('deposit', 'ann', HOLDER), 'money_held', 'it came too late');
    assert.equal(held.pays('withdraw', 'ann', HOLDER), 'money_held');
    assert.equal(held.pays('withdraw', 'ann'), undefined);
    assert.equal(held.sends('bob', 'ann'), undefined);
  });

  test('trades, and goes between wallets of the account', () => {
    const { venue } = new Held();
    refuseNone(venue.limit('ann', 'buy', '10', '1'));
    const from = { accountId: venue.id('ann'), from: 'spot', to: 'BTC-USDT-PERP' } as const;
    const { assetId } = present(venue.engine.listings.assetByCode('USDT'), 'USDT');
    refuseNone(venue.run({ kind: 'transfer', ...from, assetId, amount: 5n }));
  });

  test('has one holder, who alone lets it go', () => {
    const held = new Held();
    assert.equal(rejectOf(held.hold('ann', true, 'cup/2')), 'money_held');
    assert.equal(rejectOf(held.hold('ann', false, 'cup/2')), 'money_held');
    refuseNone(held.hold('ann'));
    assert.equal(rejectOf(held.hold('bob', false)), 'money_held');
    assert.equal(rejectOf(held.hold('bob', true, '')), 'settings_invalid');
    assert.equal(rejectOf(held.hold('bob', true, 'x'.repeat(65))), 'settings_invalid');
    const nobody = { kind: 'hold_money', accountId: accountId(99), holder: HOLDER } as const;
    assert.equal(held.told({ ...nobody, isHeld: true }), 'account_unknown');
  });

  test('is in the dump, in the audit and in the view of the account', () => {
    const { venue } = new Held();
    const { engine } = venue;
    const restored = Engine.restore(engine.dump());
    assert.deepEqual([...restored.dump()], [...engine.dump()]);
    for (const one of [engine, restored]) {
      const ann = venue.id('ann');
      assert.equal(one.account(ann)?.moneyHolder, HOLDER);
      assert.deepEqual(one.audit().heldAccounts, [{ accountId: ann, holder: HOLDER }]);
    }
  });
});
