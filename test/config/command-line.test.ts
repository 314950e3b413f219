/** The command line against a running server and its data directory, with its exit codes. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommandLine } from '#cli';
import type { Config } from '#config';
import { closedAtEnd } from '../support/at-end.ts';
import { startHere } from '../support/server-here.ts';

const server = closedAtEnd(await startHere({ rateLimits: true, ownToken: true }));
const data = server.directory;

interface Outcome {
  readonly code: number;
  readonly results: string;
  readonly notices: string;
}

interface Calls {
  readonly served: Config[];
  readonly benches: string[][];
}

const calls: Calls = { served: [], benches: [] };

async function run(...words: string[]): Promise<Outcome> {
  const results: string[] = [];
  const notices: string[] = [];
  const code = await runCommandLine(words, {
    env: {},
    output: { result: (line) => results.push(line), notice: (line) => notices.push(line) },
    serve: async (config) => {
      calls.served.push(config);
      return 0;
    },
    bench: async (names) => {
      calls.benches.push([...names]);
      return 1;
    },
    openSharedLog: () => assert.fail('no command here asks a cluster'),
    startVenue: () => Promise.reject(new Error('no command here starts a venue')),
  });
  return { code, results: results.join('\n'), notices: notices.join('\n') };
}

/** Flags for the running server, whose token lies in its data directory. */
function venue(): string[] {
  return ['--url', server.url, '--data', data];
}

test('serve reads its flags', async () => {
  const flags = ['--port', '9000', '--host', '127.0.0.2', '--data', '/tmp/venue'];
  const switches = ['--no-participants', '--rate-limits', 'off', '--admin-token', 'T'];
  assert.equal((await run('serve', ...flags, ...switches)).code, 0);
  const config = calls.served.at(-1);
  assert.deepEqual(
    [config?.port, config?.host, config?.dataDirectory, config?.adminToken],
    [9_000, '127.0.0.2', '/tmp/venue', 'T'],
  );
  assert.deepEqual([config?.participants, config?.rateLimits], [false, false]);
  await run('serve');
  assert.equal(calls.served.at(-1)?.participants, true);
});

test('what cannot run ends with 2 and says why', async () => {
  const demoOutside = await run('serve', '--host', '0.0.0.0');
  assert.equal(demoOutside.code, 2);
  assert.match(demoOutside.notices, /--allow-demo-on-network/);
  assert.equal((await run('serve', '--config', '/nowhere.yaml')).code, 2);
  assert.match((await run('serve', '--prot', '1')).notices, /unknown option '--prot'/);
  assert.equal((await run('fly')).code, 2);
  assert.match((await run('deposit', '--coin', 'BTC')).notices, /--account/);
  const nobody = await run(
    'key',
    'list',
    '--account',
    'demo',
    '--url',
    'http://127.0.0.1:9',
    '--admin-token',
    'x',
  );
  assert.equal(nobody.code, 2);
  assert.match(nobody.notices, /cannot reach a venue at/);
  assert.match((await run('audit', '--data', '/nowhere')).notices, /./);
  assert.equal((await run('audit', '--data', '/nowhere')).code, 2);
  assert.equal((await run('verify-journal', '--data', '/nowhere')).code, 2);
  assert.equal((await run('replay', '--data', '/nowhere')).code, 2);
});

test('help is no failure', async () => {
  const help = await run('--help');
  assert.equal(help.code, 0);
  const online = ['serve', 'doctor', 'key', 'deposit', 'invite', 'index', 'insurance'];
  for (const name of [...online, 'audit', 'replay', 'verify-journal', 'bench']) {
    assert.ok(help.results.includes(name), name);
  }
});

test('bench hands on its names and its exit code', async () => {
  assert.equal((await run('bench', 'book', 'http')).code, 1);
  assert.deepEqual(calls.benches.at(-1), ['book', 'http']);
});

test('a deposit arrives in the running venue', async () => {
  const paid = await run(
    'deposit',
    ...venue(),
    '--account',
    'demo',
    '--coin',
    'USDT',
    '--amount',
    '2.5',
  );
  assert.equal(paid.code, 0, paid.notices);
  assert.match(paid.results, /balance +1000002\.50000000/);
  const fine = await run(
    'deposit',
    ...venue(),
    '--account',
    'demo',
    '--coin',
    'USDT',
    '--amount',
    '1e9',
  );
  assert.equal(fine.code, 2);
  assert.match(fine.notices, /Amount is invalid/);
});

test('money that is entered twice under one id is entered once', async () => {
  const deposit = ['deposit', ...venue(), '--account', 'demo', '--coin', 'USDT'];
  const again = ['--amount', '1', '--client-oid', 'ticket-9'];
  const first = await run(...deposit, ...again);
  assert.equal(first.code, 0, first.notices);
  assert.deepEqual(await run(...deposit, ...again), first);
  const other = await run(...deposit, '--amount', '2', '--client-oid', 'ticket-9');
  assert.equal(other.code, 2);
  assert.match(other.notices, /Something else has this client id: ticket-9/);
  const funding = ['insurance', ...venue(), 'BTC', '3', '--client-oid', 'ticket-9'];
  const funded = await run(...funding);
  assert.equal(funded.code, 0, funded.notices);
  assert.deepEqual(await run(...funding), funded);
});

test('a command whose answer is lost names the id under which it may be sent again', async () => {
  const asked: string[] = [];
  const lossy = createServer((request, response) => {
    request.on('data', (piece) => asked.push(String(piece)));
    request.on('end', () => response.destroy());
  });
  lossy.listen(0, '127.0.0.1');
  await once(lossy, 'listening');
  const { port } = lossy.address() as AddressInfo;
  const target = ['--url', `http://127.0.0.1:${port}`, '--admin-token', 'x'];
  for (const command of [
    ['deposit', '--account', 'demo', '--coin', 'USDT', '--amount', '1'],
    ['insurance', 'USDT', '1'],
  ]) {
    const lost = await run(...command, ...target);
    assert.equal(lost.code, 2);
    const { clientOid } = JSON.parse(asked.pop() ?? '{}');
    assert.match(clientOid, /^[0-9a-f-]{36}$/);
    assert.ok(lost.notices.includes(`--client-oid ${clientOid}`), lost.notices);
  }
  lossy.close();
});

test('an invitation is a code and a link with it', async () => {
  const made = await run('invite', ...venue(), '--uses', '3', '--days', '2', '--label', 'course');
  assert.equal(made.code, 0, made.notices);
  const [, code = ''] = /^code +(\S+)$/m.exec(made.results) ?? [];
  assert.match(code, /^[a-z0-9]{5}(-[a-z0-9]{5}){3}$/);
  assert.ok(made.results.includes(`${server.url}/account#invitation=${code}`), made.results);
  const tooMany = await run('invite', ...venue(), '--uses', '0');
  assert.equal(tooMany.code, 2);
  assert.match(tooMany.notices, /uses/i);
});

test('an index price is reported and taken back', async () => {
  const set = await run('index', ...venue(), 'BTC-USDT-PERP', '31000.5');
  assert.equal(set.code, 0, set.notices);
  assert.match(set.results, /^source +operator$/m);
  assert.match(set.results, /^price +31000\.5$/m);
  const indexTicks = await server.venue.read((state) => {
    const contract = state.listings.contract('BTC-USDT-PERP');
    return contract && state.contractPrices(contract.instrumentId)?.indexTicks;
  });
  assert.equal(indexTicks, 310_005);
  const back = await run('index', ...venue(), 'BTC-USDT-PERP', '0');
  assert.equal(back.code, 0, back.notices);
  const stranger = await run('index', ...venue(), 'BTC-USDT-PERP', '31000', '--source', 'nowhere');
  assert.equal(stranger.code, 2);
  assert.match(stranger.notices, /no such index source: 'nowhere'/);
});

test('the insurance fund is paid into', async () => {
  const paid = await run('insurance', ...venue(), 'USDT', '2.5');
  assert.equal(paid.code, 0, paid.notices);
  assert.match(paid.results, /^amount +2\.50000000$/m);
  const audit = await run('audit', '--data', data);
  assert.match(audit.results, /^coin .* insuranceFund +clearing /m);
  assert.match(audit.results, /^USDT .* 2\.50000000 /m);
  assert.equal((await run('insurance', ...venue(), 'USDT', 'much')).code, 2);
  assert.equal((await run('insurance', ...venue(), 'USDT')).code, 2);
});

test('a key is made, listed and revoked', async () => {
  const account = [...venue(), '--account', 'demo'];
  const made = await run(
    'key',
    'create',
    ...account,
    '--label',
    'grid',
    '--permissions',
    'read, trade',
  );
  assert.equal(made.code, 0, made.notices);
  const key = /^key +(\w+)$/m.exec(made.results)?.[1] ?? '';
  const secret = /^secret +(\S+)$/m.exec(made.results)?.[1] ?? '';
  assert.match(key, /^[0-9a-f]{32}$/);
  const listed = await run('key', 'list', ...account);
  assert.ok(listed.results.includes(key) && listed.results.includes('grid'));
  assert.ok(!listed.results.includes(secret));
  assert.equal((await run('key', 'revoke', ...venue(), key)).results, `revoked ${key}`);
  assert.ok(!(await run('key', 'list', ...account)).results.includes(key));
  assert.equal((await run('key', 'revoke', ...venue(), key)).code, 2);
});

test('the data directory can be audited, replayed and verified beside the server', async () => {
  const audit = await run('audit', '--data', data);
  assert.equal(audit.code, 0, audit.notices);
  assert.match(audit.results, /^USDT +\d/m);
  assert.match(audit.results, /balanced: every coin and every contract adds up/);
  const replay = await run('replay', '--data', data);
  assert.equal(replay.code, 0, replay.notices);
  assert.match(replay.results, /^state +[0-9a-f]{64}$/m);
  const verified = await run('verify-journal', '--data', data);
  assert.equal(verified.code, 0, verified.notices);
  assert.match(verified.results, /^sound: \d+ entries, \d+ commands/);
});

test('an anchor is printed, and a journal is checked against the one that was kept', async () => {
  const check = (...anchor: string[]) =>
    run('verify-journal', '--data', data, '--anchor', ...anchor);
  const printed = await check();
  assert.equal(printed.code, 0, printed.notices);
  const [, seq = '', hash = ''] = /^anchor: (\d+):([0-9a-f]{64})$/m.exec(printed.results) ?? [];
  assert.ok(Number(seq) > 0, printed.results);
  assert.equal((await run('insurance', ...venue(), 'USDT', '1')).code, 0);
  const good = await check(`${seq}:${hash}`);
  assert.equal(good.code, 0, good.notices);
  assert.match(good.results, new RegExp(`^the anchor of command ${seq} is kept$`, 'm'));
  const other = hash.replace(/./, (digit) => (digit === '0' ? '1' : '0'));
  for (const [wrong, why] of [
    [`${seq}:${other}`, /^FAULTY: .*was taken from another journal than this/m],
    [`1:${hash}`, /^FAULTY: .*was taken from another journal than this/m],
    [`${Number(seq) + 1_000}:${hash}`, /^FAULTY: .*but the anchor was taken at/m],
  ] as const) {
    const { code, results } = await check(wrong);
    assert.equal(code, 1, wrong);
    assert.match(results, why);
  }
  for (const malformed of ['x', seq, `${seq}:`, `${seq}:${hash}0`, `:${hash}`]) {
    const { code, notices, results } = await check(malformed);
    assert.deepEqual([code, results], [2, ''], malformed);
    assert.equal(notices, 'an anchor is a command number, a colon and 64 hexadecimal digits');
  }
});

test('audit, replay and verify-journal name a directory without a journal', async () => {
  const nowhere = join(data, 'nowhere');
  for (const command of ['audit', 'replay', 'verify-journal']) {
    const { code, notices } = await run(command, '--data', nowhere);
    assert.equal(code, 2, command);
    assert.match(notices, /nowhere.journal\.sqlite: there is no journal here$/, command);
  }
});
