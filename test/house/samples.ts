/** Small texts that break one house rule each, and their nearest neighbours that do not. */

export interface Sample {
  readonly rule: string;
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  /** Where the rule must find something, as path:line. */
  readonly found: readonly string[];
}

type Files = Sample['files'];

function bad(rule: string, title: string, files: Files, ...found: string[]): Sample {
  return { rule, title, files, found };
}

function good(rule: string, title: string, files: Files): Sample {
  return { rule, title, files, found: [] };
}

/** A function of so many lines, its own braces included. */
function functionOf(lines: number): string {
  return `function long(): void {\n${'  step();\n'.repeat(lines - 2)}}\n`;
}

const A = 'src/domain/a.ts';
const B = 'src/domain/b.ts';
const ENGINE = 'src/engine/a.ts';
const PAGE = 'ui/src/a.tsx';
const CLI = 'src/app/cli/a.ts';
const ADMIN = 'src/dialects/admin/a.ts';
const KIT = 'src/dialects/kit/a.ts';
const TEST = 'test/engine/a.test.ts';

export const BAD: readonly Sample[] = [
  bad('vendor', 'a symbol', { [A]: "\nconst symbol = 'cmt_btcusdt';" }, `${A}:2`),
  bad('vendor', 'a path in a page', { [PAGE]: "\nget('/capi/v3/time');" }, `${PAGE}:2`),
  bad('vendor', 'a symbol in the demo', { 'config/a.yaml': '\na: cmt_a' }, 'config/a.yaml:2'),
  bad('vendor', 'a field in a dialect of the house', { [ADMIN]: 'x.holdModel;' }, `${ADMIN}:1`),
  bad(
    'vendor-imports',
    'a dialect of the house',
    { [ADMIN]: "\nimport '../classic/a.ts';" },
    `${ADMIN}:2`,
  ),
  bad('vendor-imports', 'a type', { [KIT]: "type A = import('../current/a.ts').A;" }, `${KIT}:1`),
  bad(
    'vendor-imports',
    'one vendor from the other',
    { 'src/dialects/current/a.ts': "import '../classic/a.ts';" },
    'src/dialects/current/a.ts:1',
  ),
  bad('vendor', 'a header in a comment', { [ENGINE]: '/** As ACCESS-KEY says. */' }, `${ENGINE}:1`),
  bad(
    'reasons',
    'a detail in words',
    { [ENGINE]: "\nf({ is: 'text', text: 'venue full' });" },
    `${ENGINE}:2`,
  ),
  bad(
    'reasons',
    'a formatted figure',
    { [ENGINE]: "\nimport { formatTrimmed as shown } from '#kernel';" },
    `${ENGINE}:2`,
  ),
  bad('doors', 'into another room past its door', { [A]: "import '../kernel/x.ts';" }, `${A}:1`),
  bad('doors', 'its own door', { [A]: "import { x } from '#domain';" }, `${A}:1`),
  bad('doors', 'a room that is not there', { [A]: "import '#cellar';" }, `${A}:1`),
  bad('doors', 'deeper than a door', { [A]: "import '#kernel/ring.ts';" }, `${A}:1`),
  bad('doors', 'src importing a test', { [A]: "\nimport '../../test/a.ts';" }, `${A}:2`),
  bad(
    'doors',
    'main past a door',
    { 'src/app/main.ts': "import '../api/a.ts';" },
    'src/app/main.ts:1',
  ),
  bad('doors', 'into a room of app', { [CLI]: "import '../config/a.ts';" }, `${CLI}:1`),
  bad('doors', 'a door that is a path', { [CLI]: "import '../../scenario/mod.ts';" }, `${CLI}:1`),
  bad('doors', 'a door for tests', { [CLI]: "import '#engine/testing';" }, `${CLI}:1`),
  bad('outside-doors', 'a test', { [TEST]: "import '../../src/engine/book/b.ts';" }, `${TEST}:1`),
  bad(
    'outside-doors',
    'a door that is a path, a room that is not there, and deeper than a door',
    { [TEST]: "import '../../src/engine/mod.ts';\nimport '#cellar';\nimport '#engine/book';" },
    ...[1, 2, 3].map((line) => `${TEST}:${line}`),
  ),
  bad('outside-doors', 'a type', { [TEST]: "let x: import('../../src/api/a.ts').X;" }, `${TEST}:1`),
  bad(
    'outside-doors',
    'a benchmark',
    { 'bench/a.ts': "import '../src/api/a.ts';" },
    'bench/a.ts:1',
  ),
  bad('outside-doors', 'a tool', { 'tools/a.ts': "import '#api/testing';" }, 'tools/a.ts:1'),
  bad('doors', 'a type import', { [A]: "let x: import('../kernel/x.ts').X;" }, `${A}:1`),
  bad('doors', 'a dynamic import', { [A]: "await import('../kernel/x.ts');" }, `${A}:1`),

  bad(
    'direction',
    'kernel looking up',
    { 'src/kernel/a.ts': "import '#domain';" },
    'src/kernel/a.ts:1',
  ),
  bad('direction', 'a sibling', { [ENGINE]: "import type { X } from '#log';" }, `${ENGINE}:1`),
  bad('direction', 'api and engine', { 'src/api/a.ts': "import '#engine';" }, 'src/api/a.ts:1'),
  bad('direction', 'api and venue', { 'src/api/a.ts': "import '#venue';" }, 'src/api/a.ts:1'),
  bad('direction', 'a re-export', { [A]: "export * from '#dialects';" }, `${A}:1`),
  bad(
    'direction',
    'config and history',
    { 'src/app/config/a.ts': "import '#history';" },
    'src/app/config/a.ts:1',
  ),
  bad('direction', 'a room and config', { 'src/api/a.ts': "import '#config';" }, 'src/api/a.ts:1'),
  bad(
    'direction',
    'server and cli',
    { 'src/app/server/a.ts': "import '#cli';" },
    'src/app/server/a.ts:1',
  ),
  bad(
    'direction',
    'cli and main',
    { 'src/app/cli/a.ts': "import '../main.ts';" },
    'src/app/cli/a.ts:1',
  ),
  bad(
    'direction',
    'an unknown room',
    { 'src/attic/a.ts': "import '#kernel';" },
    'src/attic/a.ts:1',
  ),

  bad('pure-imports', 'node: in engine', { [ENGINE]: "import 'node:fs';" }, `${ENGINE}:1`),
  bad('pure-imports', 'a package in domain', { [A]: "import yaml from 'yaml';" }, `${A}:1`),
  bad(
    'vendor',
    'the terminal',
    { 'ui/src/terminal/a.ts': "const a = 'cmt_a';" },
    'ui/src/terminal/a.ts:1',
  ),
  bad('pages', 'a room of the server', { [PAGE]: "import '#dialects';" }, `${PAGE}:1`),
  bad(
    'pages',
    'types of a room of the server',
    { [PAGE]: "import type { A } from '#dialects';" },
    `${PAGE}:1`,
  ),
  bad('pages', 'past a door', { [PAGE]: "import '../../src/kernel/a.ts';" }, `${PAGE}:1`),
  bad(
    'call-paths',
    'a path in a page',
    { 'ui/src/ops/a.ts': "const path = '/admin/v1/audit';" },
    'ui/src/ops/a.ts:1',
  ),
  bad('casts', 'in a page', { [PAGE]: 'const a = b as C;' }, `${PAGE}:1`),
  bad('header', 'a page without one', { [PAGE]: 'export {};' }, `${PAGE}:1`),
  bad(
    'adapters',
    'the package of an adapter',
    { 'src/venue/a.ts': "import Sqlite from 'better-sqlite3';" },
    'src/venue/a.ts:1',
  ),
  bad(
    'adapters',
    'the package of the shared log',
    { 'src/log/shared/a.ts': "import '@grpc/grpc-js';" },
    'src/log/shared/a.ts:1',
  ),
  bad(
    'adapters',
    'an adapter past the port',
    { 'src/log/verify.ts': "import { SqliteLog } from './sqlite/log.ts';" },
    'src/log/verify.ts:1',
  ),
  bad(
    'adapters',
    'what the door shows of an adapter',
    {
      'src/log/mod.ts': "export { copyJournal } from './sqlite/copy.ts';",
      'src/venue/a.ts': "import { logAt } from '#log';\nimport { copyJournal } from '#log';",
    },
    'src/venue/a.ts:2',
  ),
  bad(
    'depth',
    'two folders down',
    { 'src/market-data/old/b/a.ts': '' },
    'src/market-data/old/b/a.ts:1',
  ),

  bad(
    'file-cycles',
    'two files',
    { [A]: "import { b } from './b.ts';", [B]: "export { a } from './a.ts';" },
    `${A}:1`,
  ),
  bad('file-cycles', 'a file and itself', { [A]: "import './a.ts';" }, `${A}:1`),
  bad(
    'file-cycles',
    'one way in types only',
    { [A]: "import type { X } from './b.ts';", [B]: "import { y } from './a.ts';" },
    `${A}:1`,
  ),
  bad(
    'file-cycles',
    'two cycles that share a file',
    {
      [A]: "import './b.ts';",
      [B]: "import './a.ts';\nimport './c.ts';",
      'src/domain/c.ts': "import './b.ts';",
    },
    `${A}:1`,
  ),
  bad(
    'file-cycles',
    'through a door',
    {
      'src/kernel/mod.ts': "import './a.ts';",
      'src/kernel/a.ts': "import '#domain';",
      'src/domain/mod.ts': "import '#kernel';",
    },
    'src/domain/mod.ts:1',
  ),
  bad(
    'room-cycles',
    'two rooms, one way in types only',
    { [A]: "import '#kernel';", 'src/kernel/a.ts': "import type { X } from '#domain';" },
    'src/domain:1',
  ),

  bad(
    'opening',
    'between tests',
    { 'test/a.test.ts': "test('a', f);\nconst house = closedAtEnd(await House.open());" },
    'test/a.test.ts:2',
  ),
  bad('determinism', 'a clock', { [A]: 'const now = Date.now();' }, `${A}:1`),
  bad('determinism', 'the time of day', { [A]: 'const now = new Date();' }, `${A}:1`),
  bad('determinism', 'a clock type', { [A]: '\nlet at: Date;' }, `${A}:2`),
  bad('determinism', 'randomness', { [ENGINE]: 'const x = Math.random();' }, `${ENGINE}:1`),
  bad('determinism', 'a uuid', { [ENGINE]: 'const x = crypto.randomUUID();' }, `${ENGINE}:1`),
  bad('determinism', 'a timer', { [ENGINE]: 'setTimeout(run, 1);' }, `${ENGINE}:1`),
  bad('determinism', 'a microtask', { [ENGINE]: 'queueMicrotask(run);' }, `${ENGINE}:1`),
  bad('determinism', 'the process', { 'src/kernel/a.ts': 'process.exit(1);' }, 'src/kernel/a.ts:1'),
  bad('determinism', 'a shorthand', { [A]: 'const x = { performance };' }, `${A}:1`),
  bad('determinism', 'floating text', { [A]: 'parseFloat(x);\nx.toFixed(2);' }, `${A}:1`, `${A}:2`),
  bad('determinism', 'a locale', { [A]: 'new Intl.NumberFormat(a);' }, `${A}:1`),
  bad('determinism', 'keys in order', { [A]: 'for (const key in table) run(key);' }, `${A}:1`),
  bad(
    'determinism',
    'waiting',
    { [ENGINE]: 'async function f() {\n  await g();\n}' },
    `${ENGINE}:1`,
    `${ENGINE}:2`,
  ),

  bad('plain-types', 'any', { [A]: 'let x: any;' }, `${A}:1`),
  bad('plain-types', 'non-null', { [A]: '\nconst x = y!.z;' }, `${A}:2`),
  bad('plain-types', 'enum', { [A]: 'const enum Side { Buy }' }, `${A}:1`),
  bad('plain-types', 'namespace', { [A]: 'namespace Sides {}' }, `${A}:1`),
  bad('casts', 'as', { [ENGINE]: 'const x = y as Ticks;' }, `${ENGINE}:1`),
  bad('casts', 'angle brackets', { [ENGINE]: 'const x = <Ticks>y;' }, `${ENGINE}:1`),
  bad(
    'casts',
    'live views',
    { 'src/market-data/b/a.ts': 'f(y as X);' },
    'src/market-data/b/a.ts:1',
  ),
  bad('no-console', 'a log line', { 'src/app/main.ts': "console.log('x');" }, 'src/app/main.ts:1'),
  bad('environment', 'cli', { 'src/app/cli/a.ts': 'f(process.env);' }, 'src/app/cli/a.ts:1'),
  bad('environment', 'a room', { 'src/api/a.ts': 'const x = process.env.X;' }, 'src/api/a.ts:1'),
  bad(
    'environment',
    'an import of env',
    { 'src/api/a.ts': "import { env as x } from 'node:process';" },
    'src/api/a.ts:1',
  ),
  bad('unfinished', 'a note', { [A]: '\n// TO' + 'DO later' }, `${A}:2`),
  bad('silenced', 'a hidden type error', { [A]: '// @ts-' + 'ignore because' }, `${A}:1`),
  bad('silenced', 'an expected error', { [A]: '\n// @ts-' + 'expect-error' }, `${A}:2`),
  bad('silenced', 'lint', { [A]: '// biome-' + 'ignore lint/x/y: ok' }, `${A}:1`),

  bad('function-lines', 'a function', { [A]: `\n${functionOf(71)}` }, `${A}:2`),
  bad('function-lines', 'an arrow', { [A]: `const f = () => {${'\n'.repeat(70)}};` }, `${A}:1`),
  bad('function-lines', 'a method', { [A]: `class X {\n  f() {${'\n'.repeat(70)}}\n}` }, `${A}:2`),
  bad('file-lines', 'a file', { [A]: 'x();\n'.repeat(501) }, `${A}:501`),
  bad('line-length', 'a comment', { [A]: `\n// ${'x'.repeat(98)}` }, `${A}:2`),

  bad('names', 'a file', { 'src/dialects/utils.ts': '' }, 'src/dialects/utils.ts:1'),
  bad('names', 'a part', { 'test/api/http-helper.ts': '' }, 'test/api/http-helper.ts:1'),
  bad('names', 'a folder', { 'src/dialects/common/a.ts': '' }, 'src/dialects/common/a.ts:1'),
  bad(
    'file-case',
    'camel case',
    { 'src/dialects/spotRoutes.ts': '' },
    'src/dialects/spotRoutes.ts:1',
  ),
  bad('header', 'code first', { [A]: "import './b.ts';\n/** Late. */" }, `${A}:1`),
  bad('header', 'a line comment', { [A]: '// A file.\n' }, `${A}:1`),
];

export const GOOD: readonly Sample[] = [
  good('vendor', 'its own dialect', { 'src/dialects/classic/b.ts': "const symbol = 'cmt_a';" }),
  good('opening', 'above the tests', {
    'test/a.test.ts': "const house = await open();\ntest('a', async () => {\n  await house();\n});",
  }),
  good('vendor', 'a symbol of the house', { 'config/a.yaml': 'symbol: BTC-USDT-PERP' }),
  good('vendor-imports', 'its own files, the kit and what joins all', {
    'src/dialects/classic/a.ts': "import './b.ts';\nimport '../kit/a.ts';",
    'src/dialects/mod.ts': "export { a } from './classic/a.ts';",
    'src/dialects/docs/a.ts': "import '../current/a.ts';",
    [ADMIN]: "import '../kit/a.ts';",
  }),
  good('reasons', 'words of a dialect', { 'src/dialects/a/b.ts': "f({ is: 'text', text: '' });" }),
  good('reasons', 'the shape itself', { [A]: "type Detail = { readonly is: 'text' };" }),
  good('vendor', 'a neutral symbol', { [A]: "const symbol = 'BTC-USDT-PERP';" }),
  good('call-paths', 'a call by its name', { 'ui/src/ops/a.ts': 'call(admin.audit, {});' }),
  good('pages', 'rules that both sides share', {
    [PAGE]: "import '#domain';\nimport type { A } from '#client';\nimport './b.ts';",
  }),
  good('doors', 'a door, a package and a file of the same room', {
    'src/engine/spot/a.ts': "import '#kernel';\nimport '../book/b.ts';\nimport 'yaml';",
  }),
  good('outside-doors', 'a door, a door for tests, the kit and the program', {
    [TEST]: "import '#engine';\nimport '#engine/testing';\nimport '../support/a.ts';",
    'test/support/a.ts': "await import('../../src/app/main.ts');",
  }),
  good('direction', 'the venue joins engine, journal and views', {
    'src/venue/a.ts': "import '#engine';\nimport '#log';\nimport '#views';",
  }),
  good('direction', 'main puts the house together', {
    'src/app/main.ts': "import '#venue';\nimport '#cli';\nimport '#config';",
  }),
  good('pure-imports', 'a package in an outer room', { 'src/api/a.ts': "import 'fastify';" }),
  good('adapters', 'the application, and the file that chooses', {
    'src/log/mod.ts':
      "export { logAt } from './open.ts';\nexport { copyIt } from './sqlite/copy.ts';",
    'src/log/open.ts': "import { SqliteLog } from './sqlite/log.ts';",
    'src/log/sqlite/log.ts': "import Sqlite from 'better-sqlite3';\nimport './copy.ts';",
    'src/venue/a.ts': "import { logAt } from '#log';",
    'src/app/cli/backup.ts': "import { copyIt, logAt } from '#log';",
  }),
  good('depth', 'one folder down', { 'src/market-data/b/a.ts': '' }),
  good('file-cycles', 'two ways to the same file', {
    [A]: "import type { X } from './b.ts';\nimport './c.ts';",
    [B]: "import { y } from './c.ts';",
    'src/domain/c.ts': '',
  }),
  good('room-cycles', 'one way', {
    [A]: "import '#kernel';",
    'src/kernel/a.ts': "import './b.ts';",
  }),
  good('determinism', 'a calendar', {
    [A]: 'const at = Date.UTC(new Date(timeMs).getUTCFullYear());',
  }),
  good('determinism', 'a member that shares a name with a global', {
    [ENGINE]: 'const x = order.process + { crypto: 1 }.crypto;\nclass X { fetch() {} }',
  }),
  good('determinism', 'a clock in an outer room', { 'src/api/a.ts': 'const now = Date.now();' }),
  good('plain-types', 'the word any in text', { [A]: "// any\nconst x = 'any' !== y;" }),
  good('casts', 'as const, satisfies and a renamed import', {
    [ENGINE]: "import { a as b } from './b.ts';\nconst x = [1] as const satisfies X;",
  }),
  good('casts', 'brands', { 'src/kernel/a.ts': 'const x = y as Brand;' }),
  good('environment', 'main hands it over', { 'src/app/main.ts': 'run(process.env);' }),
  good('environment', 'config', { 'src/app/config/a.ts': 'const x = process.env.X;' }),
  good('silenced', 'a reason', {
    [A]: '// biome-' + 'ignore lint/x/y: keeps the order of the table',
  }),
  good('function-lines', 'seventy lines', { [A]: functionOf(70) }),
  good('function-lines', 'a group of tests', {
    'test/a.test.ts': `describe('x', () => {${'\n'.repeat(90)}});`,
  }),
  good('file-lines', 'five hundred lines', { [A]: 'x();\n'.repeat(500) }),
  good('line-length', 'a hundred characters', { [A]: 'x'.repeat(100) }),
  good('names', 'a word that contains a banned one', { 'src/dialects/commonwealth.ts': '' }),
  good('file-case', 'a test of a worker', { 'test/journal/writer-worker.test.ts': '' }),
  good('header', 'after the program line', {
    'src/app/main.ts': '#!/usr/bin/env node\n/** Main. */',
  }),
];
