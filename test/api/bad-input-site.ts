/**
 * A server under attack: calls it over a real socket, signed as the endpoint wants it, and takes a
 * fingerprint of everything that a refused call must leave as it was.
 */
import { strict as assert } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { mock } from 'node:test';
import Value from 'typebox/value';
import type { Endpoint } from '#api';
import { currentReject, formatId, houseReject } from '#dialects';
import {
  type AccountId,
  type Command,
  type Event,
  lots,
  REJECTS,
  type RejectKind,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { symbolOf } from '../support/markets.ts';
import { spotOrder } from '../support/orders.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { type ServerHere, startHere } from '../support/server-here.ts';
import { demoCredentials, signedHeaders } from '../support/signer.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Call {
  readonly method: string;
  /** Path and query as they go over the wire. */
  readonly target: string;
  readonly body?: string | Buffer | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without its length in front. */
  readonly chunked?: boolean;
}

const PAIR = 'BTCUSDT_SPBL';
/** Refused for who asks: then the rest of the call was not even looked at. */
const DOOR_CODES = /^(4000[1-689]|4001[1-48]|60121|-104[0-46-9]|-105[026])$/;
/** What every command moves: the version of the dump, its sequence number and its time. */
const HEADER = /^\["outcry",\d+,\d+,\d+,/;

/** Every code with the status it comes with. */
const DOCUMENTED = new Set(
  (Object.keys(REJECTS) as RejectKind[]).flatMap((kind) => {
    const [classic, { code, contract, status }] = [houseReject(kind), currentReject(kind)];
    const current = [code, contract?.code ?? code].map((known) => `${status} ${known}`);
    return [`${classic.status} ${classic.code}`, ...current];
  }),
);

/** Paths of the current interface, which has no frame around its answers. */
const CURRENT_PATH = /^\/c?api\/v3\//;
const NATIVE_PATH = /^\/v1\//;
const BARE_PATH = /^\/(c?api\/v3|v1)\//;
/** What says that a good signature was not enough. */
const NATIVE_DOOR = /^(key|signature|passphrase|timestamp|credentials|permission|address)_/;

export class Site {
  readonly server: ServerHere;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #placedCount = 0;
  #last = { seq: -1, fingerprint: '' };
  /** Calls since then that must have changed nothing: a look after each is most of the work. */
  readonly #unproven: string[] = [];

  private constructor(server: ServerHere) {
    this.server = server;
  }

  /** Time passes in the venue by commands, which would look like changes made by the calls. */
  static async open(): Promise<Site> {
    mock.timers.enable({ apis: ['setInterval'] });
    return new Site(await startHere({ sandbox: true }));
  }

  /** Fails if the server has met a fault of its own. */
  async close(): Promise<void> {
    await this.prove();
    this.#agent.destroy();
    await this.server.close();
    mock.timers.reset();
  }

  /** Calls with the headers that this kind of endpoint wants. */
  call(permission: Endpoint['permission'], call: Call): Promise<Answer> {
    const headers = { ...this.#credentials(permission, call), ...call.headers };
    return this.send({ ...call, headers });
  }

  #credentials(permission: Endpoint['permission'], call: Call): Record<string, string> {
    if (permission === 'none') return {};
    if (permission === 'operator') return { authorization: `Bearer ${ADMIN_TOKEN}` };
    return sign(call);
  }

  /**
   * Calls, and fails if the server is at fault, if a good signature was not enough to be heard, or
   * if a refusal or a read has changed anything. Of calls in a row that may not be taken the last
   * one says that for all: `prove`, which whatever else changes the state does first.
   */
  async attack(
    permission: Endpoint['permission'],
    call: Call,
    what: string,
    mayBeTaken = true,
  ): Promise<Answer> {
    const { venue } = this.server;
    const isRead = permission === 'none' || permission === 'read';
    if (mayBeTaken && !isRead) await this.prove();
    if (this.#last.seq !== venue.appliedSeq) {
      assert.deepEqual(this.#unproven, [], `a command came before ${what}`);
      await this.#look();
    }
    const answer = await this.call(permission, call);
    if (answer.status !== 200) {
      assert.doesNotMatch(assertRefusal(answer, what, call.target), DOOR_CODES, what);
    }
    const isDone = answer.status === 200 && !isFailure(answer);
    if (isDone && !isRead) {
      assert.ok(mayBeTaken, `${what} was taken: ${answer.text}`);
      return answer;
    }
    this.#unproven.push(what);
    if (this.#last.seq !== venue.appliedSeq) await this.prove();
    return answer;
  }

  /** Runs a command beside the calls. */
  async submit(command: Command): Promise<readonly Event[]> {
    await this.prove();
    return this.server.venue.submit(command);
  }

  /** Fails if a call that must have changed nothing has. */
  async prove(): Promise<void> {
    const calls = this.#unproven.splice(0);
    if (calls.length === 0) return;
    const { fingerprint: before } = this.#last;
    assert.equal(await this.#look(), before, `the state was changed by ${calls.join(' or ')}`);
  }

  /** Sends a call as it is. */
  send({ method, target, body, headers, chunked }: Call): Promise<Answer> {
    const { port } = this.server;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const length = chunked === true ? {} : { 'content-length': Buffer.byteLength(body ?? '') };
    const options = { port, host: '127.0.0.1', method, path: target, agent: this.#agent };
    const sent = httpRequest({ ...options, headers: { ...length, ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }

  /** The hash of the engine's whole state but its command counter and clock. */
  async fingerprint(): Promise<string> {
    await this.prove();
    return this.#look();
  }

  #look(): Promise<string> {
    return this.server.venue.read((state) => {
      assert.ok(state instanceof Engine);
      const hash = createHash('sha256');
      const [header = '', ...rows] = state.dump();
      assert.match(header, HEADER);
      hash.update([header.replace(HEADER, ''), ...rows].join('\n'));
      this.#last = { seq: state.seq, fingerprint: hash.digest('base64') };
      return this.#last.fingerprint;
    });
  }

  /** What its owner calls the newest order placed here: an id is good for one order. */
  get mine(): string {
    return `mine-${this.#placedCount}`;
  }

  /** The id of an open order of the demo account, placed if there is none. */
  restingOrder(): Promise<string> {
    return this.orderOf('demo');
  }

  /** As restingOrder, of another account. */
  async orderOf(name: string): Promise<string> {
    const owner = await this.accountId(name);
    const found = await this.#openId(owner);
    if (found !== undefined) return formatId(found);
    await this.#placeOrder(owner);
    return formatId(present(await this.#openId(owner), 'resting order'));
  }

  #openId(owner: AccountId): Promise<number | undefined> {
    return this.server.venue.read((state) => state.openOrderByClientId(owner, this.mine)?.orderId);
  }

  async #placeOrder(owner: AccountId): Promise<void> {
    this.#placedCount += 1;
    const pair = await this.server.venue.read(({ listings }) =>
      present(listings.spotBySymbol(symbolOf(PAIR)), PAIR),
    );
    const [first] = await this.submit(
      spotOrder({
        accountId: owner,
        instrumentId: pair.instrumentId,
        side: 'buy',
        priceTicks: ticks(100),
        sizeLots: lots(10_000),
        clientOrderId: this.mine,
      }),
    );
    assert.equal(first?.kind, 'order_accepted');
  }

  accountId(name: string): Promise<AccountId> {
    return this.server.venue.read((state) => present(state.accountByName(name), name).accountId);
  }
}

/** The headers of a call signed by the demo account, over exactly the bytes that are sent. */
export function sign(call: Call): Record<string, string> {
  return signedHeaders(demoCredentials('demo'), call);
}

/** Fails unless this is a refusal as documented, by the caller's fault; resolves with its code. */
export function assertRefusal(answer: Answer, what: string, target = ''): string {
  const shown = `${what}: ${answer.status} ${answer.text.slice(0, 300)}`;
  assert.match(String(answer.headers['content-type']), /^application\/json/, shown);
  const body = JSON.parse(answer.text);
  if (NATIVE_PATH.test(target)) return assertNativeRefusal(answer, body, shown);
  if (CURRENT_PATH.test(target)) {
    assert.deepEqual(Object.keys(body), ['code', 'msg'], shown);
    assert.ok(Number.isInteger(body.code) && body.code < 0, shown);
  } else {
    assert.deepEqual(Object.keys(body), ['code', 'msg', 'message', 'requestTime', 'data'], shown);
    assert.match(body.code, /^[0-9]+$/, shown);
    assert.deepEqual([body.message, body.data], [body.msg, null], shown);
  }
  assert.ok(answer.status >= 400 && answer.status < 500, shown);
  assert.ok(DOCUMENTED.has(`${answer.status} ${body.code}`), shown);
  assert.match(body.msg, /^[ -~]{1,300}$/, shown);
  return String(body.code);
}

function assertNativeRefusal({ status }: Answer, body: object, shown: string): string {
  assert.deepEqual(Object.keys(body), ['error'], shown);
  const { error } = body as { readonly error: Readonly<Record<string, string>> };
  const { kind = '', message = '', hint = '' } = error;
  assert.deepEqual(Object.keys(error), ['kind', 'message', 'figures', 'hint'], shown);
  assert.ok(Object.hasOwn(REJECTS, kind), shown);
  assert.ok(status >= 400 && status < 500, shown);
  assert.match(message, /^[ -~]{1,300}$/, shown);
  assert.match(hint, /^[ -~]{1,200}\.$/, shown);
  return NATIVE_DOOR.test(kind) ? '40012' : kind;
}

/** A contract cancel that found nothing to cancel is answered, not refused. */
function isFailure({ text }: Answer): boolean {
  return text.includes('"result":false') && JSON.parse(text).result === false;
}

/** Fails unless the call succeeded as its table row promises; resolves with its data. */
export function promisedData(endpoint: Endpoint, answer: Answer, what: string): unknown {
  if (endpoint.isFile === true) return promisedFile(answer, what);
  const isBare = endpoint.bare === true || BARE_PATH.test(endpoint.path);
  const data = isBare ? bareData(answer, what) : successData(answer, what);
  assert.deepEqual([...Value.Errors(endpoint.response, data)], [], what);
  return data;
}

function promisedFile(answer: Answer, what: string): string {
  assert.equal(answer.status, 200, `${what}: ${answer.text.slice(0, 300)}`);
  assert.match(String(answer.headers['content-type']), /^text\/csv/, what);
  return answer.text;
}

/** Fails unless the call succeeded and its body is the data alone. */
function bareData(answer: Answer, what: string): unknown {
  assert.equal(answer.status, 200, `${what}: ${answer.text.slice(0, 300)}`);
  const body = JSON.parse(answer.text);
  assert.equal(Object.hasOwn(body, 'msg'), false, what);
  // Some answers say that they are one.
  assert.ok(body.code === undefined || body.code === '200', what);
  return body;
}

/** Fails unless the call succeeded; resolves with its data. */
export function successData(answer: Answer, what: string): unknown {
  assert.equal(answer.status, 200, `${what}: ${answer.text.slice(0, 300)}`);
  const body = JSON.parse(answer.text);
  assert.equal(body.code, '00000', what);
  return body.data;
}
