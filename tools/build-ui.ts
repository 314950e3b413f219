/**
 * Builds the pages into dist-ui, each file also as .br and .gz, and prints what they weigh. Fails
 * when the scripts of the first load of the terminal are too heavy; does nothing when nothing has
 * changed. `--if-possible` is for `npm ci`: without the development dependencies it says so and
 * builds nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const OUT = 'dist-ui';
/** Written last: whether the build has ended well, and when. */
const BUILT_MARK = '.built';
const COMPRESSED = /\.(js|css|html|svg)$/;
/** First load of the terminal, scripts only. */
const SCRIPT_GZIP_MAX_BYTES = 250_000;

/** What the pages are made from. */
const SOURCES = [
  'ui',
  'src/kernel',
  'src/domain',
  'src/app/client',
  'tools/build-ui.ts',
  'package-lock.json',
];

process.chdir(`${import.meta.dirname}/..`);
if (isUpToDate()) process.stdout.write('The pages are up to date.\n');
else if (existsSync('node_modules/vite')) await buildPages();
else if (process.argv.includes('--if-possible')) {
  process.stdout.write('The pages are not built: vite is a development dependency.\n');
} else {
  process.stderr.write('vite is missing: install the development dependencies with npm ci\n');
  process.exitCode = 1;
}

async function buildPages(): Promise<void> {
  const { build } = await import('vite');
  try {
    await build({ configFile: 'ui/vite.config.ts', logLevel: 'warn' });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    return;
  }
  for (const file of entriesOf(OUT).filter((name) => COMPRESSED.test(name))) compress(file);
  const bytes = firstLoadGzipBytes('index.html');
  const isTooHeavy = bytes > SCRIPT_GZIP_MAX_BYTES;
  const weight = `The terminal loads ${kilobytes(bytes)} kB of script, compressed with gzip`;
  process.stdout.write(`${weight}; at most ${kilobytes(SCRIPT_GZIP_MAX_BYTES)} kB.\n`);
  if (isTooHeavy) process.exitCode = 1;
  else writeFileSync(join(OUT, BUILT_MARK), '');
}

/** Leaves alone what a running server or a test may be serving. */
function isUpToDate(): boolean {
  const last = join(OUT, BUILT_MARK);
  if (!existsSync(last)) return false;
  const builtMs = statSync(last).mtimeMs;
  const paths = SOURCES.flatMap((source) => [source, ...entriesOf(source)]);
  return paths.every((path) => statSync(path).mtimeMs < builtMs);
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
}

/** What a page names itself: its script and those preloaded with it. */
function firstLoadGzipBytes(page: string): number {
  const html = readFileSync(join(OUT, page), 'utf8');
  const scripts = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)];
  return scripts.reduce(
    (sum, [, path = '']) => sum + readFileSync(join(OUT, `${path}.gz`)).length,
    0,
  );
}

function kilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(0);
}

/** Files and folders below a folder; a folder is newer than a file that was taken out of it. */
function entriesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
}
