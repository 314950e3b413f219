/** The projector's side of the venue: the history follows the journal without being asked twice. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  accountId,
  type Command,
  encodeCommand,
  instrumentId,
  joinCommands,
  orderId,
} from '#domain';
import type { Journal } from '#log';
import { Projection } from '#venue';
import { Floor, START_MS } from '../support/floor.ts';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';

const COMMANDS_PER_ENTRY = 2_048;
/** The projector tells its progress once it is beyond this command. */
const PROGRESS_COMMANDS = 50_000;
const ORDERS = 10_000;
const DEADLINE_MS = 10_000;
/** The projector's own patience with a database that does not answer is three seconds. */
const LATE_MAX_MS = 1_500;

const directory = scratchDirectory();

/** Cancels of nothing, which the history need not hold, then trades that keep it busy. */
function longSession(): Command[] {
  const venue = Floor.listed();
  const alice = venue.open('alice', { USDT: '100000000', BTC: '10' });
  const bob = venue.open('bob', { USDT: '10', BTC: '100000' });
  const opening = venue.commands.length;
  for (let number = 0; number < ORDERS; number += 2) {
    venue.limit(alice, 'buy', '100', '0.01');
    venue.limit(bob, 'sell', '100', '0.01');
  }
  const commands = venue.commands.map(({ command }) => command);
  const nothing = {
    kind: 'cancel_spot_order',
    accountId: accountId(1),
    instrumentId: instrumentId(0),
    orderId: orderId(1),
  } as const;
  const cancels = Array.from({ length: PROGRESS_COMMANDS }, () => nothing);
  return [...commands.slice(0, opening), ...cancels, ...commands.slice(opening)];
}

async function append(journal: Journal, commands: readonly Command[]): Promise<void> {
  const { lastSeq } = journal;
  const appended: Promise<void>[] = [];
  for (let at = 0; at < commands.length; at += COMMANDS_PER_ENTRY) {
    const part = commands.slice(at, at + COMMANDS_PER_ENTRY);
    const texts = part.map((command) => encodeCommand(START_MS, command));
    appended.push(journal.append(lastSeq + at + 1, texts.length, joinCommands(texts)));
  }
  await Promise.all(appended);
}

test('what is journaled while the projector is busy is projected without being told', async () => {
  const journal = await logOf(directory).openWriter();
  const halfway = Promise.withResolvers<void>();
  const projection = new Projection(
    {
      log: { kind: 'sqlite', directory },
      history: { kind: 'sqlite', file: join(directory, 'history.sqlite') },
      snapshotEveryCommands: Number.MAX_SAFE_INTEGER,
      snapshotOnCloseAfterCommands: Number.MAX_SAFE_INTEGER,
    },
    {
      onProgress: () => halfway.resolve(),
      onWarning: (text) => assert.fail(text),
      onFault: (error) => halfway.reject(error),
      onRecovered: () => assert.fail('there was no fault'),
    },
  );
  try {
    await projection.caughtUp();
    const commands = longSession();
    await append(journal, commands.slice(0, -1));
    projection.journalGrew();
    await halfway.promise;
    await append(journal, commands.slice(-1));
    projection.journalGrew();
    const giveUpMs = performance.now() + DEADLINE_MS;
    while (projection.projectedSeq < commands.length && performance.now() < giveUpMs) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(projection.projectedSeq, commands.length);
  } finally {
    await projection.close();
    await journal.close();
  }
});

test('a projector that was started again ends with its projection', async () => {
  const held = Promise.withResolvers<Socket>();
  let connections = 0;
  // A database that is away, and does not answer when it is back.
  const database = createServer((socket) => {
    socket.on('error', () => undefined);
    connections += 1;
    if (connections === 1) socket.destroy();
    else held.resolve(socket);
  }).listen(0, '127.0.0.1');
  await once(database, 'listening');
  const address = database.address();
  assert.ok(typeof address === 'object' && address !== null);
  const place = scratchDirectory();
  const journal = await logOf(place).openWriter();
  const projection = new Projection(
    {
      log: { kind: 'sqlite', directory: place },
      history: { kind: 'postgres', url: `postgres://outcry@127.0.0.1:${address.port}/outcry` },
      snapshotEveryCommands: Number.MAX_SAFE_INTEGER,
      snapshotOnCloseAfterCommands: Number.MAX_SAFE_INTEGER,
    },
    {
      onProgress: () => undefined,
      onWarning: (text) => assert.fail(text),
      onFault: () => undefined,
      onRecovered: () => assert.fail('it has not answered'),
    },
  );
  try {
    const socket = await held.promise;
    const closed = once(socket.resume(), 'close');
    await assert.rejects(projection.close());
    const endMs = performance.now();
    await closed;
    const lateMs = performance.now() - endMs;
    assert.ok(lateMs < LATE_MAX_MS, `its connection is closed after ${lateMs} ms`);
  } finally {
    await journal.close();
    database.close();
  }
});
