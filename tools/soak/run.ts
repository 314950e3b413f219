/**
 * A soak of the default demo venue: it runs as a process of its own, is loaded at an even pace by
 * two accounts that keep their private streams open, and is watched. Now and then the load rests,
 * everything open is closed, and all that the streams have told is compared with REST.
 */
import { startVenue, type TestVenue } from '#testing';
import { type Hand, lostBy, settle } from './hand.ts';
import { Load } from './load.ts';
import { freePort, type Memory, Probe } from './probe.ts';
import { type Credential, Rest } from './rest.ts';
import { Route } from './route.ts';
import { slopeOf } from './slope.ts';
import { openSpotHand } from './spot-hand.ts';
import { openSwapHand } from './swap-hand.ts';
import { eventually } from './waiting.ts';

export interface SoakPlan {
  readonly lengthMs: number;
  readonly requestsPerSecond: number;
  /** Load between two rests. */
  readonly roundMs: number;
  readonly sampleIntervalMs: number;
  /** Samples from the beginning that the slope leaves out. */
  readonly warmUpShare: number;
}

export interface SoakReport {
  readonly seconds: number;
  readonly requestsCount: number;
  readonly errorsCount: number;
  readonly errors: readonly string[];
  readonly residentMb: number;
  readonly residentSlopeMbPerHour: number;
  /** The slope is known to within this. */
  readonly residentSlopeErrorMbPerHour: number;
  readonly heapSlopeMbPerHour: number;
  readonly heapSlopeErrorMbPerHour: number;
  /** Of the event loop, over the whole run. */
  readonly loopDelayP99Ms: number;
  readonly ordersCount: number;
  readonly privateRowsCount: number;
  readonly privateMessagesCount: number;
  readonly comparedCount: number;
  /**
   * Gaps in numbers, rows that do not follow, orders without an end, streams that ended, and what
   * REST tells else.
   */
  readonly lostCount: number;
}

/** Runs it all and resolves with what came out; prints a line after every round. */
export async function soak(plan: SoakPlan, print: (line: string) => void): Promise<SoakReport> {
  const port = await freePort();
  await using venue = await startInspectable(port);
  const { url, keys, pid } = venue;
  const credentials = [keys.demo, keys.maker];
  const hands = (await Promise.all(credentials.map((who) => openHands([url], who)))).flat();
  const probe = await Probe.open(pid, port);
  const run = new SoakRun(plan, probe, hands);
  await run.rounds(print);
  const report = run.report();
  probe.close();
  await closeHands(hands);
  return report;
}

/** A process takes the port of its inspector from its environment. */
async function startInspectable(port: number): Promise<TestVenue> {
  const { NODE_OPTIONS: before } = process.env;
  process.env.NODE_OPTIONS = `${before ?? ''} --inspect-port=127.0.0.1:${port}`;
  try {
    return await startVenue();
  } finally {
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  }
}

/** An account in all markets, from the first of these processes on; see Rest for its patience. */
export async function openHands(
  urls: readonly string[],
  who: Credential,
  patienceMs = 0,
): Promise<readonly Hand[]> {
  return Promise.all(
    [openSpotHand, openSwapHand].map((open) => {
      const route = new Route(urls);
      return open(route, who, new Rest(route, who, patienceMs));
    }),
  );
}

export async function closeHands(hands: readonly Hand[]): Promise<void> {
  for (const { orders, rest } of hands) {
    await orders.stream.close();
    rest.close();
  }
}

class SoakRun {
  readonly #plan: SoakPlan;
  readonly #probe: Probe;
  readonly #hands: readonly Hand[];
  readonly #load: Load;
  readonly #samples: Memory[] = [];
  #loopDelayP99Ms = 0;
  readonly #startMs = performance.now();
  #unsettledCount = 0;

  constructor(plan: SoakPlan, probe: Probe, hands: readonly Hand[]) {
    this.#plan = plan;
    this.#probe = probe;
    this.#hands = hands;
    this.#load = new Load(hands);
  }

  async rounds(print: (line: string) => void): Promise<void> {
    const { lengthMs, roundMs, requestsPerSecond, sampleIntervalMs } = this.#plan;
    const sampler = setInterval(() => void this.#sample(), sampleIntervalMs);
    try {
      await Promise.all(this.#hands.map((hand) => eventually(hand.refresh)));
      for (let leftMs = lengthMs; leftMs > 0; leftMs = lengthMs - this.#spentMs()) {
        await this.#load.run(Math.min(roundMs, leftMs), requestsPerSecond);
        this.#unsettledCount += await settle(this.#hands);
        this.#loopDelayP99Ms = await this.#probe.loopDelayP99Ms();
        print(this.#line());
      }
    } finally {
      clearInterval(sampler);
    }
  }

  report(): SoakReport {
    const steady = this.#samples.slice(Math.ceil(this.#samples.length * this.#plan.warmUpShare));
    const resident = slopeOf(steady, 'residentMb');
    const heap = slopeOf(steady, 'heapMb');
    const rests = this.#hands.map(({ rest }) => rest);
    const stories = this.#hands.map(({ orders }) => orders.stories);
    const streams = this.#hands.map(({ orders }) => orders.stream);
    return {
      seconds: this.#spentMs() / 1_000,
      requestsCount: sum(rests.map(({ requestsCount }) => requestsCount)),
      errorsCount: sum(rests.map(({ errorsCount }) => errorsCount)),
      errors: rests.flatMap(({ errors }) => errors),
      residentMb: this.#samples.at(-1)?.residentMb ?? Number.NaN,
      residentSlopeMbPerHour: resident.perHour,
      residentSlopeErrorMbPerHour: resident.errorPerHour,
      heapSlopeMbPerHour: heap.perHour,
      heapSlopeErrorMbPerHour: heap.errorPerHour,
      loopDelayP99Ms: this.#loopDelayP99Ms,
      ordersCount: sum(stories.map(({ ordersCount }) => ordersCount)),
      privateRowsCount: sum(stories.map(({ rowsCount }) => rowsCount)),
      privateMessagesCount: sum(streams.map(({ messagesCount }) => messagesCount)),
      comparedCount: this.#load.comparedCount,
      lostCount: this.#lostCount(),
    };
  }

  #spentMs(): number {
    return performance.now() - this.#startMs;
  }

  async #sample(): Promise<void> {
    this.#samples.push(await this.#probe.memory());
  }

  #lostCount(): number {
    const endings = sum(this.#hands.map(({ orders }) => orders.stories.breaksCount));
    const lost = sum(this.#hands.map(lostBy));
    return lost + endings + this.#load.differingCount + this.#unsettledCount;
  }

  #line(): string {
    const report = this.report();
    const { seconds, requestsCount, residentMb, privateRowsCount, lostCount, errorsCount } = report;
    const heapMb = this.#samples.at(-1)?.heapMb ?? Number.NaN;
    return (
      `${seconds.toFixed(0)} s: ${(requestsCount / seconds).toFixed(0)} requests/s, ` +
      `memory ${residentMb.toFixed(0)} MB (heap ${heapMb.toFixed(0)}), loop delay p99 ` +
      `${report.loopDelayP99Ms.toFixed(1)} ms, ${privateRowsCount} private rows, ` +
      `${lostCount} lost, ${errorsCount} errors`
    );
  }
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
