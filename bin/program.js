/**
 * Which form of the program runs. The package has only the bundle that tools/build.ts has made; a
 * checkout has its sources, and runs the bundle where it was made of just these: it is read in a
 * fraction of the time, because it is forty files instead of two thousand.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(HOME, 'src/app/main.ts');
const BUNDLE = join(HOME, 'dist/main.js');
/** What the bundle was made of, as `sourcesNow` had it then. */
const MADE_OF = join(HOME, 'dist/made-of.txt');
/** Besides all of src. */
const SOURCES = ['package.json', 'package-lock.json', 'tools/build.ts'];

/** The file to run. */
export function programFile() {
  return !existsSync(PROGRAM) || isBundleCurrent() ? BUNDLE : PROGRAM;
}

/** Whether the bundle is the checkout's sources as they are now. */
export function isBundleCurrent() {
  return existsSync(MADE_OF) && readFileSync(MADE_OF, 'utf8') === sourcesNow();
}

/** Name, size and time of change of every source, so that one that was put back counts as well. */
export function sourcesNow() {
  return [...filesBelow('src'), ...SOURCES].map(stampOf).join('');
}

function filesBelow(folder) {
  const entries = readdirSync(join(HOME, folder), { withFileTypes: true });
  return entries
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

function stampOf(file) {
  const { size, mtimeMs } = statSync(join(HOME, file));
  return `${file} ${size} ${mtimeMs}\n`;
}
