/** Who may use an etcd, and how it is reached. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SharedLog, SharedLogPlace } from '#log';
import { sharedLogAt } from '#log/testing';
import { EtcdCluster } from '../../tools/etcd-servers.ts';
import { ifEtcd } from '../support/etcd.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { Follower, faultOf, fill, lead, readAll } from '../support/shared-hands.ts';

const BASE = { kind: 'etcd', venue: 'test', shard: 'main' } as const;
const ROOT = { name: 'root', password: 'secret of the tests' };

await ifEtcd(() => {
  test('with TLS, certificates on both sides', overTls);
  test('with a user, and refused without', withUser);
  test('a token that etcd has forgotten is replaced', withForgottenToken);
  test('an address where nobody is', withoutServer);
});

async function using<T>(
  place: Omit<SharedLogPlace, 'kind' | 'venue' | 'shard'>,
  work: (log: SharedLog) => Promise<T>,
): Promise<T> {
  const log = sharedLogAt({ ...BASE, ...place });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

async function overTls(): Promise<void> {
  const directory = scratchDirectory();
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const names = ['-subj', '/CN=etcd', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', [...words.split(' '), ...names, ...files], { stdio: 'ignore' });
  const cluster = await EtcdCluster.start({ isSynced: false, tls: { key, cert, ca: cert } });
  const { endpoints } = cluster;
  const tls = {
    ca: readFileSync(cert, 'utf8'),
    cert: readFileSync(cert, 'utf8'),
    key: readFileSync(key, 'utf8'),
  };
  try {
    await using({ endpoints, tls }, async (log) => {
      await fill(log, await lead(log), 3);
      assert.equal((await readAll(log)).length, 3);
    });
    for (const wrong of [undefined, { ca: tls.ca }, { cert: tls.cert, key: tls.key }]) {
      await using({ endpoints, tls: wrong }, (log) =>
        assert.rejects(log.current(), faultOf('unavailable')),
      );
    }
  } finally {
    await cluster.close();
  }
}

/** A user as the documents advise: it may read and write what is below the venue, no more. */
const VENUE = { name: 'outcry', password: 'secret of the venue' };

/** Lets only root and the venue's user in. */
async function requireUser({ servers }: EtcdCluster): Promise<void> {
  const text = (plain: string) => Buffer.from(plain).toString('base64');
  const perm = {
    permType: 'READWRITE',
    key: text('/outcry/test/'),
    range_end: text('/outcry/test0'),
  };
  for (const [path, body] of [
    ['user/add', ROOT],
    ['role/add', { name: 'root' }],
    ['user/grant', { user: ROOT.name, role: 'root' }],
    ['user/add', VENUE],
    ['role/add', { name: 'outcry' }],
    ['role/grant', { name: 'outcry', perm }],
    ['user/grant', { user: VENUE.name, role: 'outcry' }],
    ['enable', {}],
  ] as const) {
    const url = `http://${servers[0]?.endpoint}/v3/auth/${path}`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    assert.equal(answer.status, 200, path);
  }
}

async function withUser(): Promise<void> {
  const cluster = await EtcdCluster.start({ isSynced: false });
  const { endpoints } = cluster;
  try {
    await requireUser(cluster);
    await using({ endpoints, user: VENUE }, async (log) => {
      const follower = new Follower(log);
      const leadership = await lead(log);
      const url = 'http://127.0.0.1:1';
      const record = { name: 'one', kind: 'member', isCandidate: true, url } as const;
      const there = await log.announce({ ...record, release: '0.1.0' });
      await fill(log, leadership, 30);
      await follower.reached(30);
      // A newer etcd than Debian's lets only root compact. What is trimmed is gone all the same.
      await log.trim(leadership.claim, 20);
      assert.ok((await log.base()).nextSeq > 1);
      // How full it is, a user of the venue may ask.
      assert.ok((await log.room()).usedBytes > 0);
      await there.withdraw();
      assert.deepEqual(await log.members(), []);
      await follower.stop();
    });
    const elsewhere = sharedLogAt({ ...BASE, venue: 'other', endpoints, user: VENUE });
    await assert.rejects(elsewhere.current(), faultOf('denied'));
    await elsewhere.close();
    for (const user of [undefined, { ...ROOT, password: 'wrong' }, { ...ROOT, name: 'nobody' }]) {
      await using({ endpoints, user }, async (log) => {
        if (user !== undefined) await assert.rejects(log.room(), faultOf('denied'));
        await assert.rejects(log.current(), faultOf('denied'));
      });
    }
  } finally {
    await cluster.close();
  }
}

async function withForgottenToken(): Promise<void> {
  const cluster = await EtcdCluster.start({ isSynced: false });
  const [server] = cluster.servers;
  try {
    await requireUser(cluster);
    await using({ endpoints: cluster.endpoints, user: ROOT }, async (log) => {
      const leadership = await lead(log);
      const follower = new Follower(log);
      await fill(log, leadership, 3);
      await follower.reached(3);
      // Its tokens are in its memory.
      await server?.kill();
      server?.start();
      await cluster.ready();
      await fill(log, leadership, 3);
      await follower.reached(6);
      await follower.stop();
    });
  } finally {
    await cluster.close();
  }
}

async function withoutServer(): Promise<void> {
  await using({ endpoints: ['127.0.0.1:1', '127.0.0.1:2'] }, (log) =>
    assert.rejects(log.current(), faultOf('unavailable')),
  );
}
