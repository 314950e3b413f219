#!/usr/bin/env node
/** The program: runs the command line and ends with its exit code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Clock } from '#kernel';
import { type Output, runCommandLine } from './cli/mod.ts';
import { type Config, DEMO_CONFIG_FILE } from './config.ts';
import { startServer } from './server.ts';

const systemClock: Clock = { nowMs: () => Date.now() };

const output: Output = {
  result: (line) => process.stdout.write(`${line}\n`),
  notice: (line) => process.stderr.write(`${line}\n`),
};

/** Serves until SIGINT or SIGTERM, then stops in order. */
async function serve(config: Config): Promise<number> {
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const server = await startServer(config, log, systemClock);
  // Before anybody hears that it is ready: a supervisor may stop it in the same moment.
  const told = stopSignal();
  output.result(`Outcry is ready at ${server.url}`);
  output.result(`API reference at ${server.url}/docs, data in ${config.dataDirectory}`);
  if (config.file === DEMO_CONFIG_FILE) {
    output.result('Demo accounts: demo-key / demo-secret / demo-pass, and maker-… alike');
  }
  const signal = await told;
  log.info({ signal }, 'stopping');
  await server.close();
  return 0;
}

/** Until it is asked for, a signal ends the process at once, which is how to abort a long start. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

/** Benchmarks are a program of their own: they are not part of the server. */
async function bench(names: readonly string[]): Promise<number> {
  const program = fileURLToPath(new URL('../bench/run.ts', import.meta.url));
  const child = spawn(process.execPath, [program, ...names], { stdio: 'inherit' });
  const [exitCode] = await once(child, 'exit');
  return typeof exitCode === 'number' ? exitCode : 1;
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  output,
  serve,
  bench,
});
