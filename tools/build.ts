/**
 * `npm pack` runs this: the sources as JavaScript and declarations in dist, because Node runs no
 * TypeScript below node_modules. A checkout never needs it.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, runStep, type Step } from './steps.ts';

const OUT = 'dist';
const COMPILE: Step = {
  name: 'compile',
  script: ['node_modules/.bin/tsc', '-p', 'tsconfig.build.json'],
};

process.chdir(`${import.meta.dirname}/..`);
rmSync(OUT, { recursive: true, force: true });
const outcome = await runStep(COMPILE);
process.stderr.write(report(COMPILE, outcome));
if (!outcome.ok) process.exit(1);
writeDoors();
for (const file of filesOf('.js')) pointAtJavaScript(file);

/** A package.json of its own gives dist the doors of src, those for tests left out. */
function writeDoors(): void {
  const { imports }: { imports: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const shipped = Object.entries(imports).filter(([door]) => !door.endsWith('/testing'));
  const doors = shipped.map(([door, file]) => {
    const built = file.replace(/^\.\/src\/(.*)\.ts$/, './$1.js');
    if (!existsSync(join(OUT, built))) throw new Error(`${door} leads nowhere: ${built}`);
    return [door, built];
  });
  const scope = { type: 'module', imports: Object.fromEntries(doors) };
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(scope, null, 2)}\n`);
}

/** The compiler rewrites imports; the file of a worker thread is named by a URL. */
function pointAtJavaScript(file: string): void {
  const text = readFileSync(file, 'utf8');
  const pointed = text.replace(/(new URL\('\.\/[^']+)\.ts'/g, "$1.js'");
  if (pointed !== text) writeFileSync(file, pointed);
}

function filesOf(extension: string): string[] {
  return readdirSync(OUT, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(OUT, name));
}
