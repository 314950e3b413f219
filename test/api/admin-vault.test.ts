/** Secrets at rest and passphrases at work: what opens, what does not, and what guessing costs. */
import { strict as assert } from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeyVault } from '#api';
import {
  Guesses,
  hashPassphrase,
  matchesHash,
  openSecret,
  PASSPHRASE_COST,
  sealSecret,
} from '#api/testing';
import { type AccountId, accountId, type KeyRecord, type Permission } from '#domain';
import { present } from '#kernel';

const MASTER_KEY = Buffer.alloc(32, 1);
const OWNER = accountId(7);

async function record(vault: KeyVault, key: string, owner: AccountId = OWNER): Promise<KeyRecord> {
  const permissions: readonly Permission[] = ['read', 'trade'];
  const sealed = await vault.seal(key, `secret of ${key}`, 'open sesame');
  return {
    key,
    accountId: owner,
    label: '',
    permissions,
    ipAllowList: [],
    ...sealed,
    createdTimeMs: 1,
  };
}

test('every secret opens with its key and its name, and with nothing else', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_-]{4,64}$/);
  fc.assert(
    fc.property(fc.string(), name, name, (secret, key, other) => {
      fc.pre(other !== key);
      const sealed = sealSecret(MASTER_KEY, key, secret);
      assert.equal(
        openSecret(MASTER_KEY, key, sealed).toString('utf8'),
        Buffer.from(secret).toString(),
      );
      assert.throws(() => openSecret(Buffer.alloc(32, 2), key, sealed), { name: 'SealBroken' });
      assert.throws(() => openSecret(MASTER_KEY, other, sealed), { name: 'SealBroken' });
    }),
  );
});

test('no byte of a sealed secret can be changed, and none can be missing', () => {
  const sealed = sealSecret(MASTER_KEY, 'bot', 'the secret');
  const bytes = Buffer.from(sealed.slice('v1.'.length), 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const tampered = Buffer.from(bytes);
    tampered.writeUInt8(tampered.readUInt8(at) ^ 1, at);
    const texts = [tampered, bytes.subarray(0, at)].map(
      (part) => `v1.${part.toString('base64url')}`,
    );
    for (const text of texts) {
      assert.throws(() => openSecret(MASTER_KEY, 'bot', text), { name: 'SealBroken' });
    }
  }
  assert.throws(() => openSecret(MASTER_KEY, 'bot', sealed.replace('v1', 'v2')), {
    name: 'SealBroken',
    message: /unknown version/,
  });
});

test('sealing twice never gives the same text, which would tell equal secrets', () => {
  const texts = Array.from({ length: 100 }, () => sealSecret(MASTER_KEY, 'bot', 'same'));
  assert.equal(new Set(texts).size, texts.length);
});

test('a passphrase hash names its parameters and matches only its passphrase', async () => {
  const hash = await hashPassphrase('open sesame', PASSPHRASE_COST);
  assert.match(hash, /^scrypt1\.16384\.8\.1\.[\w-]{22}\.[\w-]{43}$/);
  assert.ok(await matchesHash('open sesame', hash));
  for (const wrong of ['', 'Open sesame', 'open sesame ', hash]) {
    assert.ok(!(await matchesHash(wrong, hash)), wrong);
  }
});

test('a hash that is damaged or asks for absurd work matches nothing', async () => {
  const hash = await hashPassphrase('open sesame', PASSPHRASE_COST);
  for (const text of ['', 'scrypt1', hash.replace('16384', '1073741824'), hash.slice(0, -4)]) {
    assert.ok(!(await matchesHash('open sesame', text)), text);
  }
});

test('a key can be used from its creation to its revocation', async () => {
  const vault = new KeyVault(MASTER_KEY);
  assert.equal(vault.lookup('bot-key'), undefined);
  vault.apply({ kind: 'key_created', record: await record(vault, 'bot-key') });
  const key = present(vault.lookup('bot-key'), 'key');
  assert.equal(key.accountId, OWNER);
  assert.deepEqual(key.permissions, ['read', 'trade']);
  const expected = createHmac('sha256', 'secret of bot-key').update('text').digest('base64');
  assert.ok(key.signing.isSigned('text', undefined, expected));
  assert.deepEqual(
    vault.recordsOf(OWNER).map((row) => row.key),
    ['bot-key'],
  );
  vault.apply({ kind: 'key_revoked', key: 'bot-key' });
  assert.equal(vault.lookup('bot-key'), undefined);
  assert.deepEqual(vault.recordsOf(OWNER), []);
});

test('odd key texts are unknown and throw nothing', () => {
  const vault = new KeyVault(MASTER_KEY);
  for (const text of ['', '__proto__', 'constructor', '\u0000', 'x'.repeat(100_000)]) {
    assert.equal(vault.lookup(text), undefined);
  }
});

test('freezing an account shows in a key that is already in use', async () => {
  const vault = new KeyVault(MASTER_KEY);
  vault.restore([await record(vault, 'bot-key')], [{ accountId: OWNER, frozen: true }]);
  const key = present(vault.lookup('bot-key'), 'key');
  assert.equal(key.accountFrozen, true);
  const settings = {
    name: 'desk',
    frozen: false,
    selfTradePrevention: 'none',
    openOrdersMax: 1,
    takerFeePpm: null,
    makerFeePpm: null,
  } as const;
  vault.apply({ kind: 'account_updated', accountId: OWNER, settings });
  assert.equal(key.accountFrozen, false);
});

test('another master key is noticed at the start', async () => {
  const vault = new KeyVault(MASTER_KEY);
  const records = [await record(vault, 'bot-key')];
  const other = new KeyVault(Buffer.alloc(32, 2));
  assert.throws(() => other.restore(records, []), {
    name: 'MasterKeyWrong',
    message: /does not open the stored keys/,
  });
});

test('the right passphrase costs one slow hash, and then wrong ones cost none', async () => {
  const vault = new KeyVault(MASTER_KEY);
  vault.apply({ kind: 'key_created', record: await record(vault, 'bot-key') });
  const key = present(vault.lookup('bot-key'), 'key');
  const first = key.verifyPassphrase('open sesame');
  assert.ok(first instanceof Promise);
  assert.equal(key.verifyPassphrase('open sesame'), first, 'requests of one client share the hash');
  assert.equal(await first, 'right');
  assert.equal(key.verifyPassphrase('open sesame'), 'right');
  assert.equal(key.verifyPassphrase('something else'), 'wrong');
});

test('a wrong guess is hashed once and never shadows the right passphrase', async () => {
  const vault = new KeyVault(MASTER_KEY);
  vault.apply({ kind: 'key_created', record: await record(vault, 'bot-key') });
  const key = present(vault.lookup('bot-key'), 'key');
  const wrong = key.verifyPassphrase('guess');
  assert.ok(wrong instanceof Promise);
  assert.equal(await wrong, 'wrong');
  assert.equal(key.verifyPassphrase('guess'), 'wrong');
  assert.equal(key.verifyPassphrase('g'.repeat(129)), 'wrong');
  assert.equal(await key.verifyPassphrase('open sesame'), 'right');
});

test('guessing is bounded per key and over all keys, and the bound is given back', async () => {
  const guesses = new Guesses();
  const hash = await hashPassphrase('open sesame', PASSPHRASE_COST);
  const ofOne = ['a', 'b', 'c', 'd'].map((guess) => guesses.check('bot-key', guess, hash));
  assert.equal(guesses.check('bot-key', 'e', hash), 'busy');
  const ofOthers = Array.from({ length: 200 }, (_, at) => guesses.check(`key-${at}`, 'a', hash));
  const admitted = ofOthers.filter((answer) => answer !== 'busy');
  assert.ok(admitted.length < 70, `${admitted.length} slow hashes wait at a time`);
  assert.equal(guesses.check('key-new', 'a', hash), 'busy');
  const verdicts = await Promise.all([...ofOne, ...admitted]);
  assert.ok(verdicts.every((verdict) => verdict === 'wrong'));
  assert.equal(await guesses.check('bot-key', 'open sesame', hash), 'right');
});
