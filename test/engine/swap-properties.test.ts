/**
 * A part of the random scenarios of `swap-properties.slow.test.ts` for every run of the tests: the
 * second set of books agrees after every command, with a wallet per contract and with one per coin,
 * and the journal replays to the same state.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { decodeEntry, encodeCommand, joinCommands, WALLET_SCOPES, type WalletScope } from '#domain';
import { Engine } from '#engine';
import { Audit } from './swap-audit.ts';
import { ScenarioFloor, type Watcher } from './swap-floor.ts';
import { check, HOUSES } from './swap-houses.ts';

/** Of each kind of floor. Breaches over several contracts are rare, and of shared wallets only. */
const RUNS: Readonly<Record<WalletScope, number>> = { contract: 4, coin: 15 };
/** What the few scenarios of one kind of wallets must have seen, and how often at the least. */
const SEEN: Readonly<Record<string, number>> = {
  'trade in the book': 100,
  'trade that realises': 20,
  'units breached by a new mark price': 10,
  'liquidation that deleverages': 2,
};

for (const scope of WALLET_SCOPES) {
  describe(`a wallet per ${scope}`, () => {
    const houses = HOUSES.filter(({ wallets }) => wallets === scope);
    const counts = new Map<string, number>();
    let cases = 0;
    let commands = 0;

    for (const { kind, wallets, name } of houses) {
      test(`the books agree and the journal gives the same state: ${name}`, () => {
        check(kind, [120, 180], RUNS[scope], ({ starts, moves }) => {
          const audit = new Audit();
          const watch: Watcher = (command, events, engine) => audit.watch(command, events, engine);
          const floor = new ScenarioFloor(kind, starts, watch, wallets).play(moves);
          for (const [what, count] of audit.counts) {
            counts.set(what, (counts.get(what) ?? 0) + count);
          }
          const texts = floor.commands.map((one) => encodeCommand(one.timeMs, one.command));
          const replayed = Engine.empty();
          for (const one of decodeEntry(joinCommands(texts))) {
            replayed.apply(one.command, one.timeMs);
          }
          assert.deepEqual([...replayed.dump()], [...floor.engine.dump()]);
          cases += 1;
          commands += floor.commands.length;
        });
      });
    }

    test('the cases are as many as were asked for, and saw what there is', (t: TestContext) => {
      t.diagnostic(`${cases} cases, ${commands} commands`);
      assert.equal(cases, RUNS[scope] * houses.length);
      assert.ok(commands > cases * 100, `${commands} commands`);
      for (const [what, least] of Object.entries(SEEN)) {
        const count = counts.get(what) ?? 0;
        assert.ok(count >= least, `${what}: ${count}, expected ${least}`);
      }
      if (scope === 'coin')
        assert.ok((counts.get('units over several contracts breached') ?? 0) > 0);
    });
  });
}
