/**
 * Money of who plays a round: from its preparation to its end nothing comes in or goes out but what
 * the round pays, whoever asks for it, and whatever restarts.
 */
import { strict as assert } from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Browser, PeopleVenue, type Row } from '../support/people-venue.ts';
import { eventually } from '../support/until.ts';

const HELD = '60128';
const ROUND_MS = 60_000;
const SECTIONS = `
payments:
  coins:
    - { coin: USDT, addressPattern: "T[a-z0-9]{3,40}" }
`;
const MONEY = { coin: 'USDT', amount: '100' };
const WITHDRAWAL = { ...MONEY, address: 'Taddress' };
const TERMS = { name: 'Cup', sampleMs: 1_000, money: [{ coin: 'USDT', amount: '1000' }] };

const tidyUps: (() => void | Promise<void>)[] = [];
const venue = await PeopleVenue.open({ after: (one) => tidyUps.push(one) }, { sections: SECTIONS });
after(async () => {
  for (const tidyUp of tidyUps.reverse()) await tidyUp();
});

async function operate(method: 'GET' | 'POST', path: string, body?: Row): Promise<Row> {
  const { code, msg, data } = await venue.operator.call(method, path, body);
  assert.equal(code, '00000', `${path}: ${msg}`);
  return data;
}

/** Somebody with an account that plays and one beside it, and a guest who may do all in both. */
class Player {
  readonly owner: Browser;
  readonly guest: Browser;
  readonly plays: string;
  readonly other: string;
  readonly path: string;

  private constructor(owner: Browser, guest: Browser, other: string, path: string) {
    this.owner = owner;
    this.guest = guest;
    this.plays = owner.accountId;
    this.other = other;
    this.path = path;
  }

  static async open(name: string): Promise<Player> {
    const owner = await venue.person(`${name}@example.com`);
    const guest = await venue.person(`${name}-guest@example.com`);
    const second = await owner.done('POST', '/people/v1/accounts', { label: 'two' });
    const other = String(second.data.accountId);
    for (const account of [owner.accountId, other]) {
      const rights = { permissions: ['read', 'trade', 'transfer', 'withdraw', 'manage'] };
      const made = await owner.done('POST', `/people/v1/accounts/${account}/access-codes`, rights);
      await guest.done('POST', '/people/v1/access-codes', { code: made.data.code });
      await operate('POST', `/accounts/${account}/deposits`, { coin: 'USDT', amount: '9000' });
    }
    const { competitionId } = await operate('POST', '/competitions', TERMS);
    const path = `/competitions/${competitionId}`;
    await operate('POST', `${path}/entries`, { accounts: [owner.accountId] });
    return new Player(owner, guest, other, path);
  }

  async reaches(state: string): Promise<void> {
    await eventually(
      async (): Promise<Row> => {
        const { rounds } = await operate('GET', this.path);
        return Object(Array.isArray(rounds) ? rounds.at(-1) : undefined);
      },
      (round) => assert.equal(round.state, state, String(round.note)),
    );
  }

  async holder(holder: string): Promise<void> {
    const { competitionId } = await operate('GET', this.path);
    await eventually(
      () => operate('GET', `/accounts/${this.plays}`),
      ({ moneyHolder }) => assert.equal(moneyHolder, holder && `${competitionId}/${holder}`),
    );
  }

  async money(account = this.plays): Promise<number> {
    const { balances } = await operate('GET', `/accounts/${account}`);
    assert.ok(Array.isArray(balances));
    return balances.reduce((sum, { balance }) => sum + Number(balance), 0);
  }

  /** What everybody who may otherwise move this money is told. */
  async moves(): Promise<Readonly<Record<string, string>>> {
    const told: Record<string, string> = {};
    for (const [role, browser] of [
      ['person', this.owner],
      ['guest', this.guest],
    ] as const) {
      const call = async (account: string, what: string, body: Row) =>
        (await browser.call('POST', `/people/v1/accounts/${account}/${what}`, body)).code;
      told[`${role} out`] = await call(this.plays, 'transfers', { ...MONEY, to: this.other });
      told[`${role} in`] = await call(this.other, 'transfers', { ...MONEY, to: this.plays });
      told[`${role} withdraws`] = await call(this.plays, 'withdrawals', WITHDRAWAL);
    }
    return { ...told, ...(await this.operatorMoves()) };
  }

  async operatorMoves(): Promise<Readonly<Record<string, string>>> {
    const told: Record<string, string> = {};
    for (const what of ['deposits', 'withdrawals'] as const) {
      const said = await venue.operator.call('POST', `/accounts/${this.plays}/${what}`, MONEY);
      told[`operator ${what}`] = said.code;
    }
    return told;
  }
}

function ofOperator(code: string) {
  return { 'operator deposits': code, 'operator withdrawals': code };
}

function all(code: string) {
  return {
    ...{ 'person out': code, 'person in': code, 'person withdraws': code },
    ...{ 'guest out': code, 'guest in': code, 'guest withdraws': code },
    ...ofOperator(code),
  };
}

describe('money of who plays a round', () => {
  test('stands still while it prepares and runs, for everybody', async () => {
    const player = await Player.open('ada');
    await operate('POST', `${player.path}/rounds`, {
      durationMs: ROUND_MS,
      startsInMs: 10 * ROUND_MS,
    });
    await operate('POST', `${player.path}/rounds/1/prepare`, {});
    await player.reaches('preparing');
    await player.holder('1');
    assert.deepEqual(await player.operatorMoves(), ofOperator(HELD));
    await operate('POST', `${player.path}/rounds/1/start`, {});
    await player.reaches('running');
    await eventually(
      () => operate('GET', `/accounts/${player.plays}`),
      ({ frozen }) => assert.equal(frozen, false),
    );
    assert.deepEqual(await player.moves(), all(HELD));
    assert.equal(await player.money(), 1000);
    assert.equal(await player.money(player.other), 9000);
    const { heldAccounts } = await operate('GET', '/audit');
    assert.ok(Array.isArray(heldAccounts));
    assert.deepEqual(
      heldAccounts.map((one) => Object(one).accountId),
      [player.plays],
    );
    await venue.advance(ROUND_MS);
    await player.reaches('ended');
    await player.holder('');
    await operate('POST', `${player.path}/rounds/1/close`, {});
    await eventually(
      () => operate('GET', `/accounts/${player.plays}`),
      ({ frozen }) => assert.equal(frozen, false),
    );
    assert.deepEqual(await player.moves(), all('00000'));
  });

  test('asked for before it comes back, or in, when the round has ended', async () => {
    const player = await Player.open('bob');
    const paths = `/people/v1/accounts/${player.plays}`;
    const out = (await player.owner.done('POST', `${paths}/withdrawals`, WITHDRAWAL)).data;
    const announced = { ...MONEY, reference: 'tx-1' };
    const into = (await player.owner.done('POST', `${paths}/deposits`, announced)).data;
    await operate('POST', `${player.path}/rounds`, { durationMs: ROUND_MS });
    await player.reaches('running');
    const refused = await operate('POST', `/payments/${out.paymentId}/refuse`, { reason: 'no' });
    const approved = await operate('POST', `/payments/${into.paymentId}/approve`, {});
    assert.deepEqual([refused.settled, approved.settled], [false, false]);
    assert.equal(await player.money(), 1000);
    await operate('POST', `${player.path}/rounds/1/cancel`, {});
    await player.holder('');
    await eventually(
      () => player.money(),
      (money) => assert.equal(money, 1200),
    );
    await eventually(
      () => operate('GET', `/payments/${into.paymentId}`),
      ({ state, settled }) => assert.deepEqual([state, settled], ['done', true]),
    );
  });

  test('is held over restarts in the middle, and let go after them', async () => {
    const player = await Player.open('cat');
    const plan = { durationMs: ROUND_MS, startsInMs: 10 * ROUND_MS };
    await operate('POST', `${player.path}/rounds`, plan);
    await operate('POST', `${player.path}/rounds/1/prepare`, {});
    await player.holder('1');
    await venue.restart();
    await player.holder('1');
    await operate('POST', `${player.path}/rounds/1/start`, {});
    await player.reaches('running');
    await venue.restart();
    await player.holder('1');
    assert.deepEqual(await player.operatorMoves(), ofOperator(HELD));
    await operate('POST', `${player.path}/rounds/1/end`, {});
    await venue.restart();
    await player.reaches('ended');
    await player.holder('');
    assert.equal(await player.money(), 1000);
  });
});
