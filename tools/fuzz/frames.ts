/** What hostile programs put on an open WebSocket, and what may become of the connection then. */
import fc from 'fast-check';

/** RFC 6455, section 7.4.1. */
const PROTOCOL_ERROR = 1002;
const NOT_TEXT = 1003;
const BAD_TEXT = 1007;
const POLICY = 1008;
const TOO_LONG = 1009;
const NORMAL = 1000;

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
export const PING = 9;
const FINAL = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
/** What one message may have, and far more. */
const LIMIT = 16_384;

export interface FrameCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly ends: readonly End[];
}

/** The code that a connection is closed with, or what else becomes of it. */
export type End = number | 'open' | 'refused' | 'hung up on without a code' | 'hanging';

interface FrameOptions {
  /** The first byte: FINAL, reserved bits and the opcode. */
  readonly head: number;
  readonly payload?: Buffer | string;
  readonly isMasked?: boolean;
}

const MASK = Buffer.from([0x12, 0x34, 0x56, 0x78]);

/** A frame as a client sends it. */
export function frame({ head, payload = '', isMasked = true }: FrameOptions): Buffer {
  const content = Buffer.from(payload);
  const masked = content.map((byte, at) => byte ^ (MASK[at % MASK.length] ?? 0));
  const length = lengthOf(content.length, isMasked);
  return Buffer.concat([Buffer.from([head]), length, ...(isMasked ? [MASK, masked] : [content])]);
}

function lengthOf(bytesCount: number, isMasked: boolean): Buffer {
  const bit = isMasked ? 0x80 : 0;
  if (bytesCount < LENGTH_16) return Buffer.from([bit | bytesCount]);
  const long = Buffer.alloc(bytesCount < 65_536 ? 3 : 9);
  long[0] = bit | (long.length === 3 ? LENGTH_16 : LENGTH_64);
  if (long.length === 3) long.writeUInt16BE(bytesCount, 1);
  else long.writeBigUInt64BE(BigInt(bytesCount), 1);
  return long;
}

const text = (payload: Buffer | string): Buffer => frame({ head: FINAL | TEXT, payload });
const close = (code: number, reason: Buffer | string = ''): Buffer => {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return frame({ head: FINAL | CLOSE, payload: Buffer.concat([head, Buffer.from(reason)]) });
};
const BAD_UTF8: Buffer = Buffer.from([0x22, 0xc3, 0x28, 0xff, 0xfe, 0xed, 0xa0, 0x80]);

type Ends = FrameCase['ends'];
const OPEN: Ends = ['open'];
const BROKEN: Ends = [PROTOCOL_ERROR];
/** What is refused in words: too many of these end the connection. */
const REFUSED: Ends = ['open', POLICY, BAD_TEXT];

function cases(name: string, ends: Ends, bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<FrameCase> {
  return bytes.map((one) => ({ name, ends, bytes: one }));
}

function oneOf(name: string, ends: Ends, ...list: readonly Buffer[]): fc.Arbitrary<FrameCase> {
  return cases(name, ends, fc.constantFrom(...list));
}

/** A message in pieces, with what else comes between them. */
function pieces(
  payload: Buffer | string,
  count: number,
  between: Buffer = Buffer.alloc(0),
): Buffer {
  const content = Buffer.from(payload);
  const size = Math.ceil(content.length / count);
  const frames = Array.from({ length: count }, (_, at) => {
    const isLast = at === count - 1;
    const head = (at === 0 ? TEXT : 0) | (isLast ? FINAL : 0);
    return frame({
      head,
      payload: content.subarray(at * size, isLast ? undefined : (at + 1) * size),
    });
  });
  return Buffer.concat(frames.flatMap((one, at) => (at === 0 ? [one] : [between, one])));
}

const ping = frame({ head: FINAL | PING, payload: 'here?' });

const WRONG_FRAMES: readonly fc.Arbitrary<FrameCase>[] = [
  cases(
    'not masked',
    BROKEN,
    fc.string().map((payload) => frame({ head: FINAL | TEXT, payload, isMasked: false })),
  ),
  oneOf(
    'reserved bits',
    BROKEN,
    ...[0x40, 0x20, 0x10, 0x70].map((bits) => frame({ head: FINAL | bits | TEXT, payload: '{}' })),
  ),
  oneOf(
    'unknown opcode',
    BROKEN,
    ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((code) => frame({ head: FINAL | code })),
  ),
  oneOf('a middle without a start', BROKEN, frame({ head: FINAL, payload: 'x' })),
  oneOf('a start within a message', BROKEN, Buffer.concat([frame({ head: TEXT }), text('x')])),
  oneOf('a control frame in pieces', BROKEN, frame({ head: PING }), frame({ head: CLOSE })),
  oneOf(
    'a control frame too long',
    BROKEN,
    frame({ head: FINAL | PING, payload: 'x'.repeat(126) }),
    frame({ head: FINAL | CLOSE, payload: Buffer.alloc(70_000) }),
  ),
  oneOf('half a code', BROKEN, frame({ head: FINAL | CLOSE, payload: 'x' })),
  oneOf(
    'a code that is none',
    BROKEN,
    ...[0, 999, 1004, 1005, 1006, 1015, 2_999, 5_000, 65_535].map((code) => close(code)),
  ),
  oneOf('a reason that is no UTF-8', [BAD_TEXT], close(NORMAL, BAD_UTF8)),
  oneOf('a proper end', [NORMAL], close(NORMAL), close(NORMAL, 'bye')),
  oneOf('no UTF-8', [BAD_TEXT], text(BAD_UTF8), pieces(BAD_UTF8, 4)),
  oneOf('binary', [NOT_TEXT, 'open'], frame({ head: FINAL | BINARY, payload: BAD_UTF8 })),
  oneOf(
    'too long',
    [TOO_LONG],
    text('x'.repeat(LIMIT + 1)),
    text('x'.repeat(3_000_000)),
    pieces('x'.repeat(LIMIT + 1), 50),
    // Announced, and never sent.
    Buffer.from([FINAL | TEXT, 0xff, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, ...MASK]),
    Buffer.from([FINAL | TEXT, 0xff, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, ...MASK]),
    Buffer.from([FINAL | TEXT, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, ...MASK]),
  ),
  // A bomb of zeros, for whoever takes compressed messages without having agreed to.
  oneOf(
    'compressed',
    BROKEN,
    frame({ head: FINAL | 0x40 | TEXT, payload: Buffer.from('c1010000008090fe', 'hex') }),
  ),
];

const WORD = fc.constantFrom(
  ...['op', 'args', 'subscribe', 'unsubscribe', 'login', 'event', 'channel', 'method', 'params'],
  ...['SUBSCRIBE', 'UNSUBSCRIBE', 'PING', 'id', '__proto__', 'constructor', 'books', 'BTCUSDT'],
  ...['BTCUSDT@depth15', 'cmt_btcusdt', 'instType', 'instId', 'sp', 'default', 'orders', 'account'],
);
const ODD_JSON = fc.oneof(
  fc.dictionary(WORD, fc.oneof(WORD, fc.jsonValue({ maxDepth: 3 })), { maxKeys: 5 }),
  fc.jsonValue({ maxDepth: 4 }),
);

function longList(count: number): Buffer {
  const args = Array.from({ length: count }, (_, at) => ({ channel: 'books', instId: `X${at}` }));
  return text(JSON.stringify({ op: 'subscribe', args }).slice(0, LIMIT));
}

const ODD_TEXT: readonly fc.Arbitrary<FrameCase>[] = [
  cases(
    'odd JSON',
    REFUSED,
    ODD_JSON.map((value) => text(JSON.stringify(value))),
  ),
  cases('no JSON', REFUSED, fc.string({ unit: 'binary', maxLength: 300 }).map(text)),
  oneOf(
    'deep JSON',
    REFUSED,
    text('['.repeat(LIMIT)),
    text('{"a":'.repeat(3_000)),
    text(`${'['.repeat(8_000)}${']'.repeat(8_000)}`),
  ),
  oneOf('a huge number', REFUSED, text(`{"op":${'9'.repeat(10_000)}}`), text('{"id":1e999}')),
  oneOf(
    'a long list of topics',
    REFUSED,
    longList(200),
    longList(1_000),
    text(JSON.stringify({ method: 'SUBSCRIBE', params: Array(1_500).fill('x@y'), id: 1 })),
  ),
  cases(
    'in pieces, with pings between',
    OPEN,
    fc.integer({ min: 2, max: 60 }).map((count) => pieces('"'.repeat(100), count, ping)),
  ),
  oneOf('empty pieces', REFUSED, pieces('', 500), pieces('', 15_000)),
  // The library cuts off whoever has sixty unanswered, which is what bounds their memory.
  oneOf(
    'a flood of pings',
    ['hung up on without a code'],
    ...[100, 2_000, 20_000].map((count) => Buffer.concat(Array(count).fill(ping))),
  ),
  oneOf('a flood of messages', REFUSED, Buffer.concat(Array(300).fill(text('{}')))),
];

/** Anything may become of these, as long as it ends well. */
const ANY_END: Ends = ['open', NORMAL, PROTOCOL_ERROR, NOT_TEXT, BAD_TEXT, POLICY, TOO_LONG];
const DRAWN: readonly fc.Arbitrary<FrameCase>[] = [
  cases(
    'bytes at random',
    ANY_END,
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  ),
  cases(
    'a frame with a byte changed',
    ANY_END,
    fc.tuple(ODD_JSON, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
      const bytes = text(JSON.stringify(value));
      bytes[at % bytes.length] = byte;
      return bytes;
    }),
  ),
  cases(
    'half a frame',
    OPEN,
    fc.nat(90).map((length) => text('x'.repeat(100)).subarray(0, 8 + length)),
  ),
];

export const ANY_FRAMES: fc.Arbitrary<FrameCase> = fc.oneof(
  ...[...WRONG_FRAMES, ...ODD_TEXT, ...DRAWN],
);
