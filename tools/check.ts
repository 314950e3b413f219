/** `npm run check`: types, lint, format, house rules and dead code. It does not run the tests. */
import { DEAD_CODE, HOUSE, PAGE_TYPES, report, runStep, STYLE, TYPES } from './steps.ts';

process.chdir(`${import.meta.dirname}/..`);

const outcomes = await Promise.all(
  [TYPES, PAGE_TYPES, STYLE, HOUSE, DEAD_CODE].map(async (step) => {
    const outcome = await runStep(step);
    process.stdout.write(report(step, outcome));
    return outcome;
  }),
);
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
