/** The minutes of the UTC day at which funding is settled, as times. */
import type { Contract } from '#domain';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The first settlement after a time: days are counted in UTC. */
export function nextFunding({ fundingMinutes }: Contract, afterMs: number): number {
  const dayMs = Math.floor(afterMs / DAY_MS) * DAY_MS;
  for (const day of [dayMs, dayMs + DAY_MS]) {
    for (const minute of fundingMinutes) {
      const atMs = day + minute * MINUTE_MS;
      if (atMs > afterMs) return atMs;
    }
  }
  return Number.POSITIVE_INFINITY;
}

export function lastFunding({ fundingMinutes }: Contract, untilMs: number): number {
  const dayMs = Math.floor(untilMs / DAY_MS) * DAY_MS;
  for (const day of [dayMs, dayMs - DAY_MS]) {
    for (const minute of [...fundingMinutes].reverse()) {
      const atMs = day + minute * MINUTE_MS;
      if (atMs <= untilMs) return atMs;
    }
  }
  return Number.NEGATIVE_INFINITY;
}
