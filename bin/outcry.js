#!/usr/bin/env node
/**
 * Starts the program, or says which Node it needs: written so that any Node since 14 can read it.
 * A checkout runs its sources as they are, the package what tools/build.ts made of them.
 */
import { existsSync } from 'node:fs';

const NODE_MAJOR_MIN = 24;
const sources = new URL('../src/main.ts', import.meta.url);
const built = new URL('../dist/main.js', import.meta.url);

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  const running = `this is Node ${process.versions.node} at ${process.execPath}`;
  process.stderr.write(`Outcry needs Node ${NODE_MAJOR_MIN} or newer; ${running}\n`);
  process.exitCode = 2;
} else {
  await import(existsSync(sources) ? sources : built);
}
