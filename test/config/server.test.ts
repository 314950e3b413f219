/** How a venue is reached, as the configuration says it, and what it takes to open it to others. */
import { strict as assert } from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadConfig, readCertificate } from '#config';
import { complaints, load } from '../support/config-file.ts';

const PRIVATE = ['localhost', '127.0.0.1', '127.9.9.9', '::1'];
const OPEN = ['0.0.0.0', '::', '192.168.1.5', 'example.org'];
const RISKS = [
  [{ sandbox: true }, /sandbox/],
  [{ rateLimits: 'off' }, /rate limits are off/],
] as const;

for (const [flags, reason] of RISKS) {
  test(`${JSON.stringify(flags)} where others reach it needs a yes`, () => {
    for (const host of OPEN) {
      const given = { ...flags, host, allowDemoOnNetwork: true };
      assert.throws(() => loadConfig(given, {}), { name: 'ConfigFault', message: reason });
      assert.throws(() => loadConfig(given, {}), { message: /--yes-on-network/ });
      assert.equal(loadConfig({ ...given, yesOnNetwork: true }, {}).host, host);
    }
    for (const host of PRIVATE) assert.equal(loadConfig({ ...flags, host }, {}).host, host);
  });
}

test('a listener of the operator that others reach counts, too', (context) => {
  const text = 'sandbox: true\nserver: { admin: { port: 9000, host: 0.0.0.0 } }\n';
  assert.throws(() => load(context, text), { message: /--yes-on-network/ });
});

test('a file that opens the venue is named with its line, a flag is not', (context) => {
  const risky = 'sandbox: true\nserver:\n  port: 0\n';
  const opened = complaints(context, `${risky}  host: 0.0.0.0\n`);
  assert.match(String(opened[0]), /^4: 0\.0\.0\.0 can be reached from elsewhere, and a sandbox/);
  const apart = complaints(context, `${risky}  admin:\n    port: 0\n    host: '::'\n`);
  assert.match(String(apart[0]), /^6: :: can be reached from elsewhere/);
  const flags = { host: '0.0.0.0', sandbox: true, allowDemoOnNetwork: true };
  const message = /^0\.0\.0\.0 can be reached from elsewhere/;
  assert.throws(() => loadConfig(flags, {}), { name: 'ConfigFault', message });
});

test('how many HTTP threads there are says a flag, then the file, then the cores', (context) => {
  const text = 'server: { httpThreads: 3 }\n';
  assert.equal(load(context, text).httpThreads, 3);
  assert.equal(load(context, text, { httpThreads: '0' }).httpThreads, 0);
  assert.equal(load(context, text, { gateways: '2' }).httpThreads, 2, 'the flag of before');
  assert.equal(load(context, 'server: { gateways: 3 }\n').httpThreads, 3, 'the key of before');
  assert.equal(load(context, '').httpThreads > 0, availableParallelism() >= 4);
});

test('all of it is read, names in small letters, the rest by default', (context) => {
  const config = load(
    context,
    `server:
  host: 127.0.0.1
  hosts: [Venue.Example]
  admin: { port: 9001 }
  tls: { cert: /etc/cert.pem, key: /etc/key.pem }
  streams: { connections: 50, connectionsForKeys: 5, messagesPerSecond: 7 }
`,
  );
  assert.deepEqual(config.hosts, ['venue.example']);
  assert.deepEqual(config.adminListener, { host: '127.0.0.1', port: 9_001 });
  assert.deepEqual(config.tls, { cert: '/etc/cert.pem', key: '/etc/key.pem' });
  assert.deepEqual(config.streams, {
    connections: 50,
    connectionsForKeys: 5,
    messagesPerSecond: 7,
  });
  const bare = load(context, '{}');
  assert.deepEqual(
    [bare.hosts, bare.adminListener, bare.tls, bare.port],
    [[], undefined, undefined, 8_787],
  );
});

test('what is unfit is refused with its line', (context) => {
  const text = 'server:\n  hosts: ["http://x"]\n  tls: { cert: a }\n  admin: {}\n';
  const lines = complaints(context, text).map((line) => line.split(':', 2).join(':'));
  assert.deepEqual(lines, ['2: server.hosts[0]', '3: server.tls', '4: server.admin']);
});

test('a certificate that cannot be used is refused with the line that names it', (context) => {
  const noPem = fileURLToPath(import.meta.url);
  const cases = [
    ['/nowhere/cert.pem', noPem, /^\S+\.yaml:3: server\.tls\.cert: ENOENT.*cert\.pem/],
    [noPem, '/nowhere/key.pem', /^\S+\.yaml:4: server\.tls\.key: ENOENT.*key\.pem/],
    [noPem, noPem, /^\S+\.yaml:2: server\.tls: \S/],
  ] as const;
  for (const [cert, key, message] of cases) {
    const config = load(context, `server:\n  tls:\n    cert: ${cert}\n    key: ${key}\n`);
    assert.throws(() => readCertificate(config), { name: 'ConfigFault', message });
  }
});
