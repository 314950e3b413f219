/** A round of a competition that begins under one leader and ends under the next. */
import { strict as assert } from 'node:assert/strict';
import type { ClusterHere } from '../../tools/cluster/processes.ts';
import { dataOf, Trader } from '../support/http-trader.ts';
import { Operator } from '../support/operator.ts';
import type { Row } from '../support/people-venue.ts';
import { eventually } from '../support/until.ts';

const NAMES = ['seller', 'buyer'] as const;
const MONEY = [
  { coin: 'USDT', amount: '100000' },
  { coin: 'BTC', amount: '1' },
];
const ORDER = { symbol: 'BTCUSDT', orderType: 'limit', force: 'normal', price: '29000' };

export class RoundOverTakeover {
  readonly #cluster: ClusterHere;
  readonly #url: string;
  readonly #operator: Operator;
  readonly #traders: readonly Trader[];
  readonly #round: string;
  #trades = 0;

  private constructor(
    cluster: ClusterHere,
    url: string,
    operator: Operator,
    traders: readonly Trader[],
    round: string,
  ) {
    this.#cluster = cluster;
    this.#url = url;
    this.#operator = operator;
    this.#traders = traders;
    this.#round = round;
  }

  /** Two accounts that trade in a round, which runs. */
  static async begin(cluster: ClusterHere, url: string): Promise<RoundOverTakeover> {
    const operator = new Operator(url, cluster.adminToken);
    const done = async (path: string, body: Row): Promise<Row> => {
      const { code, msg, data } = await operator.call('POST', path, body);
      assert.equal(code, '00000', msg);
      return data;
    };
    const traders: Trader[] = [];
    for (const name of NAMES) {
      await done('/accounts', { name });
      const made = await done(`/accounts/${name}/keys`, { permissions: ['read', 'trade'] });
      const [key, secret, passphrase] = [made.key, made.secret, made.passphrase].map(String);
      assert.ok(key !== undefined && secret !== undefined && passphrase !== undefined);
      traders.push(new Trader(url, { key, secret, passphrase }));
    }
    const cup = await done('/competitions', { name: 'Cup', sampleMs: 1_000, money: MONEY });
    const path = `/competitions/${cup.competitionId}`;
    await done(`${path}/entries`, { accounts: [...NAMES] });
    await done(`${path}/rounds`, { durationMs: 3_600_000 });
    const round = new RoundOverTakeover(cluster, url, operator, traders, `${path}/rounds/1`);
    await round.#reaches('running');
    await eventually(
      () => Promise.all(NAMES.map((name) => operator.call('GET', `/accounts/${name}`))),
      (accounts) => assert.ok(accounts.every(({ data }) => data.frozen === false)),
    );
    return round;
  }

  async trade(count: number): Promise<void> {
    const [seller, buyer] = this.#traders;
    for (let done = 0; done < count; done += 1) {
      const order = { ...ORDER, quantity: '0.01' };
      dataOf(await (seller ?? assert.fail()).post('/trade/orders', { ...order, side: 'sell' }));
      dataOf(await (buyer ?? assert.fail()).post('/trade/orders', { ...order, side: 'buy' }));
      this.#trades += 1;
    }
  }

  /** Every process that lives shows the same result, in which no trade is missing. */
  async end(): Promise<void> {
    const { code, msg } = await this.#operator.call('POST', `${this.#round}/end`, {});
    assert.equal(code, '00000', msg);
    await this.#reaches('ended');
    const living = this.#cluster.processes.filter(({ isRunning }) => isRunning);
    const boards = await Promise.all(
      living.map(({ url }) =>
        eventually(
          () => this.#board(url),
          ({ round }) => assert.equal(Object(round).state, 'ended'),
        ),
      ),
    );
    const [first] = boards;
    for (const { traders } of boards) {
      assert.deepEqual(traders, first?.traders);
      assert.ok(Array.isArray(traders));
      const counts = traders.map((row) => Object(row).trades);
      assert.deepEqual(counts, [this.#trades, this.#trades]);
    }
  }

  async #board(url: string): Promise<Row> {
    const answer = await fetch(`${url}/competition/v1${this.#round}/leaderboard`);
    const said: { readonly data?: Row } = JSON.parse(await answer.text());
    return said.data ?? {};
  }

  async #reaches(state: string): Promise<void> {
    await eventually(
      () => this.#board(this.#url),
      ({ round }) => assert.equal(Object(round).state, state),
    );
  }
}
