/** Tests that need etcd's server: skipped with a word where it is missing, but never in CI. */
import { test } from 'node:test';
import { haveEtcd } from '../../tools/etcd-servers.ts';

export async function ifEtcd(tests: () => void | Promise<void>): Promise<void> {
  if (haveEtcd() || process.env.CI !== undefined) await tests();
  else test('a real etcd', { skip: 'no etcd in the path: install etcd-server' }, () => undefined);
}
