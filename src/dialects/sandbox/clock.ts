/** The clock of a sandbox: it stands still, runs, and goes ahead. */
import { refuseSaying } from '#api';
import { CLOCK, type Event, isRefused, type Refused } from '#domain';
import { formatTrimmed } from '#kernel';
import { findContract } from '../admin/contracts.ts';
import { optional, required, SCALED, WHOLE } from '../admin/fields.ts';
import { submit, workDone } from '../kit/carry-out.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { CONTRACT_SYMBOL } from '../kit/markets.ts';
import { requiredText } from '../kit/request.ts';
import { row, text, truth, whole } from '../kit/row.ts';
import { BASE, refusalOf, type SandboxClock, type SandboxContext } from './context.ts';

const DAY_MS = 86_400_000;
const JUMP_MAX_MS = 366 * DAY_MS;
/** Clocks do not go beyond the year 9000, so that every calendar still has room. */
const TIME_MAX_MS = 221_845_392_000_000;
const SPEED_SCALE = 3;
const BEFORE_FUNDING_MS = 1_000;
const TICK_MS = 1_000;
/** Ticks submitted before the answers are awaited: others get their turn in between. */
const TICKS_AT_ONCE = 100;

export const NOW_MS = 1_700_000_000_000;

export const CLOCK_READING = row<SandboxClock>()({
  time: whole('Time of the venue in milliseconds', NOW_MS, (clock) => clock.nowMs()),
  controlled: truth("The clock was set; else it is the system's", true, (c) => c.isControlled),
  speed: text('Of real time: 0 stands still, 1 is as fast', '0', ({ speedPermille }) =>
    formatTrimmed(speedPermille, SPEED_SCALE),
  ),
});

function at(time: number): object {
  return { ...CLOCK_READING.example, time };
}

export const CLOCK_ENDPOINTS = {
  pauseClock: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/clock/pause`,
    duty: 'run',
    summary: 'The clock stands still; orders are taken all the same',
    request: {},
    response: CLOCK_READING,
    answer: (context: SandboxContext) => context.inTurn(() => setSpeed(context, 0)),
  }),
  runClock: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/clock/run`,
    duty: 'run',
    summary: 'The clock runs, as fast as real time or at the speed given',
    request: { speed: optional(SCALED, '0.001 to 1000 of real time; 1 if absent') },
    response: CLOCK_READING,
    example: { request: { speed: '60' }, data: { ...CLOCK_READING.example, speed: '60' } },
    answer: (context: SandboxContext, asked) => {
      const speed = asked.speed?.(SPEED_SCALE) ?? CLOCK.speedPermilleReal;
      if (isRefused(speed)) return speed;
      if (speed > 0 && speed <= CLOCK.speedPermilleMax) {
        return context.inTurn(() => setSpeed(context, speed));
      }
      return refuseSaying(
        'clock_invalid',
        `speed goes from 0.001 to ${CLOCK.speedPermilleMax / 1_000}`,
      );
    },
  }),
  stepClock: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/clock/step`,
    duty: 'run',
    isFrequent: true,
    summary: 'Time passes second by second, with all that it brings, before the answer',
    request: { ms: required(WHOLE, 'Milliseconds, up to a day') },
    response: CLOCK_READING,
    example: { request: { ms: 60_000 }, data: at(NOW_MS + 60_000) },
    answer: (context: SandboxContext, { ms }) =>
      ms > 0 && ms <= DAY_MS
        ? context.inTurn(() => step(context, ms))
        : refuseSaying('clock_invalid', `ms goes from 1 to ${DAY_MS}`),
  }),
  jumpClock: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/clock/jump`,
    duty: 'run',
    summary: 'It is later at once, as if the venue had slept',
    request: { time: required(WHOLE, 'Milliseconds, after now and within 366 days') },
    response: CLOCK_READING,
    example: { request: { time: NOW_MS + 3_600_000 }, data: at(NOW_MS + 3_600_000) },
    answer: (context: SandboxContext, { time }) =>
      context.inTurn(async () => {
        const { clock } = context;
        return jumpFault(time, clock.nowMs()) ?? jump(context, time, clock.speedPermille);
      }),
  }),
  jumpToFunding: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/clock/funding`,
    duty: 'run',
    summary: 'Jumps to just before the next funding of a contract, and pauses',
    request: {
      symbol: requiredText('Contract'),
      beforeMs: optional(WHOLE, 'How long before, in milliseconds; 1000 if absent'),
    },
    response: CLOCK_READING,
    example: { request: { symbol: CONTRACT_SYMBOL }, data: at(1_700_006_399_000) },
    answer: (context: SandboxContext, { symbol, beforeMs = BEFORE_FUNDING_MS }) =>
      context.inTurn(() => jumpToFunding(context, symbol, beforeMs)),
  }),
} as const satisfies Record<string, OperatorEndpoint<SandboxContext>>;

function jumpFault(timeMs: number, nowMs: number): Refused | undefined {
  if (timeMs <= nowMs) return refuseSaying('clock_invalid', `it is ${nowMs} already`);
  if (timeMs > nowMs + JUMP_MAX_MS)
    return refuseSaying('clock_invalid', 'more than 366 days from now');
  return timeMs > TIME_MAX_MS ? refuseSaying('clock_invalid', 'beyond the year 9000') : undefined;
}

async function setSpeed(
  { venue, clock }: SandboxContext,
  speedPermille: number,
): Promise<string | Refused> {
  const event = await submit(venue, 'clock_set', { kind: 'set_clock', speedPermille });
  return isRefused(event) ? event : CLOCK_READING.write(clock);
}

/** The clock is set first, so that the journal has a clock that was not the system's. */
async function step(context: SandboxContext, ms: number): Promise<string | Refused> {
  const { venue, clock } = context;
  const set = await setSpeed(context, clock.speedPermille);
  if (isRefused(set)) return set;
  const endMs = clock.nowMs() + ms;
  let ticks: Promise<readonly Event[]>[] = [];
  while (clock.nowMs() < endMs) {
    clock.leapTo(Math.min(endMs, clock.nowMs() + TICK_MS));
    ticks.push(venue.submit({ kind: 'tick' }));
    // What a tick sets off belongs to its second, however much it is.
    const isDue = ticks.length >= TICKS_AT_ONCE || venue.hasWork;
    if (!isDue && !venue.isCrowded) continue;
    if (venue.hasWork) await workDone(venue);
    const refused = refusalOf(await Promise.all(ticks));
    if (refused !== undefined) return refused;
    ticks = [];
  }
  return refusalOf(await Promise.all(ticks)) ?? CLOCK_READING.write(clock);
}

async function jump(
  context: SandboxContext,
  timeMs: number,
  speedPermille: number,
): Promise<string | Refused> {
  const { venue, clock } = context;
  const set = await setSpeed(context, speedPermille);
  if (isRefused(set)) return set;
  clock.leapTo(timeMs);
  return refusalOf([await venue.submit({ kind: 'tick' })]) ?? CLOCK_READING.write(clock);
}

async function jumpToFunding(
  context: SandboxContext,
  symbol: string,
  beforeMs: number,
): Promise<string | Refused> {
  const nextMs = await context.venue.read((state) => {
    const contract = findContract(state.listings, symbol);
    if (isRefused(contract)) return contract;
    return state.contractPrices(contract.instrumentId)?.nextFundingMs ?? 0;
  });
  if (isRefused(nextMs)) return nextMs;
  const nowMs = context.clock.nowMs();
  const timeMs = nextMs - beforeMs;
  if (timeMs > nowMs) return jump(context, timeMs, 0);
  if (nextMs > nowMs) return setSpeed(context, 0);
  return refuseSaying('clock_invalid', `${symbol} has no funding ahead`);
}
