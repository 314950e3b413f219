/** A market maker of one market over a real venue, and a user beside it. */
import { strict as assert } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type AccountId, type Command, type Event, LIMITS } from '#domain';
import { present } from '#kernel';
import { type Ladder, MarketMaker, type MarketMakerOptions } from '#simulation';
import type { RealVenue } from '../support/real-venue.ts';
import { accountSettings, assetSpec } from '../support/terms.ts';

const WAIT_MAX_MS = 5_000;
/** A fifth of what it is outside of tests. */
const PASS_INTERVAL_MS = 20;
const QUIET_MS = 6 * PASS_INTERVAL_MS;

const SETTINGS = { openOrdersMax: LIMITS.accountOpenOrdersMax };

/** What a venue needs before the market of a test can be listed and traded. */
const OPENING: readonly Command[] = [
  { kind: 'list_asset', spec: assetSpec(1, 'BTC') },
  { kind: 'list_asset', spec: assetSpec(2, 'USDT') },
  { kind: 'create_account', settings: accountSettings('user', SETTINGS) },
  { kind: 'create_account', settings: accountSettings('liquidity', SETTINGS) },
];

export abstract class QuotedMarket {
  readonly real: RealVenue;
  readonly warnings: string[] = [];
  readonly user: AccountId;
  readonly maker: AccountId;
  readonly #ladder: Ladder;
  #quoter: MarketMaker;

  /** It is closed with the test. */
  constructor(context: TestContext, real: RealVenue, ladder: Ladder, accounts: Accounts) {
    this.real = real;
    this.#ladder = ladder;
    [this.user, this.maker] = accounts;
    this.#quoter = this.#newQuoter();
    real.listeners.push((step) => this.#quoter.onStep(step));
    context.after(() => this.close());
  }

  /** The market maker's quotes, best first on each side, buying ones before. */
  abstract quotes(): Promise<string[]>;

  start(): Promise<void> {
    return this.#quoter.start();
  }

  /** Another one in its place, that somebody else drives along a path. */
  follow(pathTicks: () => number): MarketMaker {
    void this.#quoter.stop();
    this.#quoter = this.#newQuoter({ pathTicks });
    return this.#quoter;
  }

  /** As after a crash of the market maker only: its orders stay, its memory is gone. */
  async restart(): Promise<void> {
    await this.#quoter.stop();
    this.#quoter = this.#newQuoter();
    await this.#quoter.start();
  }

  async close(): Promise<void> {
    await this.#quoter.stop();
    await this.real.close();
  }

  async submit(command: Command): Promise<Event> {
    const [event] = await this.real.venue.submit(command);
    return present(event, 'event');
  }

  async untilQuotes(wanted: readonly string[]): Promise<void> {
    const deadlineMs = performance.now() + WAIT_MAX_MS;
    let quotes = await this.quotes();
    while (quotes.join() !== wanted.join() && performance.now() < deadlineMs) {
      await delay(10);
      quotes = await this.quotes();
    }
    assert.deepEqual(quotes, wanted);
  }

  /** Asserts that nothing at all reaches the journal for several of its intervals. */
  async staysQuiet(): Promise<void> {
    const { releasedSeq } = this.real.venue;
    await delay(QUIET_MS);
    assert.equal(this.real.venue.releasedSeq, releasedSeq);
  }

  #newQuoter(more: Pick<MarketMakerOptions, 'pathTicks'> = {}): MarketMaker {
    return new MarketMaker({
      venue: this.real.venue,
      accountName: 'liquidity',
      ladders: [this.#ladder],
      passIntervalMs: PASS_INTERVAL_MS,
      log: { warn: (fields, text) => this.warnings.push(`${text} ${JSON.stringify(fields)}`) },
      ...more,
    });
  }
}

type Accounts = readonly [user: AccountId, maker: AccountId];

/** Runs the opening on a venue that is new, and finds the two accounts. */
export async function accountsOf({ venue }: RealVenue): Promise<Accounts> {
  if (venue.releasedSeq === 0) for (const command of OPENING) await venue.submit(command);
  const idOf = (name: string) =>
    venue.read((state) => present(state.accountByName(name), name).accountId);
  return [await idOf('user'), await idOf('liquidity')];
}
