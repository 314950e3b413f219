/** The life of a round, what is refused in it, how people join, and what spectators do not see. */
import { strict as assert } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, PeopleVenue, type Row } from '../support/people-venue.ts';
import { eventually } from '../support/until.ts';

const ROUND_MS = 60_000;
const TERMS = { name: 'Cup', sampleMs: 1_000, money: [{ coin: 'USDT', amount: '500' }] };

class Stage {
  readonly venue: PeopleVenue;

  constructor(venue: PeopleVenue) {
    this.venue = venue;
  }

  async done(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: Row): Promise<Row> {
    const { code, msg, data } = await this.venue.operator.call(method, path, body);
    assert.equal(code, '00000', msg);
    return data;
  }

  async refused(about: RegExp, path: string, body: Row, code = '60862'): Promise<void> {
    const answer = await this.venue.operator.call('POST', path, body);
    assert.deepEqual([answer.code, about.test(answer.msg)], [code, true], answer.msg);
  }

  async account(name: string): Promise<string> {
    return String((await this.done('POST', '/accounts', { name })).accountId);
  }

  /** A competition of two accounts; gives its path and theirs. */
  async made(prefix: string, terms: Row = {}): Promise<{ path: string; names: string[] }> {
    const { competitionId } = await this.done('POST', '/competitions', { ...TERMS, ...terms });
    const path = `/competitions/${competitionId}`;
    const names = [`${prefix}-1`, `${prefix}-2`];
    for (const name of names) await this.account(name);
    await this.done('POST', `${path}/entries`, { accounts: names });
    return { path, names };
  }

  async reaches(path: string, number: number, state: string, note?: RegExp): Promise<void> {
    await eventually(
      async (): Promise<Row> => {
        const { rounds } = await this.done('GET', path);
        assert.ok(Array.isArray(rounds));
        return Object(rounds[number - 1]);
      },
      (round) => {
        assert.equal(round.state, state, String(round.note));
        assert.match(String(round.note), note ?? /^/);
      },
    );
  }

  async frozen(names: readonly string[], wanted: readonly boolean[]): Promise<void> {
    await eventually(
      () => Promise.all(names.map((name) => this.done('GET', `/accounts/${name}`))),
      (accounts) =>
        assert.deepEqual(
          accounts.map(({ frozen }) => frozen),
          wanted,
        ),
    );
  }

  async shown(path: string): Promise<Response> {
    return fetch(`${this.venue.url}/competition/v1${path}`);
  }
}

describe('rounds', () => {
  let stage: Stage;
  const tidyUps: (() => void | Promise<void>)[] = [];
  before(async () => {
    stage = new Stage(await PeopleVenue.open({ after: (one) => tidyUps.push(one) }));
  });
  after(async () => {
    for (const tidyUp of tidyUps.reverse()) await tidyUp();
  });

  test('terms, accounts and rounds that make no sense are refused', async () => {
    await stage.refused(/money/, '/competitions', { ...TERMS, coin: 'USDT', money: [] });
    await stage.refused(/GEM/, '/competitions', { ...TERMS, coin: 'GEM' }, '40034');
    await stage.refused(/sampleMs/, '/competitions', { ...TERMS, sampleMs: 10 });
    const twice = [...TERMS.money, ...TERMS.money];
    await stage.refused(/each coin once/, '/competitions', { ...TERMS, money: twice });
    const { path, names } = await stage.made('odd');
    await stage.refused(/./, '/competitions/none/rounds', {}, '60861');
    await stage.refused(/durationMs/, `${path}/rounds`, { durationMs: 5 });
    await stage.refused(/sandbox only/, `${path}/rounds`, { scenario: 'flash-crash' }, '60617');
    await stage.refused(/letter/, `${path}/entries`, { accounts: names, team: '=1+1' }, '40017');
    const { entries } = await stage.done('GET', path);
    assert.ok(Array.isArray(entries) && entries.length === 2);
    const { entryId } = Object(entries[0]);
    const answer = await stage.venue.operator.call('PATCH', `${path}/entries/${entryId}`, {
      name: 'Trader 2',
    });
    assert.equal(answer.code, '60862', answer.msg);
  });

  test('a round goes from state to state, and in no other order', async () => {
    const { path, names } = await stage.made('order');
    const startsInMs = 3_600_000;
    await stage.done('POST', `${path}/rounds`, { durationMs: ROUND_MS, startsInMs });
    await stage.refused(/last round is not over/, `${path}/rounds`, {});
    await stage.refused(/is scheduled/, `${path}/rounds/1/end`, {});
    await stage.done('POST', `${path}/rounds/1/prepare`, {});
    await stage.reaches(path, 1, 'preparing');
    await stage.frozen(names, [true, true]);
    await stage.done('POST', `${path}/rounds/1/start`, {});
    await stage.reaches(path, 1, 'running');
    await stage.frozen(names, [false, false]);
    await stage.refused(/is running/, `${path}/rounds/1/close`, {});
    const changed = await stage.venue.operator.call('PATCH', path, { sampleMs: 2_000 });
    assert.equal(changed.code, '60862', changed.msg);
    await stage.venue.advance(ROUND_MS);
    await stage.reaches(path, 1, 'ended');
    await stage.frozen(names, [true, true]);
    await stage.done('POST', `${path}/rounds/1/close`, {});
    await stage.frozen(names, [false, false]);
    await stage.done('POST', `${path}/rounds`, { durationMs: ROUND_MS });
    await stage.reaches(path, 2, 'running');
    await stage.done('POST', `${path}/rounds/2/cancel`, {});
    await stage.reaches(path, 2, 'cancelled');
    await stage.frozen(names, [false, false]);
    await stage.done('DELETE', path);
    assert.equal((await stage.venue.operator.call('GET', path)).code, '60861');
  });

  test('who is not ready holds the round up, or is left out; a ban stays', async () => {
    const { path, names } = await stage.made('late');
    const [first = '', second = ''] = names;
    await stage.done('PATCH', `/accounts/${first}`, { frozen: true });
    const money = { coin: 'USDT', amount: '40' };
    await stage.done('POST', `/accounts/${second}/deposits`, { coin: 'USDT', amount: '600' });
    await stage.done('POST', `/accounts/${second}/locks`, { ...money, amount: '550' });
    await stage.done('POST', `${path}/rounds`, { durationMs: ROUND_MS });
    await stage.reaches(path, 1, 'preparing', /waits for Trader 2 \(money\)/);
    await stage.done('POST', `${path}/rounds/1/force`, {});
    await stage.reaches(path, 1, 'running');
    await stage.frozen(names, [true, false]);
    const { rounds } = await stage.done('GET', path);
    assert.ok(Array.isArray(rounds));
    assert.equal(Object(rounds[0]).traders, 1);
    await stage.done('POST', `${path}/rounds/1/cancel`, {});
    await stage.frozen(names, [true, false]);
  });

  test('somebody joins by the code with an account that is theirs to manage', async () => {
    const { path } = await stage.made('join');
    const ada: Browser = await stage.venue.person('ada@example.com');
    await ada.done('GET', '/people/v1/session');
    const join = (code: string, account: string, name = '') =>
      ada.call('POST', '/people/v1/competitions', { code, account, name });
    assert.equal((await join('wrong', ada.accountId)).code, '60815');
    const { code } = await stage.done('POST', `${path}/join-code`, {});
    assert.equal((await join(String(code), '1')).code, (await join(String(code), '999')).code);
    assert.equal((await join(String(code), ada.accountId, 'Trader 1')).code, '60862');
    assert.equal((await join(String(code), ada.accountId, 'Lovelace')).code, '00000');
    assert.equal((await join(String(code), ada.accountId, 'Twice')).code, '00000');
    const { entries } = await stage.done('GET', path);
    assert.ok(Array.isArray(entries));
    assert.deepEqual(
      entries.map((entry) => Object(entry).name),
      ['Trader 1', 'Trader 2', 'Lovelace'],
    );
    await stage.done('DELETE', `${path}/join-code`);
    assert.equal((await join(String(code), ada.accountId)).code, '60815');
    const people = { people: ['ADA@example.com'], team: 'Reds' };
    await stage.done('POST', `${path}/entries`, people);
    await stage.refused(/./, `${path}/entries`, { people: ['nobody@example.com'] }, '60811');
  });

  test('spectators see what is public alone, and names alone', async () => {
    const { path, names } = await stage.made('seen');
    const hidden = await stage.made('hidden', { isPublic: false });
    for (const one of [path, hidden.path]) {
      await stage.done('POST', `${one}/rounds`, { durationMs: ROUND_MS });
      await stage.reaches(one, 1, 'running');
    }
    const board = await eventually(
      async () => (await stage.shown(`${path}/rounds/1/leaderboard`)).text(),
      (text) => assert.match(text, /"equity":"500\.00000000"/),
    );
    const curves = await (await stage.shown(`${path}/rounds/1/curves`)).text();
    const csv = await (await stage.shown(`${path}/rounds/1/leaderboard.csv`)).text();
    const list = await (await stage.shown('/competitions')).text();
    for (const text of [board, curves, csv, list]) {
      for (const name of [...names, 'accountId', 'hidden-1']) assert.ok(!text.includes(name), text);
    }
    assert.ok(!list.includes(hidden.path.slice(14)), list);
    for (const file of ['leaderboard', 'curves', 'leaderboard.csv']) {
      assert.equal((await stage.shown(`${hidden.path}/rounds/1/${file}`)).status, 404, file);
      assert.equal((await stage.shown(`${path}/rounds/9/${file}`)).status, 404, file);
    }
  });
});
