/** What calls of an endpoint use up of the limits of their callers, counted before they go on. */
import type { CallCounts, Taken, WindowUse } from './bounds/windows.ts';
import type { Dialect } from './dialect.ts';
import type { Endpoint } from './endpoint.ts';
import type { JsonObject } from './json.ts';
import { showQuotas, timesCost, usesOf } from './plugins/quota.ts';
import { rateUse } from './plugins/rate-limit.ts';
import type { AnswerHead } from './request.ts';

/** Signed calls are counted by account, the others by person, address or IPv6 network. */
export interface Counts {
  readonly ofAccounts: CallCounts;
  readonly ofAddresses: CallCounts;
}

/** Counts a call of this caller: the milliseconds to wait, or zero. */
export type CallCounter = (caller: string, head: AnswerHead) => number | Promise<number>;

export function counterOf(
  { name, quotas }: Dialect,
  { method, path, rate, cost }: Endpoint,
  counts: CallCounts,
): CallCounter | undefined {
  if (rate !== null) {
    const uses = [rateUse(`${method} ${path}`, rate)];
    return (caller) => waitOf(counts.take(caller, uses));
  }
  if (cost === undefined || quotas === undefined) return undefined;
  const uses = usesOf(name, quotas, cost);
  return (caller, head) =>
    waitOf(counts.take(caller, uses), (taken) => showQuotas(quotas, taken, head));
}

/** As CallCounter, for what is known once the body is read. */
export type EntriesCounter = (
  caller: string,
  input: JsonObject,
  head: AnswerHead,
) => number | Promise<number>;

export function entriesCounterOf(
  { name, quotas }: Dialect,
  { entryCost }: Endpoint,
  counts: CallCounts,
): EntriesCounter | undefined {
  if (entryCost === undefined || quotas === undefined) return undefined;
  const { list, cost } = entryCost;
  return (caller, input, head) => {
    const entries = input[list];
    const count = Array.isArray(entries) ? Math.max(entries.length, 1) : 1;
    const uses: WindowUse[] = usesOf(name, quotas, timesCost(cost, count));
    return waitOf(counts.take(caller, uses), (taken) => showQuotas(quotas, taken, head));
  };
}

/** At once if it can be. */
function waitOf(
  counted: Taken | Promise<Taken>,
  show?: (taken: Taken) => void,
): number | Promise<number> {
  if (counted instanceof Promise) return counted.then((taken) => waitOf(taken, show));
  show?.(counted);
  return counted.waitMs;
}
