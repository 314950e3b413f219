/**
 * The page of figures: docs/PERFORMANCE.md with its plots, and the extract in the README, made of
 * the runs in bench/history.ndjson. `node tools/run.js bench/page.ts` writes them anew.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chart } from './plot.ts';
import { type Machine, machineLine, tableLines, verdict } from './report.ts';
import type { BenchResult } from './result.ts';

const PROJECT = join(import.meta.dirname, '..');
const HISTORY = 'bench/history.ndjson';
const PAGE = 'docs/PERFORMANCE.md';
const PLOTS = 'images/performance';

export interface Run extends Machine {
  readonly results: readonly BenchResult[];
}

interface Group {
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly names: RegExp;
}

/** What is drawn together: figures with a peer as their ratio to it, the others as they are. */
const GROUPS: readonly Group[] = [
  {
    file: 'book',
    title: 'The book, as a multiple of nodejs-order-book',
    about: 'Both are given the same orders in the same run.',
    names: /^book, crossing/,
  },
  {
    file: 'engines',
    title: 'Engines, commands a second',
    about: 'Checks, ledger, matching and events, without I/O.',
    names: /engine, no I\/O$/,
  },
  {
    file: 'memory',
    title: 'Memory per resting order, bytes',
    about: 'What the heap grows by.',
    names: /memory per resting order/,
  },
  {
    file: 'replay',
    title: 'Replay, commands a second',
    about:
      'A journal is read, proven and applied by a new process (warm: one that has done it twice).',
    names: /^(warm )?replay/,
  },
  {
    file: 'start',
    title: 'From start to ready, seconds',
    about: 'The real program, on an empty directory and after a crash without a snapshot.',
    names: /^start to ready/,
  },
  {
    file: 'orders',
    title: 'Orders over HTTP, as a part of a bare echo',
    about: 'Signed, and on disk before they are answered; 64 connections.',
    names: /^(?!p\d|processor).*signed, durable$/,
  },
  {
    file: 'cold',
    title: 'Orders over HTTP right after a start, as a part of an echo as cold',
    about:
      'In the first, third and tenth second after the ready line, on an empty directory; 64 ' +
      'connections.',
    names: /^orders in the .* second after a start$/,
  },
  {
    file: 'processor-time',
    title: "Processor time of an order, as a multiple of the echo's",
    about:
      'Of the thread that reads and answers: it decides where there are processors enough for ' +
      'the other threads.',
    names: /^processor time of .*signed, durable$/,
  },
  {
    file: 'lateness',
    title: "The slowest of a hundred orders, as a multiple of the echo's",
    about: 'How long it took, beside the slowest of a hundred answers of the echo.',
    names: /^p99 of .*signed, durable$/,
  },
  {
    file: 'reads',
    title: 'Reads over HTTP, as a part of a bare echo',
    about: 'The echo parses and writes JSON with `node:http` and does nothing else.',
    names: /^(current )?(market\/|account)/,
  },
  {
    file: 'streams',
    title: 'Updates to subscribers, as a part of bare ws',
    about: 'One change of a book to every subscriber.',
    names: /^book update/,
  },
  {
    file: 'stalls',
    title: 'Longest stall, milliseconds',
    about: 'How long one call at the caps of the demo keeps all others waiting.',
    names: /^longest stall/,
  },
  {
    file: 'prices',
    title: 'A new index price, microseconds',
    about: 'It costs the positions that it liquidates, and not those that there are.',
    names: /^new index price/,
  },
  {
    file: 'history',
    title: 'Rows of the history a second',
    about: 'Into a file and into PostgreSQL.',
    names: /^history rows into (SQLite|PostgreSQL)$/,
  },
];

/** The README's dozen. */
const EXTRACT: readonly (readonly [string, number])[] = [
  ['book, crossing limit orders', 200_000],
  ['spot engine, no I/O', 500_000],
  ['swap engine, no I/O', 500_000],
  ['memory per resting order with a client id', 1_000_000],
  ['replay, 1024 commands per entry', 1_000_000],
  ['start to ready, empty journal', 0],
  ['placeOrder, signed, durable', 10_000],
  ['swap placeOrder, signed, durable', 10_000],
  ['market/depth', 10_000],
  ['market/ticker', 10_000],
  ['book update to every subscriber', 1_000],
  ['longest stall: liquidation of half of all positions', 10_000],
];

const INTRODUCTION = `# Performance

<!-- Written by bench/page.ts from bench/history.ndjson. -->

\`npm run bench\` measures everything below on your machine, \`npm run bench -- engine replay\`
what you name; each run is appended to \`bench/history.ndjson\` and this page written anew. Load
generator and server share the machine. Where there is a peer it is given the same load in the
same run, in rounds that take turns: the ratio is what travels to other machines; the machine of
these runs is shared with others. Peers are the npm package nodejs-order-book for the book, a bare
\`node:http\` JSON echo for HTTP, bare \`ws\` for streams, SQLite for etcd, and one process for a
cluster (eleven processes on the same processors, which do the work of each order five times). An
order is on disk before it is answered. A flood is 512 connections of one key or one address, and
its figure how much longer a calm client waits beside it.

\`npm run guard\` compares this checkout with the commit before it (with the last commit where
sources were changed) in one run, in turns and by processor time, and fails where engine, replay
or HTTP have become more than a tenth slower.
`;

export function readRuns(): Run[] {
  const text = readFileSync(join(PROJECT, HISTORY), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Run => JSON.parse(line));
}

/** Every file of the page by its path, and the README with its extract. */
export function pageFiles(runs: readonly Run[], readme: string): Map<string, string> {
  const newest = newestFigures(runs);
  const files = new Map([['README.md', withExtract(readme, newest)]]);
  const parts = [INTRODUCTION];
  for (const group of GROUPS) {
    const plot = plotOf(group, runs);
    if (plot === undefined) continue;
    files.set(`docs/${PLOTS}/${group.file}.svg`, plot);
    const image = `![${group.title}](${PLOTS}/${group.file}.svg)`;
    parts.push(`## ${group.title}\n${group.about}\n\n${image}\n`);
  }
  const missed = newest.filter((result) => verdict(result) === 'BELOW FLOOR');
  const short = missed.map(({ name, size }) => `${name} (${size.toLocaleString('en')})`);
  parts.push(
    '## The newest figures',
    'Of each measure its last run; the floor is what must be reached, the aim what should be.\n',
    ...tableLines(newest),
    `\nBelow their floors: ${short.join('; ') || 'none'}.\n`,
    '## Runs',
    ...runs.map((run) => `- ${machineLine(run)}; ${run.results.length} figures`),
    '',
  );
  return files.set(PAGE, parts.join('\n'));
}

/** Each figure as the last run that has it; in the order of the newest whole run. */
function newestFigures(runs: readonly Run[]): BenchResult[] {
  const newest = new Map<string, BenchResult>();
  for (const { results } of runs.toReversed()) {
    // Rows of a cluster's history are named by a size that differs from run to run.
    const later = new Set(Array.from(newest.values(), ({ name }) => name));
    for (const result of results) {
      const key = keyOf(result);
      if (!newest.has(key) && !later.has(result.name)) newest.set(key, result);
    }
  }
  return [...newest.values()];
}

function plotOf({ title, names }: Group, runs: readonly Run[]): string | undefined {
  const drawn = runs.filter(({ results }) => results.some(({ name }) => names.test(name)));
  const all = drawn.flatMap(({ results }) => results.filter(({ name }) => names.test(name)));
  const lines = [...new Set(all.map(keyOf))].map((key) => ({
    name: key,
    values: drawn.map(({ results }) => {
      const found = results.find((result) => keyOf(result) === key);
      return found && (found.ratio ?? found.value);
    }),
  }));
  // The moment of a run, as 11-23 08:34.
  const labels = drawn.map(({ date }) => date.slice(5, 16).replace('T', ' '));
  return lines.length === 0 ? undefined : chart(title, labels, lines);
}

function keyOf({ name, size }: BenchResult): string {
  return `${name}, ${size.toLocaleString('en')}`;
}

function withExtract(readme: string, newest: readonly BenchResult[]): string {
  const rows = EXTRACT.flatMap(([name, size]) =>
    newest.filter((result) => result.name === name && result.size === size),
  );
  // From the first row below the heading to the empty line behind the last.
  const table = /(?<=\n## How fast\n[^|]*)(?:\|.*\n)+/;
  return readme.replace(table, () => `${tableLines(rows).join('\n')}\n`);
}

export function writePage(): void {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
  for (const [path, text] of pageFiles(readRuns(), readme)) {
    mkdirSync(dirname(join(PROJECT, path)), { recursive: true });
    writeFileSync(join(PROJECT, path), text);
  }
}

if (import.meta.main) writePage();
