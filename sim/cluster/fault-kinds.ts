/** What can go wrong in a cluster, and how often it does when a seed says nothing else. */
export const USUAL_FAULTS = {
  kill: 3,
  kill_leader: 4,
  power_cut: 2,
  stop_in_order: 2,
  pause: 3,
  pause_leader: 3,
  part_from_all: 2,
  part_from_log: 3,
  part_leader_from_others: 2,
  one_way: 2,
  late_watches: 5,
  rotten_snapshot: 1,
  rotten_copy: 2,
  torn_copy: 1,
  no_log: 1,
  part_from_log_server: 2,
  log_server_lags: 3,
  log_server_ends: 2,
  log_leader_lost: 2,
  clock_jump: 2,
  release: 4,
  slow_disk: 1,
  full_disk: 0.5,
  new_machine: 2,
  both_leader_and_next: 1,
} as const;

export type FaultKind = keyof typeof USUAL_FAULTS;
export const FAULT_KINDS = Object.keys(USUAL_FAULTS) as readonly FaultKind[];
