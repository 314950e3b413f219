#!/usr/bin/env node
/**
 * Starts the program on a Node that can run it, or says which it needs. A checkout runs its sources
 * as they are, the package what tools/build.ts made of them.
 */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runOnNode } from './node.js';

const sources = new URL('../src/app/main.ts', import.meta.url);
const built = new URL('../dist/app/main.js', import.meta.url);

/**
 * Half of a start is compiling. What was compiled is kept when the program ends in order. The
 * directory is the user's own, because whoever can write there decides what runs. Threads take it
 * from the environment.
 */
function keepCompiledCode() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || join(cache, 'outcry');
  if (module.enableCompileCache !== undefined) module.enableCompileCache();
}

keepCompiledCode();
const program = existsSync(sources) ? sources : built;
await runOnNode(new URL(import.meta.url), process.argv.slice(2), program);
