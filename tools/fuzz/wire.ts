/** HTTP over a bare socket: requests go out together, and the answers are read in their order. */
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** A day that the sandbox steps through is a day of ticks. */
const ANSWER_MAX_MS = 120_000;
const HEAD_END = '\r\n\r\n';
const CONTINUE_BELOW = 200;
const BODILESS: readonly number[] = [204, 304];

export class Line {
  readonly #socket: Socket;
  readonly #closed = Promise.withResolvers<void>();
  #held: Buffer = Buffer.alloc(0);
  #answers: Answer[] = [];
  #wantedCount = 0;
  #answered: (() => void) | undefined;
  isOpen = true;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (bytes: Buffer) => this.#hear(bytes));
    // A reset is one of the ways in which a server hangs up.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isOpen = false;
      this.#closed.resolve();
    });
  }

  /** The answers until all have come or the server has hung up. */
  async exchange(requests: readonly Buffer[]): Promise<readonly Answer[]> {
    this.#answers = [];
    this.#wantedCount = requests.length;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answered = resolve;
    const timer = setTimeout(() => this.close(), ANSWER_MAX_MS);
    this.#socket.write(Buffer.concat(requests));
    await Promise.race([promise, this.#closed.promise]);
    clearTimeout(timer);
    return this.#answers;
  }

  close(): void {
    this.#socket.destroy();
  }

  #hear(bytes: Buffer): void {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    for (;;) {
      const read = readAnswer(this.#held);
      if (read === undefined) return;
      this.#held = this.#held.subarray(read.bytesCount);
      if (read.answer.status < CONTINUE_BELOW) continue;
      this.#answers.push(read.answer);
      if (this.#answers.length === this.#wantedCount) this.#answered?.();
    }
  }
}

/** The first answer in these bytes; undefined while it is not whole. */
function readAnswer(bytes: Buffer): { answer: Answer; bytesCount: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  const status = Number(first.split(' ')[1]);
  const bodyAt = headEnd + HEAD_END.length;
  if (headers.get('transfer-encoding') === 'chunked') {
    const body = chunksOf(bytes, bodyAt);
    return body && { answer: { status, headers, text: body.text }, bytesCount: body.end };
  }
  const hasBody = status >= CONTINUE_BELOW && !BODILESS.includes(status);
  const bodyEnd = bodyAt + (hasBody ? Number(headers.get('content-length') ?? '0') : 0);
  if (bytes.length < bodyEnd) return undefined;
  const text = bytes.toString('utf8', bodyAt, bodyEnd);
  return { answer: { status, headers, text }, bytesCount: bodyEnd };
}

/** A body in chunks; undefined while the last one is missing. */
function chunksOf(bytes: Buffer, start: number): { text: string; end: number } | undefined {
  let text = '';
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    at = from + length + 2;
    if (bytes.length < at) return undefined;
    if (length === 0) return { text, end: at };
    text += bytes.toString('utf8', from, from + length);
  }
}
