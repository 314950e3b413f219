/**
 * Bundles the program into dist: own sources, and the packages that come in hundreds of small
 * files, each of which costs a start. `npm ci` and `npm start` run it where something has changed;
 * bin/program.js says when the bundle runs in place of the sources. `--package` (`npm pack`) adds
 * the declarations of `outcry/client` and `outcry/testing`, and `--if-possible` does without
 * development dependencies.
 */
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { isBundleCurrent, sourcesNow } from '../bin/program.js';
import { report, runStep, type Step } from './steps.ts';

const ROOT = resolve(import.meta.dirname, '..');
const OUT = join(ROOT, 'dist');
const TYPES = join(OUT, 'types');
const DECLARE: Step = {
  name: 'declare',
  script: ['node_modules/.bin/tsc', '-p', 'tsconfig.build.json'],
};

/** Files of dist: what is started, its threads, the typed client and the testing helper. */
const ENTRIES = [
  'src/app/main.ts',
  'src/app/client/mod.ts',
  'src/app/testing/mod.ts',
  ...globSync('src/**/*-worker.ts'),
];
/** Bundled as well. The others have native parts or threads, or are few files. */
const INLINED = ['typebox', 'kysely', 'yaml', 'prom-client', '@opentelemetry/api'];

/** What a source names by a place beside itself is named by its place beside the bundle. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  enforce: 'pre',
  transform(code, id) {
    const place = /new URL\('(\.[^']+)', import\.meta\.url\)/g;
    return code.replace(
      place,
      (_, path: string) => `new URL('${placed(id, path)}', import.meta.url)`,
    );
  },
};

/**
 * An import of node:http reads all that it exports, and its WebSocket brings a client of 30 ms of
 * processor time with it. Whoever imports another name than these is told when the bundle is made.
 */
const HTTP_NAMES = ['IncomingMessage', 'STATUS_CODES', 'ServerResponse', 'createServer', 'get'];
const lighterHttp: Plugin = {
  name: 'lighter-http',
  enforce: 'pre',
  resolveId: (id) => (id === 'node:http' ? '\0http' : undefined),
  load: (id) =>
    id === '\0http'
      ? `export const { ${HTTP_NAMES.join(', ')} } = process.getBuiltinModule('node:http');`
      : undefined,
};

process.chdir(ROOT);
const words = process.argv.slice(2);
if (words.includes('--package')) {
  // Venues may be running from it: it is made again only where its sources have changed.
  if (!isBundleCurrent()) await bundle();
  await declare();
} else if (isBundleCurrent()) process.stdout.write('The bundle is up to date.\n');
else if (existsSync('node_modules/vite')) await bundle();
else if (words.includes('--if-possible')) {
  process.stdout.write('No bundle is made: vite is a development dependency.\n');
} else {
  process.stderr.write('vite is missing: install the development dependencies with npm ci\n');
  process.exitCode = 1;
}

/** A source that changes meanwhile makes it out of date: what it was made of is noted before. */
async function bundle(): Promise<void> {
  const { build } = await import('vite');
  const madeOf = sourcesNow();
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [keepPlaces, lighterHttp],
    ssr: { noExternal: INLINED },
    build: {
      ssr: true,
      outDir: OUT,
      target: 'esnext',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((file) => [builtName(file), file])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  writeFileSync(join(OUT, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(OUT, 'NOTICES.txt'), INLINED.map(noticeOf).join('\n'));
  writeFileSync(join(OUT, 'made-of.txt'), madeOf);
}

/** src/venue/projector-worker.ts is dist/projector-worker.js; a door has the name of its room. */
function builtName(file: string): string {
  const name = basename(file, '.ts');
  return name === 'mod' ? basename(dirname(file)) : name;
}

function placed(file: string, path: string): string {
  if (path.endsWith('-worker.ts')) return `./${builtName(path)}.js`;
  const folder = path.endsWith('/') ? '/' : '';
  return relative(OUT, resolve(dirname(file), path)) + folder;
}

/** Who copies software passes on under which terms it came. */
function noticeOf(name: string): string {
  const folder = join('node_modules', name);
  const [file = ''] = readdirSync(folder).filter((entry) => /^licen[cs]e/i.test(entry));
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

/** With a package.json of their own they find each other's rooms by the names that src uses. */
async function declare(): Promise<void> {
  const outcome = await runStep(DECLARE);
  process.stderr.write(report(DECLARE, outcome));
  if (!outcome.ok) process.exit(1);
  const { imports }: { imports: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const shipped = Object.entries(imports).filter(([door]) => !door.endsWith('/testing'));
  const doors = shipped.map(([door, file]) => {
    const built = file.replace(/^\.\/src\/(.*)\.ts$/, './$1.d.ts');
    if (!existsSync(join(TYPES, built))) throw new Error(`${door} leads nowhere: ${built}`);
    return [door, built];
  });
  const scope = { type: 'module', imports: Object.fromEntries(doors) };
  writeFileSync(join(TYPES, 'package.json'), `${JSON.stringify(scope, null, 2)}\n`);
}
