/** The shared log in a real etcd does what every shared log must. */

import { EtcdCluster } from '../../tools/etcd-servers.ts';
import { closedAtEnd } from '../support/at-end.ts';
import { ifEtcd } from '../support/etcd.ts';
import { sharedLogContract } from './shared-contract.ts';
import { etcdPlace } from './shared-places.ts';

await ifEtcd(async () => {
  const cluster = closedAtEnd(await EtcdCluster.start({ isSynced: false }));
  sharedLogContract('etcd', () => etcdPlace(cluster));
});
