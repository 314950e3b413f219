/**
 * Hostile frames on every stream of a venue, many connections at a time: each is closed with the
 * fitting code or goes on, nobody else notices, and the venue keeps within its memory.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { DEMO_CREDENTIAL } from '#child';
import type { AttackPlan, AttackReport, Finding } from './attack.ts';
import { ANY_FRAMES, type End, type FrameCase, frame, PING } from './frames.ts';
import { FuzzVenue } from './venue.ts';

const PUBLIC = [
  '/spot/v1/stream',
  '/ws/v1',
  '/v1/ws',
  '/v3/ws/public',
  '/spot/v3/ws/public',
  '/contract/v3/ws/public',
];
const PRIVATE = ['/v3/ws/private', '/spot/v3/ws/private', '/contract/v3/ws/private'];
const SIGNED_PATH = '/v3/ws/private';
/** What is attacked: every stream of the venue. */
export const ATTACKED_STREAMS: readonly string[] = [...PUBLIC, ...PRIVATE];
const AT_ONCE = 24;
const DRAWN_AT_ONCE = 500;
/** Neither closed nor alive after this: it hangs. */
const PATIENCE_MS = 15_000;
const FINDINGS_MAX = 12;
const PROGRESS_MS = 5_000;
const FINAL = 0x80;
const PONG = 10;
const CLOSE = 8;
const MARK = 'still there?';

interface Drawn {
  readonly path: string;
  readonly one: FrameCase;
}

const ANY: fc.Arbitrary<Drawn> = fc.record({
  path: fc.constantFrom(...ATTACKED_STREAMS),
  one: ANY_FRAMES,
});

/** As `attack`, but for streams: `statuses` are the codes of closed connections, 0 of open ones. */
export async function attackStreams(plan: AttackPlan): Promise<AttackReport> {
  const { seed, requestsCount, print } = plan;
  const venue = await FuzzVenue.start();
  const findings = new Map<string, Finding>();
  const statuses = new Map<number, number>();
  const spoilt = new Map<string, number>();
  const found = (operation: string, complaint: string): void => {
    if (findings.size >= FINDINGS_MAX) return;
    findings.set(`${operation} ${complaint}`, { operation, complaint, request: undefined });
  };
  const quiet = await Stream.open(venue.port, '/spot/v1/stream');
  const cases = drawn(seed, requestsCount);
  let doneCount = 0;
  const timer = setInterval(
    () => print(`${doneCount} connections, ${findings.size} found`),
    PROGRESS_MS,
  );
  const lane = async (): Promise<void> => {
    for (const { path, one } of cases) {
      if (venue.hasEnded) return;
      const end = await endOf(venue.port, path, one);
      doneCount += 1;
      statuses.set(codeOf(end), (statuses.get(codeOf(end)) ?? 0) + 1);
      spoilt.set(one.name, (spoilt.get(one.name) ?? 0) + 1);
      const isRight = one.ends.some((right) => right === end);
      if (!isRight)
        found(`${path}: ${one.name}`, `${end} after ${one.bytes.toString('hex', 0, 60)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  clearInterval(timer);
  if (!(await quiet.isAlive())) found('a connection that did nothing', 'is no longer served');
  quiet.close();
  const { peakMb } = venue;
  for (const wrong of await venue.close()) found('the venue', wrong);
  return {
    requestsCount: doneCount,
    statuses,
    spoilt,
    neverDone: [],
    peakMb,
    findings: [...findings.values()],
  };
}

function* drawn(seed: number, wantedCount: number): Generator<Drawn> {
  for (let leftCount = wantedCount; leftCount > 0; leftCount -= DRAWN_AT_ONCE) {
    const numRuns = Math.min(leftCount, DRAWN_AT_ONCE);
    yield* fc.sample(ANY, { numRuns, seed: seed * 1_000_003 + leftCount });
  }
}

function codeOf(end: End): number {
  return typeof end === 'number' ? end : 0;
}

/** What becomes of a connection that sends this, and then whether it is still there. */
async function endOf(port: number, path: string, { name, bytes }: FrameCase): Promise<End> {
  const stream = await Stream.open(port, path);
  if (!stream.isOpen) return 'refused';
  stream.send(bytes);
  const isHalf = name === 'half a frame';
  const isAlive = isHalf ? stream.isOpen : await stream.isAlive();
  stream.close();
  if (isAlive) return 'open';
  return stream.code ?? (stream.isOpen ? 'hanging' : 'hung up on without a code');
}

/** The client's side of a WebSocket, which checks nothing that it is told to send. */
class Stream {
  readonly #socket: Socket;
  #held: Buffer = Buffer.alloc(0);
  #isUpgraded = false;
  #changed: () => void = () => undefined;
  #pongsCount = 0;
  isOpen = true;
  /** What the server closed it with. */
  code: number | undefined;

  private constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (bytes: Buffer) => {
      this.#held = Buffer.concat([this.#held, bytes]);
      this.#read();
      this.#changed();
    });
    this.#socket.on('close', () => {
      this.isOpen = false;
      this.#changed();
    });
  }

  /** Resolves once it is upgraded, or with one that is not open. */
  static async open(port: number, path: string): Promise<Stream> {
    const stream = new Stream(port);
    const key = randomBytes(16).toString('base64');
    const head = [
      `GET ${path} HTTP/1.1`,
      'host: localhost',
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-extensions: permessage-deflate',
      `sec-websocket-key: ${key}`,
      ...(PRIVATE.includes(path) ? login() : []),
    ];
    stream.send(Buffer.from(`${head.join('\r\n')}\r\n\r\n`));
    await stream.#until(() => stream.#isUpgraded);
    return stream;
  }

  send(bytes: Buffer): void {
    if (this.isOpen) this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Whether a ping is answered. */
  async isAlive(): Promise<boolean> {
    const { isOpen } = this;
    this.send(frame({ head: FINAL | PING, payload: MARK }));
    const before = this.#pongsCount;
    if (isOpen) await this.#until(() => this.#pongsCount > before || this.code !== undefined);
    return this.isOpen && this.code === undefined && this.#pongsCount > before;
  }

  /** Until this holds, the server hangs up, or nothing has come for long. */
  async #until(holds: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE_MS);
    this.#changed = () => {
      if (holds() || !this.isOpen) resolve();
    };
    this.#changed();
    await promise;
    clearTimeout(timer);
  }

  #read(): void {
    if (!this.#isUpgraded) {
      const end = this.#held.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.#isUpgraded = this.#held.toString('latin1', 0, 12) === 'HTTP/1.1 101';
      this.#held = this.#held.subarray(end + 4);
    }
    for (let whole = firstFrame(this.#held); whole !== undefined; whole = firstFrame(this.#held)) {
      const { opcode, payload, bytesCount } = whole;
      this.#held = this.#held.subarray(bytesCount);
      if (opcode === PONG && payload.toString() === MARK) this.#pongsCount += 1;
      if (opcode === CLOSE) this.code = payload.length >= 2 ? payload.readUInt16BE() : 1005;
    }
  }
}

function payloadBytes(bytes: Buffer, short: number): number {
  if (short < 126) return short;
  return short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
}

/** A frame of the server, which masks nothing. */
function firstFrame(bytes: Buffer) {
  if (bytes.length < 2) return undefined;
  const opcode = bytes.readUInt8(0) & 0x0f;
  const short = bytes.readUInt8(1) & 0x7f;
  const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < headBytes) return undefined;
  const bytesCount = headBytes + payloadBytes(bytes, short);
  if (bytes.length < bytesCount) return undefined;
  return { opcode, payload: bytes.subarray(headBytes, bytesCount), bytesCount };
}

function login(): string[] {
  const { key, secret, passphrase } = DEMO_CREDENTIAL;
  const timestamp = String(Date.now());
  const sign = createHmac('sha256', secret)
    .update(timestamp + SIGNED_PATH)
    .digest('base64');
  return [
    `access-key: ${key}`,
    `access-passphrase: ${passphrase}`,
    `access-timestamp: ${timestamp}`,
    `access-sign: ${sign}`,
  ];
}
