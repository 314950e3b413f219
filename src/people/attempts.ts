/**
 * Guessing is held off: after some attempts in a row that failed, the next one has to wait, twice
 * as long each time. It is counted in the store, so over all processes and past a restart, and for
 * addresses that nobody has as for others, so that the wait shows nothing.
 */

import { LINK_MS } from './mail.ts';
import type { PeopleStore, PruneTimes } from './port.ts';
import { tokenHash } from './secrets/tokens.ts';

const FREE_MAX = 5;
const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 15 * 60_000;
const FORGET_MS = 24 * 3_600_000;

/** What is tried: to prove who one is, or to have mails sent. */
export type AttemptKind = 'sign_in' | 'mail';

function subjectOf(kind: AttemptKind, email: string): string {
  return `${kind} ${tokenHash(email)}`;
}

/** Counts an attempt as failed, before it is looked at: how long it has to wait, or zero. */
export async function beginAttempt(
  store: PeopleStore,
  kind: AttemptKind,
  email: string,
  nowMs: number,
): Promise<number> {
  const subject = subjectOf(kind, email);
  const count = await store.noteAttempt({
    subject,
    nowMs,
    forgetBeforeMs: nowMs - FORGET_MS,
    freeMax: FREE_MAX,
    momentMs: FIRST_WAIT_MS,
  });
  if (count === undefined) {
    const held = await store.failures(subject);
    return Math.max((held?.untilMs ?? nowMs) - nowMs, 1);
  }
  if (count <= FREE_MAX) return 0;
  await store.holdOff(subject, nowMs + waitAfter(count));
  return 0;
}

/** It could not be looked at: it does not count. */
export function takeBackAttempt(
  store: PeopleStore,
  kind: AttemptKind,
  email: string,
): Promise<void> {
  return store.takeBackAttempt(subjectOf(kind, email));
}

/** It succeeded: those before are forgotten. */
export function forgetAttempts(
  store: PeopleStore,
  kind: AttemptKind,
  email: string,
): Promise<void> {
  return store.forgetFailures(subjectOf(kind, email));
}

function waitAfter(count: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (count - FREE_MAX - 1), WAIT_MAX_MS);
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
