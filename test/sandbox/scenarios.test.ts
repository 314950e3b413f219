/** The shipped scenarios played by the venue that serves them, as the operator's desk asks for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLASSIC_SPELLING } from '#dialects';
import { shippedScenarios } from '#scenario';
import { DemoHere } from '../support/demo-here.ts';

test('a venue plays its scenarios on itself, again after a reset, and one at a time', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  const play = (name: string) => house.sandbox.runScenario({ scenario: name });

  const listed = await house.sandbox.scenarios();
  const shipped = shippedScenarios(CLASSIC_SPELLING);
  assert.deepEqual(
    listed.map(({ name }) => name),
    shipped.map(({ name }) => name),
  );

  await house.sandbox.saveCheckpoint({ name: 'before' });
  const stepsCount = shipped.find(({ name }) => name === 'flash-crash')?.scenario.steps.length;
  for (const round of ['first', 'second']) {
    const { passed, steps } = await play('flash-crash');
    assert.equal(passed, true, `${round}: ${steps.find(({ ok }) => !ok)?.detail}`);
    assert.equal(steps.length, stepsCount);
    await house.sandbox.resetToCheckpoint({ name: 'before' });
  }

  const both = await Promise.allSettled([play('fat-finger'), play('fat-finger')]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await assert.rejects(play('no-such-day'), /Scenario does not exist: 'no-such-day'/);
});

test('figures that come out otherwise are told and do not stop the rest', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  await house.sandbox.addFault({
    target: 'POST /v1/orders',
    effect: { kind: 'server_error', status: 503 },
    count: 1,
  });
  const { passed, steps } = await house.sandbox.runScenario({ scenario: 'flash-crash' });
  assert.equal(passed, false);
  const first = steps.findIndex(({ ok }) => !ok);
  assert.match(steps[first]?.detail ?? '', /expected .*, got venue_busy /);
  assert.ok(first < steps.length - 1, 'the steps after it are played too');
});

test('a limit of operators that keeps the scene from being set is an outcome', async (t) => {
  const house = new DemoHere(t);
  await house.start({ sandbox: true });
  await house.operator.setOperatorLimit({ coin: 'USDT', amount: '1' });
  const { passed, steps } = await house.sandbox.runScenario({ scenario: 'flash-crash' });
  assert.equal(passed, false);
  assert.match(steps.at(-1)?.detail ?? '', /cannot set the scene: .*has to approve it/);
});
