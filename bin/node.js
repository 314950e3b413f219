/**
 * Runs a program on a Node that is new enough: the one that runs this, or else the one that the
 * package `node` has brought along. Written so that any Node since 16 can read it.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const COULD_NOT_RUN = 2;
/**
 * Threads of V8 that compile and collect: as many as there are processors besides one, and not four
 * on two, where they take them from the market. package.json and deploy say it for their starts.
 */
const NODE_OPTIONS = ['--v8-pool-size=0'];
/** An interrupt from a terminal goes to every process there; the others only to this one. */
const SIGNALS = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT'];

/** Imports the program here or runs `script` with the words on the Node that came along. */
export async function runOnNode(script, words, program = () => script) {
  if (isNewEnough(process.versions.node)) await import(String(program()));
  else {
    const node = bundledNode();
    if (node === undefined) complain();
    else run(node, [fileURLToPath(script), ...words]);
  }
}

function isNewEnough(version) {
  return Number(version.split('.')[0]) >= NODE_MAJOR_MIN;
}

/** Its install script puts the program into the package; without, it may lie where it came from. */
function bundledNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const places = ['node', `${prefix}-${platform}-${process.arch}`].map((place) => {
    try {
      return dirname(require.resolve(`${place}/package.json`));
    } catch {
      return undefined;
    }
  });
  const found = places
    .filter((place) => place !== undefined)
    .map((place) => join(place, 'bin', name));
  return found.find((file) => existsSync(file));
}

function complain() {
  const running = `this is Node ${process.versions.node} at ${process.execPath}`;
  const reason = 'The one it brings along is not there, because install scripts did not run';
  const advice = 'npm rebuild node --ignore-scripts=false';
  process.stderr.write(
    `Outcry needs Node ${NODE_MAJOR_MIN} or newer; ${running}\n` +
      `${reason}: run \`${advice}\`, or use a newer Node\n`,
  );
  process.exitCode = COULD_NOT_RUN;
}

/** The channel ends the program with this process, however that ends. */
function run(node, words) {
  const child = spawn(node, [...NODE_OPTIONS, ...words], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  if (process.stdin.isTTY) process.on('SIGINT', () => undefined);
  const letGo = () => {
    if (child.connected) child.disconnect();
  };
  process.on('disconnect', letGo);
  child.once('spawn', () => {
    if (process.send !== undefined && process.connected === false) letGo();
  });
  child.once('error', (error) => {
    process.stderr.write(`${node} cannot be run: ${error.message}\n`);
    process.exitCode = COULD_NOT_RUN;
  });
  child.once('exit', (code, signal) => {
    for (const name of SIGNALS) process.removeAllListeners(name);
    if (process.connected) process.disconnect();
    if (signal === null) process.exitCode = code;
    else process.kill(process.pid, signal);
  });
}
