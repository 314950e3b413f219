/**
 * Which versions of entries a process reads, and which one all of a cluster read: members of two
 * neighbouring releases run together, and the older one decides what is written.
 */
import {
  type Command,
  EARLIEST_RULES,
  FORMAT_VERSION,
  formatOf,
  isKnownRules,
  RULES_VERSION,
  type Rules,
} from '#domain';
import { assert } from '#kernel';
import type { Knowledge, MemberRecord, MemberReport, Versions } from '#log';

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
        ? 'start a newer release on this data directory'
        : 'upgrade all processes to a release between the two first'),
  );
}

/** The processes of a cluster as far as it knows them. */
export interface Registered {
  readonly members: readonly MemberRecord[];
  readonly reports: readonly MemberReport[];
}

/** What the releases read that did not say so yet. */
const UNSAID: Knowledge = { formatMax: 1, rulesMin: 2, rulesMax: 3 };

/** What each registered process reads, whether it is there now or not. */
function knownBy({ members, reports }: Registered): Map<string, Knowledge> {
  const known = new Map<string, Knowledge>();
  for (const { name } of members) known.set(name, UNSAID);
  for (const { member, process } of reports) known.set(member, process?.knows ?? UNSAID);
  return known;
}

/** The newest versions that this process and all registered ones read. */
export function commonVersions(own: Knowledge, registered: Registered): Versions {
  const known = [own, ...knownBy(registered).values()];
  return {
    format: Math.min(...known.map(({ formatMax }) => formatMax)),
    rules: Math.min(...known.map(({ rulesMax }) => rulesMax)),
  };
}

/** Who keeps a cluster from the versions that a process knows. */
export function heldBackBy(own: Knowledge, registered: Registered): string[] {
  return [...knownBy(registered)]
    .filter(([, { formatMax, rulesMax }]) => formatMax < own.formatMax || rulesMax < own.rulesMax)
    .map(([name]) => name);
}

/** The agreement keeps to what this release knows. */
export function rulesOf(rules: number): Rules {
  assert(isKnownRules(rules), 'rules that are agreed on are known');
  return rules;
}
