/**
 * Equal seals prove equal states. What follows from unequal ones: which member is wrong, and whose
 * word counts when the log is trimmed.
 */
import type { MemberReport, Seal } from '#log';

/** What a member says of its copy. */
export type Held = Omit<MemberReport, 'process'>;

/** Who has a say, and who leads. */
export interface Electorate {
  /** Members that are there now. */
  readonly present: readonly string[];
  readonly leader: string;
}

/** How a member signs a state: only within one release do equal states have equal dumps. */
export function signed(release: string, stateHash: string): string {
  return `${release}:${stateHash}`;
}

function releaseOf({ stateHash }: Seal): string {
  return stateHash.slice(0, stateHash.lastIndexOf(':'));
}

function sealLike({ seals }: Held, seal: Seal): Seal | undefined {
  return seals.find((one) => one.seq === seal.seq && releaseOf(one) === releaseOf(seal));
}

/** Whether two members have no state that differs. */
function agrees(one: Held, other: Held): boolean {
  return one.seals.every((seal) => (sealLike(other, seal) ?? seal).stateHash === seal.stateHash);
}

/**
 * The newest state in which this process is in the minority; where both sides are equally many, the
 * leader's side is right. It waits for members that are there and have not come so far.
 */
export function minoritySeal(
  own: Held,
  reports: readonly Held[],
  electorate: Electorate,
): Seal | undefined {
  const others = reports.filter(({ member }) => member !== own.member);
  return own.seals.toReversed().find((seal) => isInMinority(own, seal, others, electorate));
}

function isInMinority(
  own: Held,
  seal: Seal,
  others: readonly Held[],
  { present, leader }: Electorate,
): boolean {
  const sides = new Map<string, string[]>([[seal.stateHash, [own.member]]]);
  for (const report of others) {
    const hash = sealLike(report, seal)?.stateHash;
    if (hash !== undefined) sides.set(hash, [...(sides.get(hash) ?? []), report.member]);
  }
  const mine = sides.get(seal.stateHash) ?? [];
  sides.delete(seal.stateHash);
  const against = [...sides.values()].toSorted((left, right) => right.length - left.length);
  const strongest = against[0];
  if (strongest === undefined) return false;
  const openCount = present.filter((member) => {
    const report = others.find((one) => one.member === member);
    return member !== own.member && (report === undefined || report.heldSeq < seal.seq);
  }).length;
  if (strongest.length > mine.length + openCount) return true;
  if (openCount > 0 || strongest.length < mine.length) return false;
  return against.some((side) => side.length === mine.length && side.includes(leader));
}

/** Whether its states are those of the others; undefined while none is another's, too. */
export function sealsAgree(
  one: Held,
  reports: readonly Held[],
  electorate: Electorate,
): boolean | undefined {
  if (minoritySeal(one, reports, electorate) !== undefined) return false;
  const others = reports.filter(({ member }) => member !== one.member);
  const isShared = (seal: Seal): boolean =>
    others.some((other) => sealLike(other, seal)?.stateHash === seal.stateHash);
  return one.seals.some(isShared) ? true : undefined;
}

/**
 * Up to where the log may go: two members have the rest on disk, and `keepCommands` more stay for a
 * member that is away for a while. Undefined where nothing may.
 */
export function trimmedBefore(
  own: Held,
  reports: readonly Held[],
  keepCommands: number,
): number | undefined {
  const held = reports
    .filter((report) => agrees(own, report))
    .map(({ heldSeq }) => heldSeq)
    .toSorted((left, right) => right - left);
  const beforeSeq = (held[1] ?? 0) + 1 - keepCommands;
  return beforeSeq > 1 ? beforeSeq : undefined;
}
