/** A venue with bugs planted in its engine, whose every end is expected. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { type Answer, DEMO, dataOf, MAKER, Trader } from './http-trader.ts';
import { ADMIN_TOKEN, type Program, READY_MAX_MS, readyUrl, serve } from './program.ts';
import { scratchDirectory } from './scratch.ts';

export const FAULTY_SERVER = resolve(import.meta.dirname, 'faulty-server.ts');
export const PLANTED = /planted: no balance falls below zero/;

/** One data directory over several lives of the program with the planted faults. */
export class FaultyVenue {
  readonly directory: string;
  #program: Program | undefined;
  url = '';

  constructor(context: TestContext) {
    this.directory = scratchDirectory(context);
    context.after(() => this.#program?.kill());
  }

  spawn(): Program {
    this.#program = serve({ directory: this.directory, main: FAULTY_SERVER });
    return this.#program;
  }

  async start(): Promise<Program> {
    const program = this.spawn();
    this.url = await readyUrl(program);
    return program;
  }

  async operator(method: string, path: string, body: object): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      'content-type': 'application/json',
    };
    const request = { method, headers, body: JSON.stringify(body) };
    const reply = await fetch(`${this.url}/admin/v1${path}`, request);
    const answer = JSON.parse(await reply.text());
    return { ...answer, status: reply.status, message: answer.msg, body: answer };
  }

  async index(price: string): Promise<void> {
    dataOf(await this.operator('POST', '/contracts/BTC-USD-PERP/index', { price }));
  }

  /** A price at which a planted fault ends it; whether the caller is answered is luck. */
  async fatalIndex(): Promise<void> {
    await this.index('28000').catch(() => undefined);
  }

  /** Two orders that meet in a contract. */
  async trade(symbol: string): Promise<Answer> {
    const terms = { symbol, client_oid: '', order_type: '0', match_price: '0', price: '30000' };
    const path = '/order/placeOrder';
    const maker = new Trader(this.url, MAKER);
    await maker.swapPost(path, { ...terms, size: '100', type: '2' });
    return new Trader(this.url, DEMO).swapPost(path, { ...terms, size: '100', type: '1' });
  }

  /** Ends it once when it serves and once when it starts again; the third start serves. */
  async twiceDead(): Promise<Program> {
    await this.twiceKilled();
    return this.start();
  }

  /** As far as the second end. */
  async twiceKilled(): Promise<void> {
    const first = await this.start();
    await this.trade('cmt_btcusd');
    await this.fatalIndex();
    await dies(first);
    await dies(this.spawn());
  }

  async stop(program: Program): Promise<void> {
    program.signal('SIGTERM');
    const { code, log } = await program.ended;
    assert.equal(code, 0, log);
  }
}

/** The process ends by itself, and says why. */
export async function dies(program: Program, why = PLANTED): Promise<void> {
  await program.until('end', () => program.isOver, READY_MAX_MS);
  const { code, log } = await program.ended;
  assert.notEqual(code, 0);
  assert.match(log, why);
}
