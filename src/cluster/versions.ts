/**
 * Which versions of entries a process reads, and which one all of a cluster read: members of two
 * neighbouring releases run together, and the older one decides what is written.
 */
import { type Command, EARLIEST_RULES, FORMAT_VERSION, formatOf, RULES_VERSION } from '#domain';
import type { Knowledge, MemberReport, Versions } from '#log';

/** What a release knows, and in which format it writes each command. */
export interface ReleaseVersions extends Knowledge {
  readonly formatOf: (command: Command) => number;
}

export const THIS_RELEASE: ReleaseVersions = {
  formatMax: FORMAT_VERSION,
  rulesMin: EARLIEST_RULES,
  rulesMax: RULES_VERSION,
  formatOf,
};

/** A process cannot go on with what its cluster writes; the message says why and what to do. */
export class VersionFault extends Error {
  override readonly name = 'VersionFault';
}

export function isReadable({ format, rules }: Versions, knows: Knowledge): boolean {
  return format <= knows.formatMax && rules >= knows.rulesMin && rules <= knows.rulesMax;
}

/** Throws a VersionFault where this process cannot read it; `what` is who writes it, and where. */
export function requireReadable(written: Versions, knows: Knowledge, what: string): void {
  if (isReadable(written, knows)) return;
  const isTooOld = written.rules >= knows.rulesMin;
  throw new VersionFault(
    `${what} format ${written.format} and rules ${written.rules}, and this release reads formats ` +
      `up to ${knows.formatMax} and rules ${knows.rulesMin} to ${knows.rulesMax}: ` +
      (isTooOld
        ? 'start the release that writes it, or this one in a cluster of another name'
        : 'upgrade all processes to a release between the two first'),
  );
}

/**
 * The newest versions that this process and all that have reported read, whether they are there now
 * or not: a process reports before it registers, and until it is withdrawn.
 */
export function commonVersions(own: Knowledge, reports: readonly MemberReport[]): Versions {
  const known = [own, ...reports.map(({ process }) => process.knows)];
  return {
    format: Math.min(...known.map(({ formatMax }) => formatMax)),
    rules: Math.min(...known.map(({ rulesMax }) => rulesMax)),
  };
}

/** Who keeps a cluster from the versions that a process knows. */
export function heldBackBy(own: Knowledge, reports: readonly MemberReport[]): string[] {
  return reports.filter(({ process }) => isOlder(process.knows, own)).map(({ member }) => member);
}

function isOlder(knows: Knowledge, own: Knowledge): boolean {
  return knows.formatMax < own.formatMax || knows.rulesMax < own.rulesMax;
}
