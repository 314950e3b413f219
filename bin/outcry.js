#!/usr/bin/env node
/** Starts the program on a Node that can run it, or says which it needs. */
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
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
  const directory = process.env.NODE_COMPILE_CACHE || join(cache, 'outcry');
  if (!isMade(directory)) {
    delete process.env.NODE_COMPILE_CACHE;
    const how = 'starts take longer; set XDG_CACHE_HOME to a directory that can be written';
    process.stderr.write(`outcry: cannot create ${directory} for compiled code: ${how}\n`);
    return;
  }
  process.env.NODE_COMPILE_CACHE = directory;
  if (module.enableCompileCache !== undefined) module.enableCompileCache();
}

/** Level by level: where a level can never be made, as below /proc, Node itself tries for ever. */
function isMade(directory) {
  for (const isLast of [false, true]) {
    try {
      mkdirSync(directory, { mode: 0o700 });
      return true;
    } catch (error) {
      if (error.code === 'EEXIST') return true;
      const above = dirname(directory);
      if (error.code !== 'ENOENT' || isLast || above === directory || !isMade(above)) return false;
    }
  }
  return false;
}

keepCompiledCode();
const program = () => pathToFileURL(programFile());
await runOnNode(new URL(import.meta.url), process.argv.slice(2), program);
