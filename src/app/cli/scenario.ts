/** The commands that play scenarios: `scenario run` and `scenario list`. */
import type { Command } from 'commander';
import type { Environment } from '#config';
import { CLASSIC_SPELLING } from '#dialects';
import type { Failure, Progress, StartVenue } from '#scenario';
import type { Output } from './output.ts';

const EXPECTATION_FAILED = 1;
const NAME_WIDTH = 24;

/** What the commands are handed: main starts venues, for it may know of everything. */
export interface ScenarioParts {
  readonly env: Environment;
  readonly output: Output;
  /** Starts a sandbox of its own. */
  readonly startVenue: StartVenue;
}

interface RunFlags {
  readonly assert?: boolean;
  readonly url?: string;
  readonly adminToken?: string;
  readonly json?: boolean;
}

export function addScenarioCommands(
  program: Command,
  parts: ScenarioParts,
  exit: (code: number) => void,
): void {
  const scenario = program.command('scenario').description('play a bad day and check the figures');
  scenario
    .command('run')
    .description('play a scenario on a venue of its own, or on a running sandbox')
    .argument('<file>', 'a scenario file, or the name of one that comes with the program')
    .option('--assert', 'stop at the first figure that is not as expected and end with 1')
    .option('--url <address>', 'a running sandbox to play on (a new venue)')
    .option('--admin-token <token>', 'its admin token (OUTCRY_ADMIN_TOKEN)')
    .option('--json', 'print one line at the end: {"scenario", "passed", "failures": [...]}')
    .action(async (file: string, flags: RunFlags) => exit(await run(file, flags, parts)));
  scenario
    .command('list')
    .description('the scenarios that come with the program')
    .action(() => list(parts.output));
}

/** Loaded when it is needed: a server that starts has no use for it. */
function scenarios() {
  return import('#scenario');
}

async function run(named: string, flags: RunFlags, parts: ScenarioParts): Promise<number> {
  const { readScenario, runScenario, scenarioFile } = await scenarios();
  const { output } = parts;
  const { assert = false, json = false } = flags;
  const scenario = readScenario(scenarioFile(named), CLASSIC_SPELLING);
  for (const warning of scenario.warnings) output.notice(warning);
  const say = (text: string) => (json ? output.notice(text) : output.result(text));
  const failures = await runScenario(scenario, venueOf(flags, parts), {
    assert,
    onStep: (progress) => {
      for (const text of progressLines(progress)) say(text);
    },
  });
  const { name } = scenario.content;
  const passed = failures.length === 0;
  if (json) output.result(JSON.stringify({ scenario: name, passed, failures }));
  else output.result(`${name}: ${passed ? '' : `${failures.length} figures not `}as expected`);
  return assert && !passed ? EXPECTATION_FAILED : 0;
}

function venueOf({ url, adminToken }: RunFlags, { env, startVenue }: ScenarioParts) {
  if (url === undefined) return startVenue;
  const token = adminToken ?? env.OUTCRY_ADMIN_TOKEN;
  if (token !== undefined) return { url, adminToken: token };
  throw new Error('--url needs the admin token of that venue: say --admin-token too');
}

function progressLines({ number, count, said, failures }: Progress): string[] {
  const digits = String(count).length;
  const step = `${String(number).padStart(digits)}/${count} ${said}`;
  return [step, ...failures.map(failureLine)];
}

/** file:line first, so that editors and logs lead there. */
function failureLine({ file, line, what, expected, actual }: Failure): string {
  const got = actual === '' ? 'nothing' : actual;
  return `${file}:${line}: ${what}: expected ${expected}, got ${got}`;
}

async function list(output: Output): Promise<void> {
  const { shippedScenarios } = await scenarios();
  for (const { name, scenario } of shippedScenarios(CLASSIC_SPELLING)) {
    output.result(`${name.padEnd(NAME_WIDTH)}${scenario.content.name}`);
  }
}
