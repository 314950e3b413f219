/** Secrets and passphrases at rest and at work: what opens, and what does not. */
import { strict as assert } from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeyVault, type PassphraseOrigin } from '#api';
import { checkOf, isPassphraseOf, openSecret, sealSecret } from '#api/testing';
import { accountId, type KeyRecord, type Permission } from '#domain';
import { present } from '#kernel';

const MASTER_KEY = Buffer.alloc(32, 1);
const OWNER = accountId(7);
const PASSPHRASE = 'open sesame';
const ORIGINS = ['made', 'chosen'] as const;

interface Sealing {
  readonly origin?: PassphraseOrigin;
  readonly secret?: string;
}

function record(
  vault: KeyVault,
  key: string,
  { origin = 'chosen', secret = `secret of ${key}` }: Sealing = {},
): KeyRecord {
  const permissions: readonly Permission[] = ['read', 'trade'];
  const sealed = vault.seal({ key, secret, passphrase: PASSPHRASE }, origin);
  const known = { key, accountId: OWNER, label: '', permissions, ipAllowList: [] };
  return { ...known, sealed, createdTimeMs: 1 };
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

test('the check of a passphrase matches it and nothing else, and does not show it', () => {
  for (const origin of ORIGINS) {
    const check = checkOf(PASSPHRASE, origin);
    assert.ok(isPassphraseOf(PASSPHRASE, check), origin);
    assert.ok(!check.includes(PASSPHRASE) && !check.includes(' '), check);
    for (const wrong of ['', 'Open sesame', 'open sesame ', check]) {
      assert.ok(!isPassphraseOf(wrong, check), `${origin}: ${wrong}`);
    }
    for (const damaged of ['', check.slice(0, -4), check.replace('.', '2.'), `${check}.`]) {
      assert.ok(!isPassphraseOf(PASSPHRASE, damaged), damaged);
    }
  }
});

test('a chosen passphrase is stretched under a salt of its own', () => {
  const [first, second] = [checkOf(PASSPHRASE, 'chosen'), checkOf(PASSPHRASE, 'chosen')];
  assert.match(first, /^scrypt1\.[\w-]{22}\.[\w-]{43}$/);
  assert.notEqual(first, second, 'equal passphrases do not show as such');
});

test('without the master key a record has nothing to guess a passphrase at', () => {
  const vault = new KeyVault(MASTER_KEY);
  for (const origin of ORIGINS) {
    const stored = record(vault, 'bot-key', { origin });
    const again = record(vault, 'bot-key', { origin });
    const { sealed, ...rest } = stored;
    assert.notEqual(sealed, again.sealed);
    const shown = [sealed, Buffer.from(sealed.slice('v1.'.length), 'base64url').toString('latin1')];
    const [, digest = ''] = checkOf(PASSPHRASE, 'made').split('.');
    for (const text of [...shown, JSON.stringify(rest)]) {
      for (const part of [PASSPHRASE, digest, 'scrypt', 'sha256']) {
        assert.ok(!text.includes(part), part);
      }
    }
  }
});

test('a key can be used from its creation to its revocation', () => {
  const vault = new KeyVault(MASTER_KEY);
  assert.equal(vault.lookup('bot-key'), undefined);
  vault.apply({ kind: 'key_created', record: record(vault, 'bot-key') });
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

test('freezing an account shows in a key that is already in use', () => {
  const vault = new KeyVault(MASTER_KEY);
  vault.restore([record(vault, 'bot-key')], [{ accountId: OWNER, frozen: true }]);
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

test('another master key is noticed at the start', () => {
  const vault = new KeyVault(MASTER_KEY);
  const records = [record(vault, 'bot-key')];
  const other = new KeyVault(Buffer.alloc(32, 2));
  assert.throws(() => other.restore(records, []), {
    name: 'MasterKeyWrong',
    message: /does not open the stored keys/,
  });
});

test('another master key is noticed where all keys have public keys, too', () => {
  const publicKey = 'PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=';
  const records = [{ ...record(new KeyVault(MASTER_KEY), 'bot-key', { secret: '' }), publicKey }];
  const other = new KeyVault(Buffer.alloc(32, 2));
  assert.throws(() => other.restore(records, []), { name: 'MasterKeyWrong' });
});

test('the right passphrase is right before and after wrong ones, in every process', () => {
  for (const origin of ORIGINS) {
    const made = record(new KeyVault(MASTER_KEY), 'bot-key', { origin });
    for (let life = 0; life < 2; life += 1) {
      const vault = new KeyVault(MASTER_KEY);
      vault.restore([made], []);
      const key = present(vault.lookup('bot-key'), 'key');
      const near = [`${PASSPHRASE}!`, 'g'.repeat(129)];
      const guesses = ['guess', PASSPHRASE, 'guess', ...near, PASSPHRASE];
      const found = guesses.map((guess) => key.isPassphrase(guess));
      assert.deepEqual(found, [false, true, false, false, false, true], origin);
    }
  }
});

test('a key signs with any secret and has any passphrase', () => {
  const visible = fc.stringMatching(/^[\x21-\x7e]{8,128}$/);
  const origins = fc.constantFrom(...ORIGINS);
  fc.assert(
    fc.property(fc.string(), visible, origins, (secret, passphrase, origin) => {
      const vault = new KeyVault(MASTER_KEY);
      const sealed = vault.seal({ key: 'bot-key', secret, passphrase }, origin);
      vault.restore([{ ...record(vault, 'bot-key'), sealed }], []);
      const key = present(vault.lookup('bot-key'), 'key');
      const signed = createHmac('sha256', secret).update('text').digest('base64');
      assert.ok(key.signing.isSigned('text', undefined, signed));
      assert.ok(key.isPassphrase(passphrase));
    }),
  );
});
