/** A cluster over real servers of etcd comes to the state of a venue in one process. */
import { test } from 'node:test';
import fc from 'fast-check';
import { sharedLogAt } from '#log/testing';
import { EtcdCluster } from '../../tools/etcd-servers.ts';
import { ifEtcd } from '../support/etcd.ts';
import { moves } from '../support/random-days.ts';
import { playOnBoth } from './same-venue.ts';

await ifEtcd(() => {
  test('the same commands give the same state over etcd as in one process', async (context) => {
    const etcd = await EtcdCluster.start({ size: 3 });
    context.after(() => etcd.close());
    const seed = Number(process.env.OUTCRY_DAY_SEED ?? Date.now() % 2 ** 31);
    context.diagnostic(`OUTCRY_DAY_SEED=${seed}`);
    for (const [at, day] of fc.sample(moves, { seed, numRuns: 2 }).entries()) {
      const { endpoints } = etcd;
      const place = { kind: 'etcd', venue: `day-${at}`, shard: 'main', endpoints } as const;
      await playOnBoth(context, day, () => sharedLogAt(place));
    }
  });
});
