/**
 * The shipped scenarios and those that the operator keeps in the data directory, to be played on
 * the venue that serves them, as any client would.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLASSIC_SPELLING, type ScenarioDesk } from '#dialects';
import type { Failure, Progress } from '#scenario';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const EXTENSION = '.yaml';
/** Files of the operator's that are listed. */
const OWN_MAX = 100;

/** `url` gives the address of the venue, once it serves. */
export function scenarioDesk(
  url: () => string,
  adminToken: string,
  dataDirectory: string,
): ScenarioDesk {
  const directory = join(dataDirectory, 'scenarios');
  const found = async (name: string) => {
    const { shippedScenarios, readScenario } = await scenarios();
    const shipped = shippedScenarios(CLASSIC_SPELLING).find((one) => one.name === name);
    if (shipped !== undefined) return shipped.scenario;
    if (!ownNames(directory).includes(name)) return undefined;
    return readScenario(join(directory, name + EXTENSION), CLASSIC_SPELLING);
  };
  return {
    list: async () => {
      const { shippedScenarios, readScenario } = await scenarios();
      const shipped = shippedScenarios(CLASSIC_SPELLING);
      const own = ownNames(directory).flatMap((name) => {
        if (shipped.some((one) => one.name === name)) return [];
        try {
          return {
            name,
            scenario: readScenario(join(directory, name + EXTENSION), CLASSIC_SPELLING),
          };
        } catch {
          // Whoever names it is told what is wrong with it.
          return [];
        }
      });
      return [...shipped, ...own].map(({ name, scenario: { content } }) => {
        return { name, title: content.name, description: content.description.trim() };
      });
    },
    refuse: async (name) => {
      try {
        const scenario = await found(name);
        if (scenario === undefined) return `${name} is not there`;
        if (scenario.content.clock === 'live') return undefined;
        return `${name} stops the clock: a round needs one with clock: live`;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    run: async (name) => {
      const { runScenario, VenueUnusable } = await scenarios();
      const scenario = await found(name);
      if (scenario === undefined) return undefined;
      const { warnings } = scenario;
      const steps = warnings.map((text) => ({ text, ok: true, detail: '' }));
      const onStep = ({ said, failures }: Progress): void => {
        const detail = failures.map(describe).join('; ');
        steps.push({ text: said, ok: failures.length === 0, detail });
      };
      try {
        const venue = { url: url(), adminToken };
        const failures = await runScenario(scenario, venue, { assert: false, onStep });
        return { passed: failures.length === 0, steps };
      } catch (error) {
        // What operators have set, as a limit on deposits, may keep the scene from being set.
        if (!(error instanceof VenueUnusable)) throw error;
        steps.push({ text: 'The scenario cannot go on', ok: false, detail: error.message });
        return { passed: false, steps };
      }
    },
  };
}

/** Files of the operator's: whoever may write there may run the venue anyway. */
function ownNames(directory: string): string[] {
  try {
    const files = readdirSync(directory).filter((file) => file.endsWith(EXTENSION));
    const names = files.map((file) => file.slice(0, -EXTENSION.length));
    return names
      .filter((name) => NAME.test(name))
      .sort()
      .slice(0, OWN_MAX);
  } catch {
    return [];
  }
}

/** Loaded at the first use: a start does not need them. */
function scenarios() {
  return import('#scenario');
}

function describe({ what, expected, actual }: Failure): string {
  return `${what}: expected ${expected}, got ${actual === '' ? 'nothing' : actual}`;
}
