/** The master key and the admin token: where they come from and who may read them. */
import { strict as assert } from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readAdminToken, readMasterKey, savedAdminToken } from '#config';
import { scratchDirectory } from '../support/scratch.ts';

const NONE = { masterKeyText: undefined, adminToken: undefined };

test('a master key is made once, for its owner only, and found again', (context) => {
  const dataDirectory = join(scratchDirectory(context), 'data');
  const made = readMasterKey({ dataDirectory, ...NONE });
  assert.equal(made.length, 32);
  assert.equal(statSync(join(dataDirectory, 'master.key')).mode & 0o777, 0o600);
  assert.deepEqual(readMasterKey({ dataDirectory, ...NONE }), made);
});

test('a master key from the environment needs no file', (context) => {
  const dataDirectory = scratchDirectory(context);
  const key = Buffer.alloc(32, 7);
  for (const masterKeyText of [key.toString('base64'), key.toString('hex')]) {
    assert.deepEqual(readMasterKey({ dataDirectory, masterKeyText }), key);
  }
  assert.throws(() => statSync(join(dataDirectory, 'master.key')), { code: 'ENOENT' });
});

test('a master key of another size is refused, not stretched', (context) => {
  const dataDirectory = scratchDirectory(context);
  for (const masterKeyText of [
    '',
    'secret',
    'ab'.repeat(31),
    Buffer.alloc(33).toString('base64'),
  ]) {
    assert.throws(() => readMasterKey({ dataDirectory, masterKeyText }), {
      name: 'ConfigFault',
      message: /32 bytes/,
    });
  }
});

test('a secret file that others can read is refused', (context) => {
  const dataDirectory = scratchDirectory(context);
  readMasterKey({ dataDirectory, ...NONE });
  readAdminToken({ dataDirectory, ...NONE });
  for (const mode of [0o640, 0o604, 0o644, 0o660]) {
    chmodSync(join(dataDirectory, 'master.key'), mode);
    chmodSync(join(dataDirectory, 'admin.token'), mode);
    const refusal = { name: 'ConfigFault', message: /can be read by others: run chmod 600/ };
    assert.throws(() => readMasterKey({ dataDirectory, ...NONE }), refusal);
    assert.throws(() => readAdminToken({ dataDirectory, ...NONE }), refusal);
  }
});

test('an admin token is made once; one that is given is used and not written down', (context) => {
  const dataDirectory = scratchDirectory(context);
  const given = 'g'.repeat(32);
  assert.equal(readAdminToken({ dataDirectory, adminToken: given }), given);
  assert.throws(() => savedAdminToken(dataDirectory), { name: 'ConfigFault', message: /ENOENT/ });
  const made = readAdminToken({ dataDirectory, ...NONE });
  assert.match(made, /^[\w-]{43}$/);
  assert.equal(readAdminToken({ dataDirectory, ...NONE }), made);
  assert.equal(savedAdminToken(dataDirectory), made);
  assert.equal(readFileSync(join(dataDirectory, 'admin.token'), 'utf8'), `${made}\n`);
});

test('an empty, spaced or short admin token is refused, with its file if it has one', (context) => {
  const dataDirectory = scratchDirectory(context);
  const saved = join(dataDirectory, 'admin.token');
  for (const text of ['\n', 'short\n', `${'t'.repeat(31)}\n`]) {
    writeFileSync(saved, text, { mode: 0o600 });
    const message = new RegExp(`admin token \\(${saved}\\) takes 32 to 256`);
    assert.throws(() => readAdminToken({ dataDirectory, ...NONE }), {
      name: 'ConfigFault',
      message,
    });
  }
  const words = 'two words of more than thirty-two characters';
  for (const adminToken of ['', words, 't'.repeat(31), 't'.repeat(257)]) {
    const refusal = { name: 'ConfigFault', message: /^the admin token takes 32 to 256/ };
    assert.throws(() => readAdminToken({ dataDirectory, adminToken }), refusal);
  }
});
