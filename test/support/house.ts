/** A whole venue behind its HTTP interface, with journal and history in a scratch directory. */
import { strict as assert } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { type AppOptions, buildApp, HttpThreads, KeyVault } from '#api';
import { addDocsRoutes, classicDialect, currentDialect, nativeDialect } from '#dialects';
import {
  type AccountId,
  type Command,
  type Event,
  type KeyRecord,
  PERMISSIONS,
  WALLETS_DEFAULT,
  type Wallet,
  type WalletScope,
} from '#domain';
import type { HistoryReader } from '#history';
import { ManualClock, parseDecimal, present } from '#kernel';
import { LiveMarkets } from '#market-data';
import { Projection, type Venue } from '#venue';
import { historyOf } from './history-files.ts';
import { HTTP_THREADS } from './http-threads.ts';
import { LISTING_COMMANDS } from './listings.ts';
import { RealVenue } from './real-venue.ts';
import { scratchDirectory } from './scratch.ts';
import { type Credentials, signedHeaders } from './signer.ts';
import { accountSettings } from './terms.ts';

export const START_MS = 1_795_235_652_453;

export interface Trader extends Credentials {
  readonly accountId: AccountId;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  /** The parsed body; an empty object when there is none. */
  readonly body: { readonly code?: string; readonly msg?: string; readonly data?: unknown };
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly address?: string;
}

const HERE = { host: '127.0.0.1', port: 0 };

type Choices = Partial<
  Pick<
    AppOptions,
    | 'dialects'
    | 'hosts'
    | 'rateLimits'
    | 'shedLagMs'
    | 'trustedProxies'
    | 'keys'
    | 'log'
    | 'streamLimits'
    | 'faults'
    | 'compatibility'
    | 'bounds'
    | 'contact'
  >
> & { readonly httpThreads?: number };

type KeyChanges = Partial<
  Pick<KeyRecord, 'permissions' | 'ipAllowList' | 'strictReplay' | 'expiresTimeMs' | 'publicKey'>
>;

/** Whoever opened the house closes it, in an order of its own. */
const CLOSED_BY_HOUSE = { after: () => undefined };

const QUIET = {
  onProgress: () => undefined,
  onWarning: (text: string) => assert.fail(text),
  onFault: (error: Error) => assert.fail(error),
  onRecovered: () => undefined,
};

export class House {
  readonly clock: ManualClock;
  readonly venue: Venue;
  readonly vault: KeyVault;
  readonly app: FastifyInstance;
  readonly live: LiveMarkets;
  /** Told every released step after the live views, in this order. */
  readonly listeners: RealVenue['listeners'];
  readonly #httpThreads: HttpThreads | undefined;
  #origin: Promise<string> | undefined;
  readonly #real: RealVenue;
  readonly #history: HistoryReader;
  readonly #projection: Projection;

  private constructor(parts: Parts, { httpThreads = HTTP_THREADS, ...choices }: Choices) {
    this.#httpThreads =
      httpThreads > 0 ? new HttpThreads({ ...HERE, count: httpThreads }) : undefined;
    this.#real = parts.real;
    this.#history = parts.history;
    this.#projection = parts.projection;
    this.clock = parts.clock;
    this.venue = parts.real.venue;
    this.vault = parts.vault;
    this.live = parts.live;
    this.listeners = parts.real.listeners;
    this.app = buildApp({
      dialects: [classicDialect, currentDialect, nativeDialect],
      venue: this.venue,
      live: parts.live,
      history: parts.history,
      historyReady: () => parts.projection.reach(this.venue.releasedSeq),
      keys: parts.vault,
      clock: parts.clock,
      rateLimits: false,
      log: pino({ level: 'silent' }),
      trustedProxies: [],
      notReadyReason: () => this.venue.haltReason?.message,
      gauges: [],
      routes: (app) =>
        addDocsRoutes(app, {
          frame: classicDialect.frame,
          clock: parts.clock,
          rateLimits: choices.rateLimits ?? false,
        }),
      follow: (listener) => this.listeners.push(listener),
      ...(this.#httpThreads && { httpThreads: this.#httpThreads }),
      ...choices,
    });
  }

  /** A listed venue without accounts; rate limits are off unless asked for. */
  static async open(choices: Choices = {}): Promise<House> {
    const house = new House(await openParts(scratchDirectory()), choices);
    for (const command of LISTING_COMMANDS) await house.run(command);
    return house;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.#real.close();
    await this.#projection.close();
    await this.#history.close();
  }

  /** Runs a command that the venue must take. */
  async run(command: Command): Promise<readonly Event[]> {
    const events = await this.venue.submit(command);
    const [first] = events;
    assert.ok(first?.kind !== 'refused', first?.kind === 'refused' ? first.reject : '');
    return events;
  }

  /** A new account with money and a key that may do everything, unless told otherwise. */
  async trader(
    name: string,
    money: Readonly<Record<string, string>> = {},
    key: KeyChanges = {},
    wallets: WalletScope = WALLETS_DEFAULT,
  ): Promise<Trader> {
    const settings = accountSettings(name, { wallets });
    const [created] = await this.run({ kind: 'create_account', settings });
    assert.ok(created?.kind === 'account_created');
    const { accountId } = created;
    for (const [coin, amount] of Object.entries(money)) await this.deposit(accountId, coin, amount);
    return { accountId, ...(await this.addKey(accountId, `${name}-key`, key)) };
  }

  async addKey(accountId: AccountId, key: string, changes: KeyChanges = {}): Promise<Credentials> {
    const credentials = { key, secret: `${key}-secret`, passphrase: `${key}-pass` };
    const secret = changes.publicKey === undefined ? credentials.secret : '';
    const sealed = this.vault.seal({ ...credentials, secret }, 'chosen');
    const record = { key, accountId, label: '', permissions: PERMISSIONS, ipAllowList: [], sealed };
    await this.run({ kind: 'create_key', record: { ...record, ...changes } });
    return credentials;
  }

  async deposit(
    accountId: AccountId,
    coin: string,
    text: string,
    wallet: Wallet = 'spot',
  ): Promise<void> {
    const asset = present(this.live.listings.assetByCode(coin), coin);
    const amount = parseDecimal(text, asset.scale);
    assert.ok(typeof amount === 'bigint');
    await this.run({ kind: 'deposit', accountId, wallet, assetId: asset.assetId, amount });
  }

  async call(request: Request): Promise<Reply> {
    const { method = 'GET', url, headers = {}, body, address } = request;
    const reply = await Promise.resolve(
      this.app.inject({
        method,
        url,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { payload: body }),
        ...(address === undefined ? {} : { remoteAddress: address }),
      }),
    );
    const text = reply.payload;
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text,
      body: text === '' ? {} : JSON.parse(text),
    };
  }

  /** A call over a real socket, for what an injected one would tidy up; answers with its code. */
  async codeOverSocket({ method = 'GET', url, headers = {} }: Request): Promise<unknown> {
    const port = await this.port();
    const request = httpRequest({ port, method, path: url, headers, agent: false });
    request.end();
    const [reply]: IncomingMessage[] = await once(request, 'response');
    let text = '';
    for await (const part of present(reply, 'reply')) text += part;
    return JSON.parse(text).code;
  }

  /** Who has its connections. */
  get listener(): Server | HttpThreads {
    return this.#httpThreads ?? this.app.server;
  }

  /** Where it listens; from the first question on it does. */
  async port(): Promise<number> {
    this.#origin ??= this.#httpThreads?.listen() ?? this.#listen();
    return Number(new URL(await this.#origin).port);
  }

  async #listen(): Promise<string> {
    return this.app.listen({ ...HERE });
  }

  get(url: string): Promise<Reply> {
    return this.call({ url });
  }

  signedGet(who: Credentials, url: string): Promise<Reply> {
    return this.call({ url, headers: this.sign(who, 'GET', url, '') });
  }

  signedPost(who: Credentials, url: string, fields: unknown): Promise<Reply> {
    const body = JSON.stringify(fields);
    return this.call({ method: 'POST', url, body, headers: this.sign(who, 'POST', url, body) });
  }

  /** The headers of a signed request. */
  sign(who: Credentials, method: string, target: string, body: string): Record<string, string> {
    return signedHeaders(who, { method, target, body, timeMs: this.clock.nowMs() });
  }
}

interface Parts {
  readonly clock: ManualClock;
  readonly real: RealVenue;
  readonly vault: KeyVault;
  readonly live: LiveMarkets;
  readonly history: HistoryReader;
  readonly projection: Projection;
}

async function openParts(directory: string): Promise<Parts> {
  const clock = new ManualClock(START_MS);
  const vault = new KeyVault(randomBytes(32));
  const live = new LiveMarkets();
  const real = await RealVenue.open(CLOSED_BY_HOUSE, directory, { clock });
  const historyFile = join(directory, 'history.sqlite');
  const projection = new Projection(
    {
      log: { kind: 'sqlite', directory },
      history: { kind: 'sqlite', file: historyFile },
      snapshotEveryCommands: 1_000_000,
      snapshotOnCloseAfterCommands: 1_000_000,
    },
    QUIET,
  );
  await projection.caughtUp();
  real.listeners.push((step) => {
    live.apply(step);
    for (const event of step.events) vault.apply(event);
    projection.journalGrew();
  });
  const history = await historyOf(historyFile).openReader();
  return { clock, real, vault, live, history, projection };
}
