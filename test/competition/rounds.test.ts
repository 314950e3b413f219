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
    for (const name of ['Trader 2', 'TRADER 2', 'Тrаdеr 2']) {
      const changed = ['PATCH', `${path}/entries/${entryId}`, { name }] as const;
      const answer = await stage.venue.operator.call(...changed);
      assert.equal(answer.code, '60862', answer.msg);
    }
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

  test('somebody joins by a code with an account that is theirs to manage', async () => {
    const { path } = await stage.made('join');
    const ada: Browser = await stage.venue.person('ada@example.com');
    const bob: Browser = await stage.venue.person('bob@example.com');
    await ada.done('GET', '/people/v1/session');
    const join = (code: unknown, account: string, name = '', who = ada) =>
      who.call('POST', '/people/v1/competitions', { code, account, name });
    assert.equal((await join('wrong', ada.accountId)).code, '60815');
    const { code, codeId } = await stage.done('POST', `${path}/codes`, { uses: 1, label: 'one' });
    assert.equal((await join(code, '1')).code, (await join(code, '999')).code);
    assert.equal((await join(code, ada.accountId, 'Trader 1')).code, '60862');
    assert.equal((await join(code, ada.accountId, 'Lovelace')).code, '00000');
    assert.equal((await join(code, ada.accountId, 'Twice')).code, '00000');
    assert.equal((await join(code, bob.accountId, 'Bob', bob)).code, '60815', 'it is used up');
    const { entries, codes } = await stage.done('GET', path);
    assert.ok(Array.isArray(entries) && Array.isArray(codes));
    assert.deepEqual(
      entries.map((entry) => Object(entry).name),
      ['Trader 1', 'Trader 2', 'Lovelace'],
    );
    const { used, uses, label } = Object(codes[0]);
    assert.deepEqual([used, uses, label, 'code' in Object(codes[0])], [1, 1, 'one', false]);
    const own = await ada.done('GET', '/people/v1/competitions');
    assert.deepEqual(
      own.rows.map(({ accountId, shownName }) => [accountId, shownName]),
      [[ada.accountId, 'Lovelace']],
    );
    await stage.done('DELETE', `${path}/codes/${codeId}`);
    const gone = await stage.venue.operator.call('DELETE', `${path}/codes/${codeId}`);
    assert.equal(gone.code, '60861');
    const people = { people: ['ADA@example.com'], team: 'Reds' };
    await stage.done('POST', `${path}/entries`, people);
    await stage.refused(/./, `${path}/entries`, { people: ['nobody@example.com'] }, '60811');
  });

  test('a code expires, is revoked, and signs nobody up', async () => {
    const { path } = await stage.made('codes');
    const ada = await stage.venue.person('codes@example.com');
    const join = (code: unknown) =>
      ada.call('POST', '/people/v1/competitions', { code, account: ada.accountId });
    const revoked = await stage.done('POST', `${path}/codes`, { uses: 5 });
    await stage.done('DELETE', `${path}/codes/${revoked.codeId}`);
    assert.equal((await join(revoked.code)).code, '60815');
    const { code } = await stage.done('POST', `${path}/codes`, { days: 1 });
    const invitations = await stage.venue.operator.call('GET', '/invitations');
    assert.ok(invitations.rows.every((row) => row.uses !== 5));
    assert.equal((await join(await stage.venue.invitation())).code, '60815');
    await stage.done('PATCH', path, { joinBy: 'operator' });
    assert.equal((await join(code)).code, '60815', 'whom the operator adds alone');
    await stage.refused(/nobody joins it by a code/, `${path}/codes`, {});
    await stage.done('PATCH', path, { joinBy: 'code' });
    await stage.venue.advance(24 * 3_600_000);
    await ada.signIn('codes@example.com');
    assert.equal((await join(code)).code, '60815', 'it has expired');
  });

  test('anybody joins one that is open, with one account', async () => {
    const { path } = await stage.made('open', { joinBy: 'open', description: 'For\nall' });
    const closed = await stage.made('closed');
    const ada = await stage.venue.person('open@example.com');
    const join = (at: string, account: string) =>
      ada.call('POST', '/people/v1/competitions', { competition: at.slice(14), account });
    const offered = async () => (await ada.done('GET', '/people/v1/competitions')).rows;
    const [one, ...others] = await offered();
    assert.deepEqual([one?.competitionId, one?.accountId], [path.slice(14), '']);
    assert.deepEqual([one?.description, others.length], ['For\nall', 0]);
    assert.equal((await join(closed.path, ada.accountId)).code, '60861');
    assert.equal((await join('/competitions/none', ada.accountId)).code, '60861');
    const second = await ada.done('POST', '/people/v1/accounts', { label: 'second' });
    assert.equal((await join(path, ada.accountId)).code, '00000');
    const twice = await join(path, String(second.data.accountId));
    assert.deepEqual([twice.code, /another account/.test(twice.msg)], ['60862', true]);
    assert.equal((await offered())[0]?.accountId, ada.accountId);
  });

  test('what a round was started by stands, the rest changes when none goes on', async () => {
    const { path } = await stage.made('terms');
    const change = async (changes: Row) => {
      const { code, msg } = await stage.venue.operator.call('PATCH', path, changes);
      return code === '00000' ? 'done' : msg;
    };
    const round = async (changes: Row) => {
      const { code, msg } = await stage.venue.operator.call('PATCH', `${path}/rounds/1`, changes);
      return code === '00000' ? 'done' : msg;
    };
    assert.equal(await change({ rankBy: 'sharpe', sampleMs: 2_000 }), 'done');
    const start = { startsInMs: 3_600_000, durationMs: ROUND_MS };
    await stage.done('POST', `${path}/rounds`, start);
    assert.equal(await change({ rankBy: 'return', sampleMs: 1_000 }), 'done');
    assert.match(await round({ endTime: 9e12 }), /of a round that runs/);
    assert.match(await round({ durationMs: 5 }), /durationMs goes/);
    const startTime = stage.venue.clock.nowMs();
    assert.equal(await round({ startTime, durationMs: 2 * ROUND_MS, name: 'One' }), 'done');
    await stage.reaches(path, 1, 'running');
    assert.match(await change({ rankBy: 'sharpe' }), /rankBy: a round is under way/);
    assert.match(await change({ sampleMs: 2_000, name: 'Other' }), /sampleMs: a round/);
    assert.equal(await change({ name: 'Best cup', description: 'x', joinBy: 'open' }), 'done');
    assert.match(await round({ durationMs: ROUND_MS }), /stand once the round has started/);
    assert.match(await round({ endTime: startTime - 1 }), /in the past/);
    assert.match(await round({ endTime: startTime + 1_100_000 }), /1000 samples/);
    assert.equal(await round({ endTime: startTime + 200_000, name: 'Long' }), 'done');
    await stage.venue.advance(3 * ROUND_MS);
    await stage.reaches(path, 1, 'running');
    await stage.venue.advance(ROUND_MS);
    await stage.reaches(path, 1, 'ended');
    const { rounds } = await stage.done('GET', path);
    assert.ok(Array.isArray(rounds));
    assert.equal(Object(rounds[0]).name, 'Long');
    assert.match(await change({ rankBy: 'sharpe' }), /a round has been started/);
    assert.equal(await change({ sampleMs: 2_000, money: [{ coin: 'USDT', amount: '7' }] }), 'done');
  });

  test('a cancelled competition frees its accounts, and takes nobody and no round', async () => {
    const { path, names } = await stage.made('cancel', { joinBy: 'open' });
    await stage.done('POST', `${path}/rounds`, { durationMs: ROUND_MS });
    await stage.reaches(path, 1, 'running');
    await stage.venue.advance(ROUND_MS);
    await stage.reaches(path, 1, 'ended');
    await stage.frozen(names, [true, true]);
    await stage.done('POST', `${path}/rounds`, { durationMs: ROUND_MS, startsInMs: ROUND_MS });
    await stage.done('POST', `${path}/cancel`, {});
    await stage.frozen(names, [false, false]);
    await stage.reaches(path, 1, 'closed');
    await stage.reaches(path, 2, 'cancelled');
    await stage.refused(/is cancelled/, `${path}/rounds`, {});
    await stage.refused(/is cancelled/, `${path}/codes`, {});
    await stage.refused(/is cancelled/, `${path}/entries`, { accounts: names });
    assert.equal((await stage.done('POST', `${path}/cancel`, {})).isCancelled, true);
    const board = await stage.shown(`${path}/rounds/1/leaderboard`);
    assert.equal(board.status, 200, 'its results stay');
  });

  test('the name of a deleted person goes out of results, and the figures stay', async () => {
    const { path } = await stage.made('gone');
    const ada = await stage.venue.person('gone@example.com');
    const { code } = await stage.done('POST', `${path}/codes`, {});
    const asked = { code, account: ada.accountId, name: 'Countess' };
    await ada.done('POST', '/people/v1/competitions', asked);
    await stage.done('POST', `${path}/rounds`, { durationMs: ROUND_MS });
    await stage.reaches(path, 1, 'running');
    await stage.venue.advance(ROUND_MS);
    await stage.reaches(path, 1, 'ended');
    const files = ['leaderboard', 'leaderboard.csv', 'curves'];
    const shown = (file: string) => stage.shown(`${path}/rounds/1/${file}`);
    for (const file of files) assert.match(await (await shown(file)).text(), /Countess/);
    await stage.done('POST', `${path}/rounds/1/close`, {});
    await eventually(
      () => stage.done('GET', `/accounts/${ada.accountId}`),
      ({ frozen }) => assert.equal(frozen, false),
    );
    const money = { coin: 'USDT', amount: '500' };
    await stage.done('POST', `/accounts/${ada.accountId}/withdrawals`, money);
    await ada.signIn('gone@example.com');
    await ada.done('DELETE', '/people/v1/person');
    const texts = () => Promise.all(files.map(async (file) => (await shown(file)).text()));
    await eventually(texts, (all) => all.map((text) => assert.doesNotMatch(text, /Countess/)));
    const [board = '', csv] = await texts();
    assert.match(board, /"number":3,"name":"","team":"","equity":"500\.00000000"/);
    assert.match(String(csv), /^trader,1,3,Deleted trader,,500\.00000000/m);
    const { entries } = await stage.done('GET', path);
    assert.ok(Array.isArray(entries) && entries.length === 2);
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
