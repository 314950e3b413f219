/**
 * A runner that dies after each number of commands in the middle of a start: the next one goes on
 * where it was, and every account has its starting money exactly once.
 */
import { strict as assert } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  actOnRound,
  addEntries,
  COMPETITION_PART,
  type CompetingPeople,
  type CompetitionContext,
  CompetitionRunner,
  type CompetitionTerms,
  makeCompetition,
  makeRound,
  type Past,
  type Sample,
} from '#competition';
import { accountId, type Event, isRefused, type Refused, type VenuePort } from '#domain';
import type { HistoryReader } from '#history';
import { present } from '#kernel';
import { LazyPeople, openPeople } from '#people';
import { historyOf } from '../support/history-files.ts';
import { dataOf, type Trader } from '../support/http-trader.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { reads, until } from '../support/until.ts';
import { Cup, moneyOf } from './cup.ts';

const madeBy = { id: 'ada', name: 'ada@example.com' };
/** How many commands further the next one dies. */
const STRIDE = 3;
const START = ['margin USDT 1000', 'spot BTC 0.5', 'spot USDT 2000'];
const TERMS: CompetitionTerms = {
  name: 'Cup',
  description: '',
  joinBy: 'code',
  coin: 'USDT',
  sampleMs: 1_000,
  rankBy: 'return',
  money: [
    { coin: 'USDT', wallet: 'margin', amount: '1000' },
    { coin: 'USDT', wallet: 'spot', amount: '2000' },
    { coin: 'BTC', wallet: 'spot', amount: '0.5' },
  ],
  holdsAccounts: true,
  isPublic: true,
};

const ORDER = { symbol: 'cmt_btcusdt', client_oid: '', order_type: '0', match_price: '0' };

/** The history of the venue, once its projector has what was released. */
function pastOf(reader: HistoryReader, venue: VenuePort): Past {
  const reached = () =>
    reads(async () => (await reader.projectedSeq()) >= venue.releasedSeq, true, 'the history');
  return {
    tradeParties: async (product, page) => {
      await reached();
      return reader.tradeParties(product, page);
    },
  };
}

/** Carries so many commands out, and then nothing any more, as a process that has ended. */
class Dying {
  left: number;
  readonly venue: VenuePort;

  constructor(venue: VenuePort, left: number) {
    this.left = left;
    const submit = (command: Parameters<VenuePort['submit']>[0]): Promise<readonly Event[]> => {
      this.left -= 1;
      return this.left < 0 ? Promise.reject(new Error('dead')) : venue.submit(command);
    };
    this.venue = {
      submit,
      read: (query, reader) => venue.read(query, reader),
      onApplied: (look) => venue.onApplied(look),
      get releasedSeq() {
        return venue.releasedSeq;
      },
      get isCrowded() {
        return venue.isCrowded;
      },
      get hasWork() {
        return venue.hasWork;
      },
    };
  }
}

function done<T>(answer: T | Refused): T {
  assert.ok(!isRefused(answer), JSON.stringify(answer));
  return answer;
}

class Stage {
  readonly #cup: Cup;
  readonly #people: LazyPeople<CompetingPeople>;
  readonly #traders: readonly Trader[];
  readonly #context: CompetitionContext;
  readonly #competitionId: string;
  readonly #names: readonly string[];
  readonly #past: Past;

  private constructor(
    cup: Cup,
    people: LazyPeople<CompetingPeople>,
    traders: readonly Trader[],
    context: CompetitionContext,
    competitionId: string,
    names: readonly string[],
    past: Past,
  ) {
    this.#cup = cup;
    this.#people = people;
    this.#traders = traders;
    this.#context = context;
    this.#competitionId = competitionId;
    this.#names = names;
    this.#past = past;
  }

  static async open(t: TestContext): Promise<Stage> {
    const cup = await Cup.open(t, false);
    const place = { kind: 'sqlite', file: join(scratchDirectory(), 'people.sqlite') } as const;
    const people = new LazyPeople(() => openPeople(place, COMPETITION_PART));
    t.after(() => people.close());
    const names = ['ann', 'bob', 'cat'];
    const traders: Trader[] = [];
    for (const name of names) traders.push(await cup.bot(name));
    const { venue } = cup.house;
    const context: CompetitionContext = {
      ...{ people, venue, nowMs: cup.house.venueMs },
      refuseScenario: async () => undefined,
      nudge: () => undefined,
    };
    const { competitionId } = done(await makeCompetition(context, TERMS));
    const ids = await venue.read((state) =>
      names.map((name) => accountId(state.accountByName(name)?.accountId ?? 0)),
    );
    const entries = ids.map((id) => ({ accountId: id, name: '', team: '' }));
    done(await addEntries(context, competitionId, entries));
    const file = historyOf(join(cup.house.directory, 'history.sqlite'));
    const reader = await file.openReader();
    t.after(() => reader.close());
    return new Stage(cup, people, traders, context, competitionId, names, pastOf(reader, venue));
  }

  /** Two hold positions against each other, one has an order in a book that is empty otherwise. */
  async disorder(): Promise<void> {
    await this.#cup.operate('POST', '/contracts/BTC-USDT-PERP/index', { price: '30000' });
    for (const name of this.#names) {
      const money = { coin: 'USDT', amount: '5000', wallet: 'margin' };
      await this.#cup.operate('POST', `/accounts/${name}/deposits`, money);
    }
    await this.#cup.pass(1_000);
    const [, , cat] = this.#traders;
    await this.#meet();
    const resting = { ...ORDER, price: '29000', size: '7', type: '1' };
    dataOf(await present(cat, 'cat').swapPost('/order/placeOrder', resting));
  }

  /** One buys from the other. */
  async #meet(): Promise<void> {
    const [ann, bob] = this.#traders;
    const sides = [
      [ann, '1'],
      [bob, '2'],
    ] as const;
    for (const [trader, type] of sides) {
      const asked = { ...ORDER, price: '30000', size: '40', type };
      dataOf(await present(trader, 'trader').swapPost('/order/placeOrder', asked));
    }
  }

  runner(venue: VenuePort): CompetitionRunner {
    const nowMs = this.#cup.house.venueMs;
    return new CompetitionRunner({
      ...{ people: this.#people, venue, clock: { nowMs }, play: undefined, past: this.#past },
      isNeeded: () => true,
      onFault: () => undefined,
    });
  }

  /** Starts a round with a runner that dies after so many commands; says whether it did. */
  async diesAfter(commands: number): Promise<boolean> {
    const dying = new Dying(this.#cup.house.venue, commands);
    const wanted = {
      name: '',
      startMs: undefined,
      durationMs: 60_000,
      scenario: undefined,
      madeBy,
    };
    const { number } = done(await makeRound(this.#context, this.#competitionId, wanted));
    const first = this.runner(dying.venue);
    first.start();
    first.nudge();
    const isRunning = async () => (await this.#state(number)) === 'running';
    await until('dead or done', async () => dying.left < 0 || (await isRunning()));
    await first.stop();
    const isDead = dying.left < 0;
    const next = this.runner(this.#cup.house.venue);
    next.start();
    next.nudge();
    await until('a round that runs', isRunning);
    await until('free accounts', async () => !(await this.#accounts()).some((one) => one.frozen));
    for (const account of await this.#accounts()) {
      assert.deepEqual(moneyOf(account), START, `after ${commands} commands`);
      assert.equal(account.openOrders, 0);
    }
    done(await actOnRound(this.#context, this.#competitionId, number, 'cancel'));
    const isHeld = async () => (await this.#accounts()).some((one) => one.moneyHolder !== '');
    await until('free money', async () => !(await isHeld()));
    await next.stop();
    await this.#cup.house.audit();
    return isDead;
  }

  /** Another runner takes a round over while it runs; the curve has no gap and nothing twice. */
  async takenOver(): Promise<readonly Sample[]> {
    const wanted = {
      name: '',
      startMs: undefined,
      durationMs: 60_000,
      scenario: undefined,
      madeBy,
    };
    const round = done(await makeRound(this.#context, this.#competitionId, wanted));
    const store = await this.#people.get();
    const samples = () => store.samples(round.roundId);
    const first = this.runner(this.#cup.house.venue);
    first.start();
    first.nudge();
    await until('free accounts', async () => (await this.#state(round.number)) === 'running');
    await this.#cup.pass(10_000);
    await until('eleven samples', async () => (await samples()).length === 11);
    await this.#meet();
    await first.stop();
    // As far as a process that has died would have counted, and further.
    await this.#meet();
    await this.#cup.pass(20_000);
    const next = this.runner(this.#cup.house.venue);
    next.start();
    next.nudge();
    await until('31 samples', async () => (await samples()).length === 31);
    await this.#cup.pass(40_000);
    await until('an end', async () => (await this.#state(round.number)) === 'ended');
    await next.stop();
    return samples();
  }

  async #state(number: number): Promise<string | undefined> {
    const store = await this.#people.get();
    return (await store.round(this.#competitionId, number))?.state;
  }

  #accounts() {
    return Promise.all(this.#names.map((name) => this.#cup.account(name)));
  }
}

test('a start that breaks off anywhere is carried on, and doubles nothing', async (t) => {
  const stage = await Stage.open(t);
  let commands = 0;
  for (; ; commands += STRIDE) {
    await stage.disorder();
    if (!(await stage.diesAfter(commands))) break;
  }
  // Freezing, cancels, closes and money of three accounts.
  assert.ok(commands > 20, `${commands}`);
});

/** Of each seat its equity and its trades. */
function seatsOf(sample: Sample): readonly (readonly [string, number])[] {
  return JSON.parse(sample.values);
}

test('a round that runs is carried on by the next runner', async (t) => {
  const stage = await Stage.open(t);
  const samples = await stage.takenOver();
  assert.deepEqual(
    samples.map(({ number }) => number),
    Array.from({ length: 61 }, (_, at) => at),
  );
  const [first] = samples;
  for (const { number, timeMs } of samples) {
    assert.equal(timeMs, present(first, 'first sample').timeMs + number * 1_000);
  }
  const [ann, bob, cat] = seatsOf(present(samples.at(-1), 'last sample'));
  // The trade of each runner and the one in between.
  assert.deepEqual([ann?.[1], bob?.[1], cat?.[1]], [2, 2, 0]);
  const much = 150n * 10n ** 8n;
  const feesOnly = seatsOf(present(first, 'first sample'));
  for (const [at, one] of [ann, bob].entries()) {
    const [before] = present(feesOnly[at], 'seat');
    const lost = BigInt(before) - BigInt(present(one, 'seat')[0]);
    assert.ok(lost > 0n && lost < much / 10n, `${lost} of fees`);
  }
  // Trades may move the mark price by which the bitcoin of everybody counts, by a tick.
  const moved = BigInt(present(cat, 'cat')[0]) - BigInt(present(feesOnly[2], 'seat')[0]);
  assert.ok(moved > -much / 100n && moved < much / 100n, `${moved} without a trade`);
});
