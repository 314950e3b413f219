/** What is wrong with a venue that serves all the same, for /health/ready. */

import type { Degradation } from '#api';
import { diskTrouble } from '#config';
import { failureText } from '#dialects';
import { clockTrouble } from './clock-skew.ts';
import type { Recovered } from './recovered.ts';
import { suspendedMarkets } from './suspensions.ts';

type Subject = readonly [kind: Degradation['kind'], subject: string, text: string | undefined];

export function degradationsOf(parts: Recovered, dataDirectory: string): Degradation[] {
  const { live, faults, member, projection, reports } = parts;
  const found: Subject[] = [
    ...suspendedMarkets(live).map(
      ({ symbol, reason }): Subject => ['instrument_suspended', symbol, reason],
    ),
    ...faults.withheld.map(
      (failure): Subject => ['command_withheld', failure.command, failureText(failure)],
    ),
    ['clock_skew', 'clock', clockTrouble(parts)],
    ['history_stopped', 'history', projection.fault?.message],
    ['history_stopped', 'reports', reports?.fault?.message],
    ['disk_low', 'disk', diskTrouble(dataDirectory)],
    ['log_filling', 'log', member?.room.trouble],
    ['snapshot_failed', 'snapshot', projection.snapshotFault],
    ['journal_damaged', 'journal', projection.scrubFault],
    ['history_damaged', 'history', historyTrouble(projection.historyFindings)],
  ];
  return found.flatMap(([kind, subject, text]) =>
    text === undefined ? [] : [{ kind, subject, text }],
  );
}

/** The first row names the place, the count how bad it is. */
function historyTrouble(findings: ReadonlySet<string>): string | undefined {
  const [first] = findings;
  if (first === undefined || findings.size === 1) return first;
  return `${first}, and ${findings.size - 1} more`;
}
