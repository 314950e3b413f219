/**
 * `npm run fuzz -- --requests 20000 --seed 1`: sends a venue calls drawn from its OpenAPI document,
 * many of them spoilt, and judges each answer by that document. A venue is new after each 20,000;
 * the exit code is 1 when anything was found. `--replay FILE` sends a finding once more.
 * `--streams` opens so many WebSockets instead and puts hostile frames on them. `--schemathesis`
 * has the tool of that name do it, if there is a python3.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type AttackReport, attack, type Finding, replay } from './fuzz/attack.ts';
import { attackStreams } from './fuzz/frame-attack.ts';
import { schemathesis } from './fuzz/schemathesis.ts';

const REQUESTS_PER_VENUE = 20_000;
/** Of schemathesis, for each operation. */
const EXAMPLES = 30;
const TEXT_SHOWN = 1_000;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: String(REQUESTS_PER_VENUE) },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    streams: { type: 'boolean', default: false },
    schemathesis: { type: 'boolean', default: false },
    replay: { type: 'string' },
  },
});
const strike = values.streams ? attackStreams : attack;
const print = (line: string): void => console.log(line);

const requestsWanted = Number(values.requests);
const firstSeedWanted = Number(values.seed);

if (values.replay !== undefined) {
  print(await replay(JSON.parse(readFileSync(values.replay, 'utf8'))));
} else if (values.schemathesis) {
  process.exitCode = (await schemathesis(EXAMPLES, firstSeedWanted)) ? 0 : 1;
} else {
  process.exitCode = (await fuzz(requestsWanted, firstSeedWanted)) ? 0 : 1;
}

/** Each venue has a seed of its own, so that one of them can be run again. */
async function fuzz(requestsCount: number, firstSeed: number): Promise<boolean> {
  let isSound = true;
  let sentCount = 0;
  for (let seed = firstSeed; sentCount < requestsCount; seed += 1) {
    const startMs = performance.now();
    const wanted = Math.min(REQUESTS_PER_VENUE, requestsCount - sentCount);
    print(`seed ${seed}: ${wanted} ${values.streams ? 'connections' : 'requests'}`);
    const report = await strike({ seed, requestsCount: wanted, print });
    sentCount += wanted;
    const seconds = (performance.now() - startMs) / 1_000;
    print(`${summary(report)}; ${seconds.toFixed(0)} s; ${sentCount} of ${requestsCount} sent`);
    for (const finding of report.findings) show(finding);
    isSound &&= report.findings.length === 0;
  }
  return isSound;
}

function summary({ requestsCount, statuses, peakMb, neverDone, findings }: AttackReport): string {
  const answers = [...statuses].toSorted().map(([status, count]) => `${status}: ${count}`);
  const never = neverDone.length === 0 ? '' : `; never done: ${neverDone.join(' ')}`;
  return (
    `${requestsCount} answered (${answers.join(', ')}), ${findings.length} found, ` +
    `at most ${peakMb} MB${never}`
  );
}

function show({ operation, complaint, request }: Finding): void {
  print(`\n✖ ${operation}: ${complaint}`);
  if (request === undefined) return;
  const file = join(mkdtempSync(join(tmpdir(), 'outcry-found-')), 'request.json');
  writeFileSync(file, JSON.stringify(request));
  const { method, target, headers, body = '' } = request;
  print(`${method} ${target.slice(0, TEXT_SHOWN)}`);
  for (const [name, value] of headers) print(`${name}: ${value.slice(0, TEXT_SHOWN)}`);
  print(`${body.slice(0, TEXT_SHOWN)}\nnpm run fuzz -- --replay ${file}`);
}
