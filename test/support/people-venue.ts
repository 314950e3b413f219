/** A whole server that lets people in, on a clock of the test's, and browsers that visit it. */
import { strict as assert } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { ManualClock, present } from '#kernel';
import { Operator, tokenOf } from './operator.ts';
import { ADMIN_TOKEN } from './program.ts';
import { scratchDirectory } from './scratch.ts';
import { ServerHere } from './server-here.ts';

export const START_MS = 1_795_235_652_453;
export const PASSWORD = 'four green ideas sleep';

const MARKET = `
assets:
  - { code: USDT, coinId: 2, scale: 8 }
  - { code: BTC, coinId: 1, scale: 8 }
spot:
  - symbol: BTC-USDT
    base: BTC
    quote: USDT
    priceScale: 2
    quantityScale: 4
    minQuantity: "0.0001"
    maxQuantity: "100"
    takerFee: "0.001"
    makerFee: "0.001"
    referencePrice: "30000"
    priceBand: "0.5"
`;

export type Row = Readonly<Record<string, unknown>>;

export interface Said {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
  readonly data: Row;
  readonly rows: readonly Row[];
  readonly headers: Headers;
}

interface Scope {
  after(tidyUp: () => void | Promise<void>): void;
}

interface Choices {
  /** Further sections of the configuration, as text. */
  readonly sections?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The section `people` of the configuration, line by line. */
  readonly people?: readonly string[];
  readonly rateLimits?: boolean;
  readonly sandbox?: boolean;
}

export class PeopleVenue {
  readonly clock: ManualClock;
  readonly server: ServerHere;
  operator: Operator;
  readonly #start: () => Promise<ServerHere>;

  private constructor(clock: ManualClock, server: ServerHere, start: () => Promise<ServerHere>) {
    this.clock = clock;
    this.server = server;
    this.operator = new Operator(server.url, ADMIN_TOKEN);
    this.#start = start;
  }

  /** Until the test is over, or the file. */
  static async open(context: Scope, choices: Choices = {}): Promise<PeopleVenue> {
    const { people = ['signUp: invitation'], rateLimits = false, sandbox = false } = choices;
    const { sections = '', env = {} } = choices;
    const directory = scratchDirectory(context);
    const config = join(directory, 'venue.yaml');
    const section = people.map((line) => `  ${line}\n`).join('');
    writeFileSync(config, `${MARKET}\npeople:\n${section}${sections}`);
    const clock = new ManualClock(START_MS);
    const server = new ServerHere(join(directory, 'data'), clock);
    context.after(() => server.stop());
    const start = () => server.start({ env, config, rateLimits, sandbox });
    return new PeopleVenue(clock, await start(), start);
  }

  /** Another life of it, on the same data. */
  async restart(): Promise<void> {
    await this.server.stop();
    await this.#start();
    this.operator = new Operator(this.url, ADMIN_TOKEN);
  }

  get url(): string {
    return this.server.url;
  }

  browser(): Browser {
    return new Browser(this.url);
  }

  /** A code that lets so many people in. */
  async invitation(uses = 1): Promise<string> {
    const { code, msg, data } = await this.operator.call('POST', '/invitations', { uses });
    assert.equal(code, '00000', msg);
    return String(data.code);
  }

  /** The token of the link that waits for somebody, where no mail carries it: handed out. */
  async linkOf(email: string): Promise<string> {
    return tokenOf(await this.operator.linkFor(email));
  }

  /** Somebody who has signed up by invitation, chosen a password by the link, and signed in. */
  async person(
    email: string,
    invitation?: string,
    tokenFor = (name: string) => this.linkOf(name),
  ): Promise<Browser> {
    const browser = this.browser();
    const code = invitation ?? (await this.invitation());
    await browser.done('POST', '/people/v1/sign-up', { email, invitation: code });
    await this.choose(browser, await tokenFor(email));
    await browser.signIn(email);
    return browser;
  }

  /** Chooses a password by a link. */
  async choose(browser: Browser, token: string, password = PASSWORD): Promise<void> {
    await browser.done('POST', '/people/v1/password-resets/complete', { token, password });
  }

  async advance(ms: number): Promise<void> {
    this.clock.set(this.clock.nowMs() + ms);
  }
}

/** Keeps a cookie as a browser does, sends it everywhere and shows the CSRF token of its page. */
export class Browser {
  readonly #url: string;
  cookie = '';
  csrfToken = '';
  session: Row = {};
  /** Headers of every call. */
  readonly headers: Record<string, string> = { 'user-agent': 'a browser of the tests' };

  constructor(url: string) {
    this.#url = url;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Said> {
    const sent = {
      ...this.headers,
      ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      ...(this.csrfToken === '' ? {} : { 'x-csrf-token': this.csrfToken }),
      ...(method === 'GET' ? {} : { origin: this.#url }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const answer = await fetch(this.#url + path, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) this.cookie = set.split(';', 1)[0] ?? '';
    const said: { code?: string; msg?: string; data?: Row } = await answer
      .json()
      .then((value: unknown) => (typeof value === 'object' && value !== null ? value : {}));
    const data = said.data ?? {};
    const rows = Array.isArray(data) ? data : [];
    const { status } = answer;
    return {
      ...{ status, data, rows, headers: answer.headers },
      code: String(said.code ?? ''),
      msg: said.msg ?? '',
    };
  }

  async done(method: string, path: string, body?: unknown): Promise<Said> {
    const said = await this.call(method, path, body);
    assert.equal(said.code, '00000', `${method} ${path}: ${said.msg}`);
    assert.equal(said.status, 200);
    this.#note(said.data);
    return said;
  }

  async refused(code: string, method: string, path: string, body?: unknown): Promise<Said> {
    const said = await this.call(method, path, body);
    assert.equal(said.code, code, `${method} ${path}: ${said.msg}`);
    return said;
  }

  async signIn(email: string, password = PASSWORD, code?: string): Promise<Said> {
    const asked = { email, password, ...(code === undefined ? {} : { code }) };
    return this.done('POST', '/people/v1/sessions', asked);
  }

  get accountId(): string {
    const accounts = this.session.accounts;
    assert.ok(Array.isArray(accounts));
    return String(present(accounts[0], 'first account').accountId);
  }

  get personId(): string {
    const { person } = this.session;
    assert.ok(typeof person === 'object' && person !== null && 'personId' in person);
    return String(person.personId);
  }

  /** A signed endpoint of a trading dialect, by the session. */
  trade(method: string, path: string, body?: unknown, account = this.accountId): Promise<Said> {
    return this.call(method, path, body, { 'x-outcry-account': account });
  }

  /** A stream as a page opens it. */
  stream(path: string, origin = this.#url): WebSocket {
    const url = `${this.#url.replace('http', 'ws')}${path}`;
    return new WebSocket(url, { headers: { cookie: this.cookie, origin } });
  }

  /** The CSRF token of the page goes with that of the cookie. */
  #note(data: Row): void {
    const session = typeof data.session === 'object' && data.session !== null ? data.session : data;
    if (!('csrfToken' in session)) return;
    this.session = { ...session };
    this.csrfToken = String(session.csrfToken);
  }
}
