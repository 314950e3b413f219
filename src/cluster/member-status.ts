/** What a process of a cluster says about itself: to its operator, and to the other processes. */
import type { Seal } from '#log';
import { httpOf, introduce } from './handshake.ts';

export interface MemberStatus {
  readonly role: 'leader' | 'follower' | 'gateway';
  /** Who leads, as far as it knows; empty for nobody. */
  readonly leader: string;
  /** The number of that claim. */
  readonly claim: number;
  /** The last command whose effects it shows. */
  readonly seq: number;
  /** How far it is behind what it has heard of the log. */
  readonly lagCommands: number;
  readonly lagMs: number;
  /** Commands that its copy of the log on disk lacks. */
  readonly mirrorLagCommands: number;
  readonly openRequests: number;
  readonly contactAgeMs: number;
  readonly takeovers: number;
  /** From the last word of the leader before until it led; 0 before it did. */
  readonly takeoverMs: number;
  readonly suspended: string | undefined;
  readonly seal: Seal | undefined;
}

/** As much of it as travels between two processes. */
export type SentStatus = Pick<MemberStatus, 'role' | 'claim' | 'seq' | 'lagCommands' | 'lagMs'> & {
  readonly isSuspended: boolean;
};

/** Where on a member's address it is asked for, by who holds the secret of the cluster. */
export const STATUS_PATH = '/status';
const ANSWER_MAX_MS = 1_000;
const ROLES: readonly unknown[] = ['leader', 'follower', 'gateway'] satisfies SentStatus['role'][];

export function writeStatus(status: MemberStatus): string {
  const { role, claim, seq, lagCommands, lagMs, suspended } = status;
  const isSuspended = suspended !== undefined;
  const sent: SentStatus = { role, claim, seq, lagCommands, lagMs, isSuspended };
  return JSON.stringify(sent);
}

/** Asks a process for it; undefined when it does not answer, or not in these words. */
export async function askForStatus(url: string, secret: string): Promise<SentStatus | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MAX_MS);
    const authorization = await introduce(url, secret, `GET ${STATUS_PATH}`, signal);
    const response = await fetch(new URL(STATUS_PATH, httpOf(url)), {
      headers: { authorization },
      redirect: 'error',
      signal,
    });
    const answer: unknown = await response.json();
    return isStatus(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

function isStatus(value: unknown): value is SentStatus {
  if (typeof value !== 'object' || value === null) return false;
  const { role, claim, seq, lagCommands, lagMs, isSuspended }: Partial<SentStatus> = value;
  const figures = [claim, seq, lagCommands, lagMs];
  const areFigures = figures.every((figure) => Number.isFinite(figure) && Number(figure) >= 0);
  return areFigures && ROLES.includes(role) && typeof isSuspended === 'boolean';
}
