/** What calls of an endpoint use up of the limits of their callers, counted before they go on. */
import type { CallCounts, Taken, WindowUse } from './bounds/windows.ts';
import type { Dialect } from './dialect.ts';
import type { Endpoint } from './endpoint.ts';
import type { JsonObject } from './json.ts';
import { type Quota, showQuotas, sumOfCosts, timesCost, usesOf } from './plugins/quota.ts';
import { rateUse } from './plugins/rate-limit.ts';
import type { AnswerHead } from './request.ts';

/** Signed calls are counted by account, the others by person, address or IPv6 network. */
export interface Counts {
  readonly ofAccounts: CallCounts;
  readonly ofAddresses: CallCounts;
}

/** Counts the calls of one endpoint. */
export interface CallCounter {
  /** Counts one of this caller: the milliseconds to wait, or zero. */
  take(caller: string, head: AnswerHead): number | Promise<number>;
  /** Gives back what the outcome of one counted so long ago does not cost; undefined: nothing. */
  readonly settle: ((caller: string, isRefused: boolean, agoMs: number) => void) | undefined;
}

/** For callers; by the rate of the endpoint, or by the quotas of its dialect. */
export function counterOf(
  dialect: Dialect,
  endpoint: Endpoint,
  counts: CallCounts,
): CallCounter | undefined {
  const { method, path, rate } = endpoint;
  if (rate !== null) {
    const uses = [rateUse(`${method} ${path}`, rate)];
    return { take: (caller) => waitOf(counts.take(caller, uses)), settle: undefined };
  }
  return quotaCounter(dialect, endpoint, undefined, counts);
}

/** For networks, before it is known who calls. */
export function networkCounterOf(
  dialect: Dialect,
  endpoint: Endpoint,
  counts: CallCounts,
): CallCounter | undefined {
  return quotaCounter(dialect, endpoint, 'network', counts);
}

function quotaCounter(
  { name, quotas = [] }: Dialect,
  { cost, outcomeCost }: Endpoint,
  per: Quota['per'],
  counts: CallCounts,
): CallCounter | undefined {
  const own = quotas.filter((quota) => quota.per === per);
  if (own.length === 0 || (cost ?? outcomeCost) === undefined) return undefined;
  const { refused = {}, done = {} } = outcomeCost ?? {};
  const uses = usesOf(name, own, sumOfCosts(cost ?? {}, refused, done));
  const back = { refused: usesOf(name, own, done), done: usesOf(name, own, refused) };
  return {
    take: (caller, head) =>
      waitOf(counts.take(caller, uses), (taken) => showQuotas(own, taken, head)),
    settle:
      outcomeCost === undefined
        ? undefined
        : (caller, isRefused, agoMs) =>
            counts.giveBack(caller, back[isRefused ? 'refused' : 'done'], agoMs),
  };
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
  const own = quotas.filter(({ per }) => per === undefined);
  return (caller, input, head) => {
    const entries = input[list];
    const count = Array.isArray(entries) ? Math.max(entries.length, 1) : 1;
    const uses: WindowUse[] = usesOf(name, own, timesCost(cost, count));
    return waitOf(counts.take(caller, uses), (taken) => showQuotas(own, taken, head));
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
