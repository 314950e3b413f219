#!/usr/bin/env node
/** Starts the program on a Node that can run it, or says which it needs. */
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runOnNode } from './node.js';
import { programFile } from './program.js';

/**
 * What was compiled is kept when the program ends in order: half of a start of the sources. The
 * directory is the user's own, because whoever can write there decides what runs. Threads take it
 * from the environment.
 */
function keepCompiledCode() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || join(cache, 'outcry');
  if (module.enableCompileCache !== undefined) module.enableCompileCache();
}

keepCompiledCode();
const program = () => pathToFileURL(programFile());
await runOnNode(new URL(import.meta.url), process.argv.slice(2), program);
