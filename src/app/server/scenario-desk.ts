/** The shipped scenarios, to be played on the venue that serves them, as any client would. */
import type { ScenarioDesk } from '#dialects';
import type { Failure } from '#scenario';

/** `url` gives the address of the venue, once it serves. */
export function scenarioDesk(url: () => string, adminToken: string): ScenarioDesk {
  return {
    list: async () => {
      const shipped = (await scenarios()).shippedScenarios();
      return shipped.map(({ name, scenario: { content } }) => {
        return { name, title: content.name, description: content.description.trim() };
      });
    },
    run: async (name) => {
      const { shippedScenarios, runScenario } = await scenarios();
      const found = shippedScenarios().find((one) => one.name === name);
      if (found === undefined) return undefined;
      const steps: { text: string; ok: boolean; detail: string }[] = [];
      const failures = await runScenario(
        found.scenario,
        { url: url(), adminToken },
        {
          assert: false,
          onStep: ({ said, failures }) => {
            const detail = failures.map(describe).join('; ');
            steps.push({ text: said, ok: failures.length === 0, detail });
          },
        },
      );
      return { passed: failures.length === 0, steps };
    },
  };
}

/** Loaded at the first use: a start does not need them. */
function scenarios() {
  return import('#scenario');
}

function describe({ what, expected, actual }: Failure): string {
  return `${what}: expected ${expected}, got ${actual === '' ? 'nothing' : actual}`;
}
