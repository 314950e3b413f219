/** The numbers of a running venue for /metrics, besides those of the calls it answers. */

import type { Gauge } from '#api';
import type { Config } from '#config';
import { diskFreeBytes } from '#config';
import type { ServedVenue } from '#venue';
import { clockSkewMs } from './clock-skew.ts';
import { clusterGauges } from './cluster.ts';
import { databaseBytes } from './disk-space.ts';
import type { Recovered } from './recovered.ts';
import { suspendedMarkets } from './suspensions.ts';

export function gauges({ dataDirectory }: Config, parts: Recovered): Gauge[] {
  const { venue, projection, reports, faults, live } = parts;
  return [
    ...venueGauges(venue),
    {
      name: 'outcry_projection_lag_commands',
      help: 'Commands released whose history is not written yet',
      read: () => venue.releasedSeq - projection.projectedSeq,
    },
    {
      name: 'outcry_suspended_instruments',
      help: 'Pairs and contracts taken out of trade because the engine failed in them',
      read: () => suspendedMarkets(live).length,
    },
    {
      name: 'outcry_withheld_commands',
      help: 'Commands that are refused because they have ended the process twice',
      read: () => faults.withheld.length,
    },
    {
      name: 'outcry_engine_failures',
      help: 'Commands that made the engine fail, as the data directory remembers them',
      read: () => faults.failuresCount,
    },
    {
      name: 'outcry_clock_skew_ms',
      help: 'System time less time of the venue: above zero it does not believe a step forward',
      read: () => clockSkewMs(parts),
    },
    {
      name: 'outcry_projector_restarts',
      help: 'Times the writing of the history was started again after a fault',
      read: () => projection.restartsCount,
    },
    {
      name: 'outcry_history_stopped',
      help: '1 while the history is not written, as when its database cannot be reached',
      read: () => (projection.fault === undefined ? 0 : 1),
    },
    {
      name: 'outcry_reports_lag_commands',
      help: "Commands released that are not in the cluster's database of reports yet",
      read: () => Math.max(0, venue.releasedSeq - (reports?.projectedSeq ?? Infinity)),
    },
    ...scrubGauges(projection),
    {
      name: 'outcry_history_removed_rows',
      help: 'Rows removed since the start because they are older than history.keepDays',
      read: () => projection.removedRowsCount,
    },
    {
      name: 'outcry_snapshot_failures',
      help: 'Snapshots that could not be written since the start',
      read: () => projection.snapshotFaultsCount,
    },
    ...(parts.member === undefined ? [] : clusterGauges(parts.member)),
    {
      name: 'outcry_journal_first_seq',
      help: 'Command that the journal begins with: above 1 once it was trimmed',
      read: parts.journalFirstSeq,
    },
    ...diskGauges(dataDirectory),
  ];
}

function venueGauges(venue: ServedVenue): Gauge[] {
  return [
    {
      name: 'outcry_released_seq',
      help: 'Last command whose effects are durable and visible',
      read: () => venue.releasedSeq,
    },
    {
      name: 'outcry_gate_lag_commands',
      help: 'Commands applied whose journal entry is not on disk yet',
      read: () => venue.appliedSeq - venue.releasedSeq,
    },
    {
      name: 'outcry_waiting_commands',
      help: 'Commands that wait for their turn; in a cluster those without an answer',
      read: () => venue.waitingCount,
    },
    {
      name: 'outcry_halted',
      help: '1 when the venue has halted',
      read: () => (venue.haltReason === undefined ? 0 : 1),
    },
  ];
}

function diskGauges(dataDirectory: string): Gauge[] {
  return [
    {
      name: 'outcry_journal_bytes',
      help: 'What the journal takes on disk, with its write-ahead log',
      read: () => databaseBytes(dataDirectory, 'journal.sqlite'),
    },
    {
      name: 'outcry_history_bytes',
      help: 'What the history takes on disk, with its write-ahead log',
      read: () => databaseBytes(dataDirectory, 'history.sqlite'),
    },
    {
      name: 'outcry_disk_free_bytes',
      help: 'What is left on the disk of the data directory',
      read: () => diskFreeBytes(dataDirectory),
    },
  ];
}

function scrubGauges(projection: Recovered['projection']): Gauge[] {
  return [
    {
      name: 'outcry_journal_damaged',
      help: '1 when the background scrub has found an entry of the journal that is not sound',
      read: () => (projection.scrubFault === undefined ? 0 : 1),
    },
    {
      name: 'outcry_history_damaged',
      help: 'Rows of the history that the background scrub has found changed, 100 at most',
      read: () => projection.historyFindings.size,
    },
  ];
}
