/** Whose code runs now, for what stands in for a machine: one world at a time in a thread. */
import { present } from '#kernel';
import type { EtcdServers } from './etcd.ts';
import type { Network } from './network.ts';
import type { Life } from './world.ts';

let network: Network | undefined;
let servers: EtcdServers | undefined;

export function enter(entered: Network, etcd: EtcdServers): void {
  network = entered;
  servers = etcd;
}

export function serversHere(): EtcdServers {
  return present(servers, 'simulated servers of etcd');
}

export function networkHere(): Network {
  return present(network, 'a simulated network');
}

export function here(): Life {
  return present(network?.world.here, 'a simulated process that runs now');
}

/** By the clock of the process that runs. */
export function nowHere(): number {
  return network?.world.here?.monotonicMs() ?? network?.world.nowMs ?? 0;
}
