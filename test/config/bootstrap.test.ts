/** A venue is brought up to its configuration at every start, and each thing is done once. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { KeyVault } from '#api';
import { bootstrap, DEMO_CONFIG_FILE, loadConfig } from '#config';
import type { AccountView, StateReader } from '#domain';
import { present } from '#kernel';
import { load } from '../support/config-file.ts';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';

const demo = loadConfig({}, {});
const LISTINGS_AND_ACCOUNTS = 3 + 3 + 3 + 6;
/** Three coins of spot, the margin of both linear contracts in one wallet, and of the inverse. */
const DEPOSITS = 6 * 5;
const KEYS = 2;

async function start(real: RealVenue, content = demo): Promise<number> {
  const vault = new KeyVault(Buffer.alloc(32, 1));
  await real.venue.read((state) => vault.restore(state.keys(), state.accounts()));
  return bootstrap(content, {
    venue: real.venue,
    hasKey: (key) => vault.has(key),
    sealKey: (key) => vault.seal(key, 'chosen'),
  });
}

function accountNamed(state: StateReader, name: string): AccountView {
  return present(state.accountByName(name), name);
}

function wealth(state: StateReader, name: string): string[] {
  const account = accountNamed(state, name);
  const coin = (assetId: number) => state.listings.assets[assetId]?.code;
  return [
    ...[...account.spotBalances()].map(
      ({ assetId, balance }) => `spot ${coin(assetId)} ${balance}`,
    ),
    ...[...account.contractBalances()].map(([wallet, { balance }]) => `${wallet} ${balance}`),
  ].sort();
}

test('the first start sets everything up, the second does nothing', async (context) => {
  const directory = scratchDirectory(context);
  const first = await RealVenue.open(context, directory);
  assert.equal(await start(first), LISTINGS_AND_ACCOUNTS + DEPOSITS + KEYS);
  const before = await first.venue.read((state) => wealth(state, 'demo'));
  assert.deepEqual(before, [
    'BTC-USD-PERP 1000000000',
    'margin 20000000000000',
    'spot BTC 10000000000',
    'spot ETH 100000000000',
    'spot USDT 100000000000000',
  ]);
  assert.ok(await first.venue.read((state) => state.audit().balanced));
  await first.close();

  const second = await RealVenue.open(context, directory);
  const { releasedSeq } = second.venue;
  assert.equal(await start(second), 0);
  assert.equal(second.venue.releasedSeq, releasedSeq);
  assert.deepEqual(await second.venue.read((state) => wealth(state, 'demo')), before);
  await second.close();
});

test('accounts that are there keep their wallets, whatever new ones get', async (context) => {
  const directory = scratchDirectory(context);
  const older = demo.accounts.map((account) => {
    const { wallets: _, ...settings } = account.settings;
    return { ...account, settings };
  });
  const first = await RealVenue.open(context, directory);
  // Of six deposits each; their commands say nothing of wallets, like all of earlier releases.
  const done = LISTINGS_AND_ACCOUNTS + 6 * 6 + KEYS;
  assert.equal(await start(first, { ...demo, accounts: older }), done);
  const before = await first.venue.read((state) => wealth(state, 'demo'));
  assert.ok(before.includes('ETH-USDT-PERP 10000000000000'), before.join());
  await first.close();

  const second = await RealVenue.open(context, directory);
  assert.equal(await start(second), 0);
  assert.deepEqual(await second.venue.read((state) => wealth(state, 'demo')), before);
  const wallets = await second.venue.read((state) => accountNamed(state, 'demo').wallets);
  assert.equal(wallets, 'contract');
  await second.close();
});

test('a key may have a public key and days to last, from the first start on', async (context) => {
  const publicKey = 'PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=';
  const config = load(
    context,
    'accounts:\n  - name: desk\n    keys:\n' +
      `      - { key: bot1, publicKey: ${publicKey}, passphrase: pass-phrase, expiresDays: 90 }\n`,
  );
  const real = await RealVenue.open(context, scratchDirectory(context));
  assert.equal(await start(real, config), 2);
  const [record] = await real.venue.read((state) => [...state.keys()]);
  const { key, expiresTimeMs = 0 } = present(record, 'key');
  assert.deepEqual([key, record?.publicKey], ['bot1', publicKey]);
  const opened = await real.venue.read((state) => accountNamed(state, 'desk').createdTimeMs);
  assert.equal(expiresTimeMs, opened + 90 * 86_400_000);
  await real.venue.submit({ kind: 'revoke_key', key });
  assert.equal(await start(real, config), 0, 'what was revoked does not come back');
  await real.close();
});

test('a change made at run time wins over the file', async (context) => {
  const directory = scratchDirectory(context);
  const first = await RealVenue.open(context, directory);
  await start(first);
  const pair = await first.venue.read((state) => present(state.listings.spot[0], 'pair'));
  const { instrumentId } = pair;
  await first.venue.submit({ kind: 'update_spot', instrumentId, changes: { takerFeePpm: 77 } });
  await first.venue.submit({ kind: 'revoke_key', key: 'maker-key' });
  await first.close();

  const second = await RealVenue.open(context, directory);
  assert.equal(await start(second), 0);
  const feePpm = await second.venue.read((state) => state.listings.spot[0]?.takerFeePpm);
  assert.equal(feePpm, 77);
  const keys = await second.venue.read((state) => [...state.keys()].map(({ key }) => key));
  assert.deepEqual(keys, ['demo-key']);
  await second.close();
});

test('a start cut off before the funding is finished by the next one', async (context) => {
  const directory = scratchDirectory(context);
  const first = await RealVenue.open(context, directory);
  const unfunded = demo.accounts.map((account) => ({ ...account, deposits: [], keys: [] }));
  assert.equal(await start(first, { ...demo, accounts: unfunded }), LISTINGS_AND_ACCOUNTS);
  await first.close();

  const second = await RealVenue.open(context, directory);
  assert.equal(await start(second), DEPOSITS + KEYS);
  await second.close();
});

test('money that was spent or withdrawn does not come back', async (context) => {
  const directory = scratchDirectory(context);
  const first = await RealVenue.open(context, directory);
  await start(first);
  const { accountId, assetId } = await first.venue.read((state) => ({
    accountId: accountNamed(state, 'demo').accountId,
    assetId: present(state.listings.assetByCode('ETH'), 'ETH').assetId,
  }));
  const amount = 1_000n * 100_000_000n;
  await first.venue.submit({ kind: 'withdraw', accountId, wallet: 'spot', assetId, amount });
  await first.close();

  const second = await RealVenue.open(context, directory);
  assert.equal(await start(second), 0);
  const left = await second.venue.read((state) => wealth(state, 'demo'));
  assert.ok(left.includes('spot ETH 0'), left.join());
  await second.close();
});

test('a listing the venue refuses stops the start with its reason', async (context) => {
  const real = await RealVenue.open(context, scratchDirectory(context));
  const [asset] = demo.assets;
  const twins = { ...demo, assets: [...demo.assets, { ...present(asset, 'asset'), code: 'XBT' }] };
  await assert.rejects(start(real, twins), {
    name: 'BootstrapRefused',
    message: /^\S*demo\.yaml:[0-9]+: list_asset was refused: listing_exists$/,
  });
  await real.close();
});

test('a pair that the venue refuses is named by its file and line', async (context) => {
  const real = await RealVenue.open(context, scratchDirectory(context));
  const [first, second, ...rest] = demo.spot;
  const twin = { ...present(second, 'pair'), symbol: present(first, 'pair').symbol };
  const line = readFileSync(DEMO_CONFIG_FILE, 'utf8').split('\n').indexOf('spot:') + 1;
  const spot = [present(first, 'pair'), twin, ...rest];
  await assert.rejects(start(real, { ...demo, spot }), ({ message }: Error) => {
    const [, found = ''] = /demo\.yaml:([0-9]+): list_spot was refused: /.exec(message) ?? [];
    assert.ok(Number(found) > line, message);
    assert.equal(
      message,
      `${demo.placeOf(['spot', 1])}: ${message.split(': ').slice(1).join(': ')}`,
    );
    return true;
  });
  await real.close();
});
