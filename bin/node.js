/**
 * Runs a program on a Node that is new enough: the one that runs this, or else one that the package
 * `node` has put beside it: a checkout has it, and whoever has an older Node may install it. Written
 * so that any Node since 16 can read it.
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

/** Imports the program here or runs `script` with the words on the Node beside it. */
export async function runOnNode(script, words, program = () => script) {
  if (isNewEnough(process.versions.node)) await import(String(program()));
  else {
    const places = packagesOfNode();
    const node = places.map(nodeIn).find((file) => existsSync(file));
    if (node === undefined) complain(places.length > 0);
    else run(node, [fileURLToPath(script), ...words]);
  }
}

function isNewEnough(version) {
  return Number(version.split('.')[0]) >= NODE_MAJOR_MIN;
}

/** Its install script puts the program into the package; without, it may lie where it came from. */
function packagesOfNode() {
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
  return places.filter((place) => place !== undefined);
}

function nodeIn(place) {
  return join(place, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

function complain(hasPackage) {
  const running = `this is Node ${process.versions.node} at ${process.execPath}`;
  const advice = hasPackage
    ? 'The package node is here, and its install script did not run: ' +
      '`npm rebuild node --ignore-scripts=false`, or use a newer Node'
    : `Install a newer Node, or put one beside Outcry: \`npm install node@${NODE_MAJOR_MIN}\``;
  process.stderr.write(`Outcry needs Node ${NODE_MAJOR_MIN} or newer; ${running}\n${advice}\n`);
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
