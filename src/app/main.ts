#!/usr/bin/env node
/** The program: runs the command line and ends with its exit code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { ephemeralDirectory, type Output, runCommandLine, type ServeOptions } from '#cli';
import { type Config, DEMO_CONFIG_FILE } from '#config';
import type { SteadyClock } from '#kernel';
import { openSharedLog } from '#log';
import type { Server } from '#server';
import { startVenue } from '#testing';
import { inlineMore } from '#venue';

const systemClock: SteadyClock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

const output: Output = {
  result: (line) => process.stdout.write(`${line}\n`),
  notice: (line) => process.stderr.write(`${line}\n`),
};

/** A process of a cluster that was told to stop ends after so long, whatever does not answer. */
const CLUSTER_STOP_MAX_MS = 30_000;

/** Serves until a signal, then stops in order. */
async function serve(config: Config, { json }: ServeOptions): Promise<number> {
  // Without data there is no long start to abort, and a directory to remove: listen early.
  const stopEarly = config.ephemeral ? stopSignal() : undefined;
  const log = logTo(process.stderr, config.logLevel);
  const onRemoved = (directory: string) =>
    log.info({ directory }, 'removed what a killed venue left');
  const dataDirectory = config.ephemeral ? ephemeralDirectory(onRemoved) : config.dataDirectory;
  // The other commands have no use for it.
  const { endWithin, startServer } = await import('#server');
  // Whoever reads JSON gets it in the log.
  const print = json ? undefined : output.notice;
  const start = (again: Config) => startServer(again, log, systemClock, openSharedLog, print);
  let server = await start({ ...config, dataDirectory });
  // Before it says that it is ready: a supervisor may stop it in the same moment.
  const stopped = stopEarly ?? stopSignal();
  // What was acknowledged is in the log of the cluster: nothing depends on an orderly end.
  if (config.cluster !== undefined) {
    void stopped.then(() => endWithin(CLUSTER_STOP_MAX_MS, () => server.waitsFor, log));
  }
  for (const line of json ? readyLine(server) : readyText(server, dataDirectory, config)) {
    output.result(line);
  }
  // Not only at an orderly end: 30 ms once a release, and each later start is a fifth shorter.
  flushCompileCache();
  inlineMore();
  for (;;) {
    const end = await Promise.race([stopped, server.ended]);
    log.info(typeof end === 'string' ? { signal: end } : { err: end }, 'stopping');
    await server.close();
    if (typeof end === 'string') return 0;
    // Out of its cluster's leadership, or of its log: it recovers and follows again.
    const { port } = new URL(server.url);
    const again = { ...config, dataDirectory, port: Number(port) };
    const starting = start(again);
    const next = await Promise.race([stopped, starting]);
    // It may wait for a leader for long; what is half started is recovered by the next start.
    if (typeof next === 'string') process.exit(0);
    server = next;
  }
}

/**
 * Lines go out as they come. Pino's own synchronous destination is not used: after its first line
 * every process.nextTick of Node 24 takes six times as long, a fifth of what a read costs.
 */
function logTo(stream: NodeJS.WriteStream, level: string): Logger {
  // The reader of the log has gone: the venue trades on.
  stream.on('error', () => undefined);
  return pino({ level }, stream);
}

function readyLine({ url, operatorUrl }: Server): string[] {
  const apart = operatorUrl === url ? {} : { operatorUrl };
  return [JSON.stringify({ url, ...apart, pid: process.pid, ready: true })];
}

function readyText(
  { url, operatorUrl, consoleLink }: Server,
  dataDirectory: string,
  { file, adminToken, people }: Config,
): string[] {
  const kept = adminToken === undefined ? 'Admin token (admin.token) and data' : 'All data';
  const demo = 'Demo accounts: demo-key / demo-secret / demo-pass, and maker-… alike';
  const own = `To open your own account, sign up at ${url}/account: its link appears here`;
  const link = consoleLink();
  const opens = `Open the console once, within ten minutes: ${operatorUrl}${link}`;
  return [
    `Outcry is ready at ${url}`,
    `Open it in a browser to trade; the admin console is ${operatorUrl}/ops, the API ${url}/docs`,
    `${kept} in ${dataDirectory}`,
    ...(file === DEMO_CONFIG_FILE ? [demo] : []),
    ...(people?.settings.signUp === 'demo' ? [own] : []),
    ...(link === undefined ? [] : [opens]),
  ];
}

/**
 * Resolves with SIGINT, SIGTERM or the end of a parent that opened a channel to this process. Until
 * it is asked for, a signal ends the process at once, which is how to abort a long start.
 */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    process.once('disconnect', () => resolve('disconnect'));
    // Listening must not keep a process alive that has stopped.
    process.channel?.unref();
    if (process.connected === false) resolve('disconnect');
  });
}

/** Benchmarks are a program of their own: they are not part of the server. */
async function bench(names: readonly string[]): Promise<number> {
  const program = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));
  if (!existsSync(program)) {
    output.notice('the benchmarks come with the sources of Outcry, not with its package');
    return 2;
  }
  const words = [...process.execArgv, program, ...names];
  const child = spawn(process.execPath, words, { stdio: 'inherit' });
  const [exitCode] = await once(child, 'exit');
  return typeof exitCode === 'number' ? exitCode : 1;
}

/**
 * Ends once all that was written is out, and waits for nothing else: gRPC cannot take back its
 * attempt to connect to a machine that does not answer, and Linux goes on with it for two minutes.
 */
function end(exitCode: number): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
}

const exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  output,
  serve,
  bench,
  openSharedLog,
  startVenue,
});
end(exitCode);
