#!/usr/bin/env node
/**
 * Starts the program, or says which Node it needs: written so that any Node since 14 can read it.
 * A checkout runs its sources as they are, the package what tools/build.ts made of them.
 */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const NODE_MAJOR_MIN = 24;
const sources = new URL('../src/main.ts', import.meta.url);
const built = new URL('../dist/main.js', import.meta.url);

/**
 * A third of a start is compiling. Only for venues that keep nothing: the compiled code of another
 * process replays a journal up to a third slower, and they have none. The directory is the user's
 * own, because whoever can write there decides what runs. Threads take it from the environment.
 */
function keepCompiledCode() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  process.env.NODE_COMPILE_CACHE ||= join(cache, 'outcry');
  module.enableCompileCache();
}

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  const running = `this is Node ${process.versions.node} at ${process.execPath}`;
  process.stderr.write(`Outcry needs Node ${NODE_MAJOR_MIN} or newer; ${running}\n`);
  process.exitCode = 2;
} else {
  if (process.argv.includes('--ephemeral')) keepCompiledCode();
  await import(existsSync(sources) ? sources : built);
}
