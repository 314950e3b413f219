/** Prints every place that breaks a house rule, with exit code 1 if there is one. */
import { describe, violations } from './house/rule.ts';
import { RULES } from './house/rules.ts';
import { readProject } from './house/source.ts';

const project = await readProject(process.cwd());
const found = violations(RULES, project);
for (const violation of found) process.stdout.write(`${describe(violation)}\n`);
process.stdout.write(
  `${project.length} files, ${RULES.length} rules, ${found.length} violations\n`,
);
process.exitCode = found.length === 0 ? 0 : 1;
