/** `npm run check`: types, lint, format, house rules and dead code. It does not run the tests. */
import {
  CLIENT,
  DEAD_CODE,
  HOUSE,
  PAGE_TYPES,
  report,
  runStep,
  STYLE,
  type Step,
  TYPES,
} from './steps.ts';

process.chdir(`${import.meta.dirname}/..`);

const isWritten = await isRight(CLIENT);
const steps = [TYPES, PAGE_TYPES, STYLE, HOUSE, DEAD_CODE];
const areRight = isWritten ? await Promise.all(steps.map(isRight)) : [false];
process.exitCode = areRight.every((isIt) => isIt) ? 0 : 1;

async function isRight(step: Step): Promise<boolean> {
  const outcome = await runStep(step);
  process.stdout.write(report(step, outcome));
  return outcome.ok;
}
