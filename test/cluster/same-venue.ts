/**
 * One stream of commands on both products, given to a cluster and to a venue in one process: the
 * same answers, the same log, the same state, the same rows and the same sums.
 */
import { strict as assert } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Command, decodeEntry, type Event, LIMITS, type Origin, type Step } from '#domain';
import { Engine } from '#engine';
import type { JournalEntry, SharedLog } from '#log';
import { stateHash, Venue, verifyHistory } from '#venue';
import { historyFile, historyOf, VENUE_ID } from '../support/history-files.ts';
import { MemoryLog } from '../support/memory-log.ts';
import { commandOf, DAY_START_MS, type Move, opening } from '../support/random-days.ts';
import { LocalCluster, type ProcessHere } from './local-cluster.ts';

const NAMES = ['member-1', 'member-2', 'gateway-1'];
const GATEWAY = 'gateway-1';

interface Asked {
  readonly timeMs: number;
  readonly command: Command;
  /** Of those that went through the gateway, in their order; undefined of the leader's own. */
  readonly request: number | undefined;
  readonly events: readonly Event[];
}

class TestClock {
  timeMs = DAY_START_MS;
  nowMs(): number {
    return this.timeMs;
  }
}

/** Plays a day on a cluster over this log, and the same on a venue in one process. */
export async function playOnBoth(
  context: TestContext,
  moves: readonly Move[],
  openLog?: () => SharedLog,
): Promise<void> {
  const clock = new TestClock();
  const cluster = new LocalCluster(clock, openLog);
  try {
    const asked = await playOnCluster(cluster, clock, moves);
    const hash = await cluster.stateHash();
    const gateway = processOf(cluster, GATEWAY);
    const alone = await playAlone(asked, originsIn(gateway.copy.entries));
    assert.deepEqual(commandsIn(alone.log.entries), commandsIn(gateway.copy.entries));
    assert.equal(stateHash(alone.engine), hash);
    const audits = [alone.engine, gateway.engine].map((engine) => engine.audit());
    assert.deepEqual(audits[0], audits[1]);
    const history = historyOf(historyFile(context));
    const writer = await history.openWriter(VENUE_ID);
    for (const step of alone.steps) await writer.project([step]);
    await writer.close();
    const { seq, differences } = await verifyHistory(gateway.copy, history, () => undefined);
    // What is owned when a day begins is noted by who follows a journal.
    const others = differences.filter(({ table }) => !table.startsWith('day_'));
    assert.deepEqual([seq, others], [alone.engine.seq, []]);
  } finally {
    await cluster.close();
  }
}

/** At the gateway and at the leader in turn; in the middle the leader is killed. */
async function playOnCluster(cluster: LocalCluster, clock: TestClock, moves: readonly Move[]) {
  const asked: Asked[] = [];
  let requests = 0;
  const start = (name: string) =>
    cluster.start(name, { kind: name === GATEWAY ? 'gateway' : 'member' });
  await Promise.all(NAMES.map(start));
  async function ask(command: Command, kill: boolean): Promise<void> {
    const leader = await cluster.leader();
    const atGateway = kill || asked.length % 2 === 0;
    if (atGateway) requests += 1;
    const request = atGateway ? requests : undefined;
    const { timeMs } = clock;
    const events = (atGateway ? processOf(cluster, GATEWAY) : leader).submit(command);
    if (kill) await cluster.stop(leader.name, 'killed');
    asked.push({ timeMs, command, request, events: await events });
    if (kill) await start(leader.name);
    await settled(cluster);
  }
  for (const command of opening()) await ask(command, false);
  for (const [index, move] of moves.entries()) {
    clock.timeMs += move.waitMs;
    const { engine } = processOf(cluster, GATEWAY);
    await ask(commandOf(engine, move, index), index === Math.floor(moves.length / 2));
  }
  return asked;
}

/** The leader has no work left, and the gateway has seen all of it. */
async function settled(cluster: LocalCluster): Promise<void> {
  const { engine, member } = await cluster.leader();
  const gateway = processOf(cluster, GATEWAY);
  const isSettled = (): boolean => !member.venue.hasWork && gateway.engine.seq === engine.seq;
  while (!isSettled()) await setImmediate();
}

async function playAlone(asked: readonly Asked[], origins: ReadonlyMap<number, Origin>) {
  const [clock, engine, log] = [new TestClock(), Engine.empty(), new MemoryLog()];
  const steps: Step[] = [];
  const journal = await log.openWriter();
  const venue = new Venue({
    engine,
    journal,
    clock,
    onStep: (step) => steps.push(step),
    onHalt: (reason) => assert.fail(reason),
    entryCharactersMax: LIMITS.sharedEntryCharactersMax,
  });
  for (const { timeMs, command, request, events } of asked) {
    clock.timeMs = timeMs;
    const origin = request === undefined ? undefined : origins.get(request);
    assert.deepEqual(await venue.submit(command, origin), events, command.kind);
    while (venue.hasWork) await setImmediate();
  }
  await venue.close();
  await journal.close();
  return { engine, log, steps };
}

/** By the number of the request. A refused command has none: it is not in the log. */
function originsIn(entries: readonly JournalEntry[]): Map<number, Origin> {
  const found = entries.flatMap(({ payload }) => decodeEntry(payload));
  return new Map(found.flatMap(({ origin }) => (origin ? [[origin.request, origin]] : [])));
}

function commandsIn(entries: readonly JournalEntry[]) {
  return entries.flatMap(({ payload }) => decodeEntry(payload));
}

function processOf({ processes }: LocalCluster, name: string): ProcessHere {
  const found = processes.find((one) => one.name === name);
  return found ?? assert.fail(`${name} does not run`);
}
