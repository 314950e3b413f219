/** Which versions a cluster writes, with a release that knows format 2 and rules 2. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { Agreement, type ReleaseVersions, VersionFault } from '#cluster/testing';
import type { SharedLog, Versions } from '#log';
import { lead, reportOf } from '../support/shared-hands.ts';
import { until } from '../support/until.ts';
import { newLog } from './memory-logs.ts';

const FIRST = release(1, 1, 1);
const SECOND = release(2, 1, 2);
/** It has forgotten rules 1. */
const THIRD = release(3, 2, 3);

function release(formatMax: number, rulesMin: number, rulesMax: number): ReleaseVersions {
  return { formatMax, rulesMin, rulesMax, formatOf: () => 1 };
}

function agreementOf(log: SharedLog, versions: ReleaseVersions) {
  const [raised, notices]: [Versions[], string[]] = [[], []];
  const agreement = new Agreement({
    log,
    versions,
    onRaised: (to) => raised.push(to),
    onNotice: (text) => notices.push(text),
  });
  return { agreement, raised, notices };
}

/** What the second member reports that it reads. */
function saying({ formatMax, rulesMin, rulesMax }: ReleaseVersions) {
  const report = reportOf('two', 1);
  const knows = { formatMax, rulesMin, rulesMax };
  return { ...report, process: { ...report.process, knows } };
}

function refusal(says: RegExp) {
  return (error: unknown): true => {
    assert.ok(error instanceof VersionFault, String(error));
    assert.match(error.message, says);
    return true;
  };
}

test('version 2 is written once every process reads it, and never lowered', async () => {
  const log = newLog();
  const { claim } = await lead(log);
  const { agreement, raised, notices } = agreementOf(log, SECOND);
  await log.report(saying(FIRST));
  assert.deepEqual(await agreement.begin(claim), { format: 1, rules: 1 });
  assert.match(notices.join(), /waits for two/);
  await log.report(saying(SECOND));
  agreement.see(await log.reports());
  await until('it is raised', () => raised.length > 0);
  assert.deepEqual(raised, [{ format: 2, rules: 2 }]);
  await log.report(saying(FIRST));
  agreement.see(await log.reports());
  assert.deepEqual(await log.agreed(), { format: 2, rules: 2 });
});

test('a release refuses versions that it does not read, also of entries', async () => {
  const log = newLog();
  const { claim } = await lead(log);
  await log.agree(claim, { format: 2, rules: 2 });
  const { agreement } = agreementOf(log, FIRST);
  const newer = /writes format 2 and rules 2, .* up to 1 and rules 1 to 1: start the release/;
  await assert.rejects(agreement.require(), refusal(newer));
  const entry = { format: 1, rules: 2, firstSeq: 7 };
  assert.throws(() => agreement.heed(entry), refusal(/^from command 7 on .* 1 and rules 2/));
});

test('a release that has forgotten the rules of a cluster names the way over another', async () => {
  const log = newLog();
  const { claim } = await lead(log);
  await log.agree(claim, { format: 1, rules: 1 });
  const older = /rules 2 to 3: upgrade all processes to a release between the two first/;
  await assert.rejects(agreementOf(log, THIRD).agreement.require(), refusal(older));
});

test('a cluster of a checkout before 0.2.0 is refused', async () => {
  const log = newLog();
  const { claim } = await lead(log);
  await log.agree(claim, { format: 4, rules: 6 });
  const found =
    /writes format 4 and rules 6, .*: start the release that writes it, or this one in a/;
  await assert.rejects(agreementOf(log, FIRST).agreement.require(), refusal(found));
});
