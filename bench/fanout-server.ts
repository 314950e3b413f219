/**
 * The two servers of the fan-out benchmark, each in a process of its own: the streams of the API
 * over an engine without journal, and a bare `ws` broadcast. Told by messages what to do.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { pino } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { type KeyRegistry, STREAM_LIMITS } from '#api';
import { Authenticator, Frames, Streams } from '#api/testing';
import { classicDialect } from '#dialects';
import {
  accountId,
  instrumentId,
  lots,
  type Side,
  type Step,
  ticks,
  type VenuePort,
} from '#domain';
import { Engine } from '#engine';
import { LiveMarkets } from '#market-data';
import { setupCommands } from './engine.ts';

const NO_KEYS: KeyRegistry = {
  lookup: () => undefined,
  isFrozen: () => false,
  sign: () => 'new',
};

export interface FanoutAnswer {
  readonly port: number;
  readonly memoryBytes: number;
}

/** Levels of each side before the first update: as many as the stream shows. */
const LEVELS = 200;
const MIDDLE_TICKS = 3_000_000;
const TIME_MS = 1_795_235_652_453;

interface Broadcaster {
  readonly port: number;
  update(): void;
}

/** A real book, one order more at each update, told through the streams of the API. */
async function startOurs(): Promise<Broadcaster> {
  const engine = Engine.empty();
  const live = new LiveMarkets();
  const followers: ((step: Step) => void)[] = [];
  const apply = (command: Parameters<Engine['apply']>[0]): void => {
    const step = engine.apply(command, TIME_MS);
    live.apply(step);
    for (const follower of followers) follower(step);
  };
  for (const command of setupCommands(1)) apply(command);
  const order = (side: Side, away: number) =>
    ({
      kind: 'place_spot_order',
      accountId: accountId(1),
      instrumentId: instrumentId(0),
      side,
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(MIDDLE_TICKS + (side === 'buy' ? -away : away)),
      sizeLots: lots(100),
    }) as const;
  for (let away = 1; away <= LEVELS; away += 1) {
    apply(order('buy', away));
    apply(order('sell', away));
  }
  const port = await serve(live, engine, (follower) => followers.push(follower));
  let count = 0;
  const update = () => {
    count += 1;
    apply(order('buy', 1 + (count % LEVELS)));
    assert(engine.seq === live.seq, 'the view follows the engine');
  };
  return { port, update };
}

async function serve(
  live: LiveMarkets,
  engine: Engine,
  follow: (follower: (step: Step) => void) => void,
): Promise<number> {
  const venue: VenuePort = {
    submit: () => Promise.resolve([]),
    onApplied: () => undefined,
    read: (query) => Promise.resolve(query(engine)),
    releasedSeq: 0,
    isCrowded: false,
    hasWork: false,
  };
  const app = Fastify({ logger: false });
  const clock = { nowMs: () => TIME_MS };
  const history = { newestFills: async () => [], contractFills: async () => [] };
  const services = { venue, live, clock, history, historyReady: () => Promise.resolve() };
  const streams = new Streams({
    streams: classicDialect.streams(services),
    frames: new Frames([classicDialect]),
    venue,
    auth: new Authenticator(NO_KEYS, false),
    clock,
    rateLimits: false,
    log: pino({ level: 'silent' }),
    trustedProxies: [],
    doors: { hosts: undefined, isOperators: undefined },
    follow,
    streamLimits: { ...STREAM_LIMITS, updateIntervalMs: 0 },
  });
  streams.install(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return portOf(app.server.address());
}

/** As many bytes as ours, made once per update and sent to every socket as text. */
async function startBare(): Promise<Broadcaster> {
  const http = createServer();
  const sockets = new Set<WebSocket>();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  const arg = { instType: 'SP', channel: 'books', instId: 'BTCUSDT' };
  const push = (action: string, count: number) =>
    JSON.stringify({
      action,
      arg,
      data: [{ asks: [], bids: [['29999.99', String(count)]], checksum: count, ts: `${TIME_MS}` }],
      seq: count,
    });
  server.on('connection', (socket) => {
    socket.on('message', () => {
      sockets.add(socket);
      socket.send(push('snapshot', 0));
    });
  });
  http.listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  let count = 1_000_000_000;
  const update = () => {
    count += 1;
    const text = push('update', count);
    for (const socket of sockets) socket.send(text);
  };
  return { port: portOf(http.address()), update };
}

function portOf(address: AddressInfo | string | null): number {
  assert(typeof address === 'object' && address !== null);
  return address.port;
}

function answer(port: number): void {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const told: FanoutAnswer = { port, memoryBytes: heapUsed + external };
  process.send?.(told);
}

if (import.meta.main) {
  const { port, update } = process.argv[2] === 'ours' ? await startOurs() : await startBare();
  process.on('message', ({ kind }: { kind: 'update' | 'memory' }) => {
    if (kind === 'update') update();
    else answer(port);
  });
  process.on('disconnect', () => process.exit());
  answer(port);
}
