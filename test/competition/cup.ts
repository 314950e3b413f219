/** A venue for competitions: the demo as a sandbox whose clock the test moves, and its bots. */
import { strict as assert } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Value } from 'typebox/value';
import { COMPETITION_ENDPOINTS, COMPETITION_OPERATOR_ENDPOINTS } from '#dialects';
import { DemoHere } from '../support/demo-here.ts';
import { Trader } from '../support/http-trader.ts';
import { Operator } from '../support/operator.ts';
import { ADMIN_TOKEN } from '../support/program.ts';
import { eventually } from '../support/until.ts';

export interface RoundSeen {
  readonly number: number;
  readonly state: string;
  readonly note: string;
  readonly traders: number;
}

export interface EntrySeen {
  readonly entryId: string;
  readonly accountId: string;
  readonly name: string;
  readonly team: string;
  readonly held: boolean;
}

export interface CompetitionSeen {
  readonly competitionId: string;
  readonly entries: readonly EntrySeen[];
  readonly rounds: readonly RoundSeen[];
}

export interface BoardRow {
  readonly rank: number;
  readonly number: number;
  readonly name: string;
  readonly team: string;
  readonly equity: string;
  readonly return: string;
  readonly drawdown: string;
  readonly sharpe: string | null;
  readonly trades: number;
}

export interface Leaderboard {
  readonly round: RoundSeen;
  readonly sampleTime: string | null;
  readonly traders: readonly BoardRow[];
  readonly teams: readonly BoardRow[];
}

interface Balance {
  readonly wallet: string;
  readonly coin: string;
  readonly balance: string;
}

export interface AccountSeen {
  readonly frozen: boolean;
  readonly moneyHolder: string;
  readonly openOrders: number;
  readonly balances: readonly Balance[];
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export class Cup {
  readonly house: DemoHere;

  private constructor(house: DemoHere) {
    this.house = house;
  }

  /** The demo venue, with its simulated market if wanted, on a clock that stands still. */
  static async open(context: TestContext, participants = true): Promise<Cup> {
    const house = new DemoHere(context);
    await house.start({ sandbox: true, participants });
    await house.sandbox.pauseClock();
    await house.lookAtClock();
    return new Cup(house);
  }

  /** A call of the operator that is carried out. */
  async operate<Data>(method: Method, path: string, body?: object): Promise<Data> {
    const operator = new Operator(this.house.url, ADMIN_TOKEN);
    const answer = await operator.call(method, path, body && { ...body });
    assert.equal(answer.code, '00000', answer.msg);
    return answer.data as Data;
  }

  async refused(code: string, method: Method, path: string, body: object = {}): Promise<string> {
    const operator = new Operator(this.house.url, ADMIN_TOKEN);
    const answer = await operator.call(method, path, method === 'GET' ? undefined : { ...body });
    assert.equal(answer.code, code, answer.msg);
    return answer.msg;
  }

  /** What anybody sees, in its promised shape. */
  async look<Data>(name: keyof typeof COMPETITION_ENDPOINTS, path: string): Promise<Data> {
    const answer = await fetch(`${this.house.url}/competition/v1/competitions${path}`);
    const said: { readonly code: string; readonly data: Data } = JSON.parse(await answer.text());
    assert.equal(said.code, '00000');
    const { response } = COMPETITION_ENDPOINTS[name];
    assert.deepEqual(Value.Errors(response, said.data), [], `${name} has its promised shape`);
    return said.data;
  }

  async see(competitionId: string): Promise<CompetitionSeen> {
    const seen = await this.operate<CompetitionSeen>('GET', `/competitions/${competitionId}`);
    const { response } = COMPETITION_OPERATOR_ENDPOINTS.competition;
    assert.deepEqual(Value.Errors(response, seen), [], 'a competition has its promised shape');
    return seen;
  }

  /** Waits until a round is in this state. */
  async reaches(competitionId: string, number: number, state: string): Promise<RoundSeen> {
    const seen = await eventually(
      async () => (await this.see(competitionId)).rounds.find((one) => one.number === number),
      (round) => assert.equal(round?.state, state, round?.note),
    );
    assert.ok(seen !== undefined);
    return seen;
  }

  board(competitionId: string, number: number): Promise<Leaderboard> {
    return this.look('leaderboard', `/${competitionId}/rounds/${number}/leaderboard`);
  }

  account(named: string): Promise<AccountSeen> {
    return this.operate('GET', `/accounts/${named}`);
  }

  /** An account with a key, and the bot that trades by it. */
  async bot(name: string): Promise<Trader> {
    await this.operate('POST', '/accounts', { name });
    const key = await this.operate<{ key: string; secret: string; passphrase: string }>(
      'POST',
      `/accounts/${name}/keys`,
      { permissions: ['read', 'trade', 'transfer'] },
    );
    return new Trader(this.house.url, key, this.house.venueMs);
  }

  /** Waits until a contract has this index price. */
  async sees(path: string, price: string): Promise<void> {
    await eventually(
      async (): Promise<{ readonly index?: string }> => {
        const answer = await fetch(this.house.url + path);
        return JSON.parse(await answer.text());
      },
      ({ index }) => assert.equal(Number(index), Number(price)),
    );
  }

  /** Lets time pass, in steps below the bound on the age of a signature. */
  async pass(ms: number): Promise<void> {
    await this.house.sandbox.stepClock({ ms });
    await this.house.lookAtClock();
  }
}

/** Money of an account, as in ['margin USDT 10000']; what is empty is left out. */
export function moneyOf({ balances }: AccountSeen): string[] {
  return balances
    .filter(({ balance }) => Number(balance) !== 0)
    .map(({ wallet, coin, balance }) => `${wallet} ${coin} ${Number(balance)}`)
    .sort();
}
