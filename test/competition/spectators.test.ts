/** What a crowd of spectators costs the database of people: reads are counted. */
import { strict as assert } from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  BUSY,
  COMPETITION_PART,
  type CompetingPeople,
  type CompetitionStore,
  type SeenRound,
  Spectators,
} from '#competition';
import { present } from '#kernel';
import { openPeople } from '#people';
import { scratchDirectory } from '../support/scratch.ts';

const ROUNDS = 20;
const SEATS = 12;
/** More than are shown: a read is as large as a round can make it. */
const SAMPLES = 160;
const POINTS_MAX = 150;
const ID = 'competition';

type Counted = 'round' | 'samplesAt' | 'samples';

/** The store, with how often each of these was asked, and for how many samples. */
class Counting {
  readonly #store: CompetingPeople;
  counts = { round: 0, samplesAt: 0, samples: 0 };
  rowsCount = 0;

  constructor(store: CompetingPeople) {
    this.#store = store;
  }

  readonly get = async (): Promise<CompetingPeople> => {
    const store = this.#store;
    const count = (name: Counted) => {
      this.counts = { ...this.counts, [name]: this.counts[name] + 1 };
    };
    const counted: Pick<CompetitionStore, Counted> = {
      round: (competitionId, number) => {
        count('round');
        return store.round(competitionId, number);
      },
      samples: (roundId) => {
        count('samples');
        return store.samples(roundId);
      },
      samplesAt: (roundId, numbers) => {
        count('samplesAt');
        this.rowsCount += numbers.length;
        return store.samplesAt(roundId, numbers);
      },
    };
    return { ...store, ...counted };
  };
}

async function fill(store: CompetingPeople): Promise<void> {
  const terms = { name: 'Cup', description: '', coin: 'USDT', money: [], sampleMs: 1_000 };
  const others = { rankBy: 'return', joinBy: 'code', holdsAccounts: true, isPublic: true } as const;
  const competition = { competitionId: ID, createdMs: 1, cancelledMs: undefined };
  await store.addCompetition({ ...competition, terms: { ...terms, ...others } });
  const seats = Array.from({ length: SEATS }, (_, at) => {
    return { entryId: `${at}`, accountId: at + 1, name: `Trader ${at + 1}`, team: '' };
  });
  const figures = { equity: '1', return: '0', drawdown: '0', sharpe: '', trades: 0 };
  const traders = seats.map(({ accountId: number }) => {
    return { rank: number, number, name: '', team: '', ...figures };
  });
  const board = JSON.stringify({ timeMs: 1, sample: 0, traders, teams: [] });
  const values = JSON.stringify(seats.map(() => ['1000000000000', 0]));
  for (let number = 1; number <= ROUNDS; number += 1) {
    const roundId = `round ${number}`;
    const times = { prepareMs: 1, startMs: 1, durationMs: 1, sampleMs: 1_000, endMs: 9 };
    const madeBy = { id: 'ada', name: 'ada@example.com' };
    const about = {
      madeBy,
      scenario: undefined,
      isForced: false,
      startedMs: 1,
      note: '',
      board: '',
    };
    const named = {
      roundId,
      competitionId: ID,
      number,
      name: '',
      state: 'running',
      seats,
    } as const;
    await store.addRound({ ...named, ...times, ...about });
    for (let at = 0; at < SAMPLES; at += 1) {
      await store.addSample(roundId, { number: at, timeMs: at, values, lastId: at }, board);
    }
  }
}

const place = { kind: 'sqlite', file: join(scratchDirectory(), 'people.sqlite') } as const;
const store = await openPeople(place, COMPETITION_PART);
after(() => store.close());
await fill(store);

function watched() {
  const counting = new Counting(store);
  const clock = { nowMs: 0 };
  const spectators = new Spectators({ people: counting, steadyMs: () => clock.nowMs });
  /** Somebody looks at one round after the other, and says how often it was answered. */
  const turn = async (trader?: number): Promise<number> => {
    let answered = 0;
    for (let number = 1; number <= ROUNDS; number += 1) {
      const seen: SeenRound | undefined | typeof BUSY = await spectators.round(ID, number);
      if (seen === BUSY) continue;
      const curves = await spectators.curves(present(seen, 'round'), trader);
      if (curves === BUSY) continue;
      assert.equal(curves[0]?.points.length, POINTS_MAX);
      answered += 1;
    }
    return answered;
  };
  return { counting, clock, turn };
}

test('whoever asks for single traders of all rounds in turn has five reads a second', async () => {
  const { counting, clock, turn } = watched();
  const seconds = 4;
  for (let second = 0; second < seconds; second += 1) {
    for (let crowd = 0; crowd < 20; crowd += 1) await turn(1 + (crowd % SEATS));
    clock.nowMs += 1_000;
  }
  assert.equal(counting.counts.samplesAt, 5 * seconds);
  assert.equal(counting.counts.samples, 0);
});

test('twenty large rounds that are over are read once each, however many ask', async () => {
  for (const { roundId } of await store.rounds(ID)) {
    await store.changeRound(roundId, ['running'], { state: 'ended' });
  }
  const { counting, clock, turn } = watched();
  for (let second = 0; second < 6; second += 1) {
    for (let crowd = 0; crowd < 20; crowd += 1) await turn();
    clock.nowMs += 1_000;
  }
  assert.equal(await turn(), ROUNDS, 'everybody is answered after some seconds');
  assert.deepEqual([counting.counts.samplesAt, counting.counts.samples], [ROUNDS, 0]);
  assert.equal(counting.rowsCount, ROUNDS * POINTS_MAX);
  assert.ok(counting.counts.round <= 7 * ROUNDS, `${counting.counts.round} leaderboards`);
});
