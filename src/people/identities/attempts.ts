/**
 * Guessing is held off: after some attempts in a row that failed, the next one has to wait, twice
 * as long each time. It is counted in the store, so over all processes and past a restart, and for
 * addresses that nobody has as for others, so that the wait shows nothing. Each network waits for
 * its own attempts; only very many over all networks hold an address off for everybody.
 */

import { LINK_MS } from '../mail/mail.ts';
import type { PeopleStore } from '../port.ts';
import { tokenHash } from '../secrets/tokens.ts';
import type { PruneTimes } from '../store/ending-port.ts';
import type { LiveSession } from './live-sessions.ts';
import type { AttemptsCounted, Person } from './port.ts';

const FREE_MAX = 5;
const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 15 * 60_000;
const FORGET_MS = 24 * 3_600_000;

/** What is tried at an address: to prove who one is, or to have mails sent. */
export type AttemptKind = 'sign_in' | 'mail';

/** As FREE_MAX, of one address over all networks. */
const FREE_OVER_ALL_MAX: Readonly<Record<AttemptKind, number>> = { sign_in: 100, mail: 20 };
const ALL_NETWORKS = 'all';

/** Whose attempts are counted together, and where each count is. */
export interface Tried {
  /** That of the network first. */
  readonly counts: readonly (AttemptsCounted & { readonly freeMax: number })[];
}

/** At an address, from a network. */
export function triedAt(kind: AttemptKind, email: string, network: string): Tried {
  const subject = subjectOf(kind, email);
  return {
    counts: [
      { subject, network, freeMax: FREE_MAX },
      { subject, network: ALL_NETWORKS, freeMax: FREE_OVER_ALL_MAX[kind] },
    ],
  };
}

/** By whoever has a session: what strangers try at the address of its person does not count. */
export function triedIn({ sessionId }: LiveSession): Tried {
  return { counts: [{ subject: `session ${sessionId}`, network: '', freeMax: FREE_MAX }] };
}

function subjectOf(kind: AttemptKind, email: string): string {
  return `${kind} ${tokenHash(email)}`;
}

/** Counts an attempt as failed, before it is looked at: how long it has to wait, or zero. */
export async function beginAttempt(
  store: PeopleStore,
  { counts }: Tried,
  nowMs: number,
): Promise<number> {
  for (const [at, count] of counts.entries()) {
    const waitMs = await countOne(store, count, nowMs);
    if (waitMs === 0) continue;
    // Not looked at, so it counts nowhere.
    await takeBackAttempt(store, { counts: counts.slice(0, at) });
    return waitMs;
  }
  return 0;
}

async function countOne(
  store: PeopleStore,
  counted: Tried['counts'][number],
  nowMs: number,
): Promise<number> {
  const { freeMax } = counted;
  const bounds = { nowMs, forgetBeforeMs: nowMs - FORGET_MS, momentMs: FIRST_WAIT_MS };
  const count = await store.noteAttempt({ ...counted, ...bounds });
  if (count === undefined) {
    const held = await store.failures(counted);
    return Math.max((held?.untilMs ?? nowMs) - nowMs, 1);
  }
  if (count > freeMax) await store.holdOff(counted, nowMs + waitAfter(count - freeMax));
  return 0;
}

/** It could not be looked at: it does not count. */
export async function takeBackAttempt(store: PeopleStore, { counts }: Tried): Promise<void> {
  for (const one of counts) await store.takeBackAttempt(one);
}

/** It succeeded: those before are forgotten, of this network and over all, not of others. */
export async function forgetAttempts(store: PeopleStore, { counts }: Tried): Promise<void> {
  for (const one of counts) await store.forgetFailures(one);
}

/** Whatever was tried at an address, from wherever. */
export function forgetAllAttempts(
  store: PeopleStore,
  kind: AttemptKind,
  email: string,
): Promise<void> {
  return store.forgetFailures({ subject: subjectOf(kind, email) });
}

/** Until when signing in at the address of a person waits somewhere; zero if nowhere. */
export async function signInWaitsUntil(
  store: PeopleStore,
  { email }: Person,
  nowMs: number,
): Promise<number> {
  const untilMs = await store.heldUntil(subjectOf('sign_in', email));
  return untilMs > nowMs ? untilMs : 0;
}

function waitAfter(beyond: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (beyond - 1), WAIT_MAX_MS);
}

const EVENTS_KEPT_MS = 400 * 24 * 3_600_000;

/** What is older is deleted. */
export function pruneTimes(nowMs: number): PruneTimes {
  return {
    nowMs,
    eventsBeforeMs: nowMs - EVENTS_KEPT_MS,
    failuresBeforeMs: nowMs - FORGET_MS,
    unprovedBeforeMs: nowMs - LINK_MS.confirm,
  };
}
