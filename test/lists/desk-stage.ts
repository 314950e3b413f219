/** A venue with people, operators and accounts, and something in each list of theirs. */
import { strict as assert } from 'node:assert/strict';
import {
  type AccountId,
  accountId,
  type Command,
  type Event,
  lots,
  OPERATOR_SOURCE,
  ticks,
} from '#domain';
import { present } from '#kernel';
import { SHORT_CONTRACT } from '../support/operator.ts';
import { operatorIn } from '../support/operator-hands.ts';
import { contractOrder, spotOrder, triggerOrder } from '../support/orders.ts';
import { type Browser, PeopleVenue, type Row } from '../support/people-venue.ts';
import { reads } from '../support/until.ts';

/** Nothing listens there: what is to be told stays in its list. */
const SECTIONS = `
feeLevels: { coin: USDT, levels: [{ volume: "1", takerFee: "0.0008", makerFee: "0.0006" }] }
payments:
  coins: [{ coin: USDT, fee: "1" }]
  webhooks: { url: "http://127.0.0.1:9/hooks" }
operators: { twoPersonAbove: { USDT: "5000000" } }
`;
const ENV = { OUTCRY_WEBHOOK_SECRET: 'a secret of thirty-two characters' };
const DAY_MS = 86_400_000;
const MANY = 7;
const PIECE = 10;
const PAIR_PRICE = ticks(3_000_000);
const PRICE = ticks(300_000);
const ACCOUNT = '/people/v1/accounts';

export interface DeskStage {
  readonly venue: PeopleVenue;
  readonly person: Browser;
  /** The account whose lists are walked. */
  readonly account: string;
  readonly steps: readonly Event[];
}

export async function openDesk(scope: { after(tidyUp: () => unknown): void }): Promise<DeskStage> {
  const after = (tidyUp: () => void | Promise<void>) => scope.after(tidyUp);
  const venue = await PeopleVenue.open({ after }, { sections: SECTIONS, env: ENV });
  const stage = new Stage(venue);
  await stage.trade();
  await venue.advance(DAY_MS);
  await stage.askTwo();
  await stage.pay();
  await stage.plan();
  await stage.levelled();
  return stage;
}

class Stage implements DeskStage {
  readonly venue: PeopleVenue;
  readonly steps: Event[] = [];
  account = '';
  #person: Browser | undefined;

  constructor(venue: PeopleVenue) {
    this.venue = venue;
  }

  get person(): Browser {
    return present(this.#person, 'person');
  }

  async #operate(method: 'POST' | 'GET', path: string, body?: Row): Promise<Row> {
    const { code, msg, data } = await this.venue.operator.call(method, path, body);
    assert.equal(code, '00000', `${path}: ${msg}`);
    return data;
  }

  async #run(command: Command): Promise<void> {
    const events = await this.venue.server.venue.submit(command);
    const [first] = events;
    assert.ok(first?.kind !== 'refused', first?.kind === 'refused' ? first.reject : '');
    this.steps.push(...events);
  }

  async #opened(name: string, money: string): Promise<AccountId> {
    const { accountId: id } = await this.#operate('POST', '/accounts', { name });
    for (const coin of ['USDT', 'BTC']) {
      await this.#operate('POST', `/accounts/${name}/deposits`, { coin, amount: '100000' });
    }
    const margin = { coin: 'USDT', amount: money, wallet: 'margin' };
    await this.#operate('POST', `/accounts/${name}/deposits`, margin);
    return accountId(Number(id));
  }

  /** In one millisecond: orders, fills, triggers, and accounts that are liquidated. */
  async trade(): Promise<void> {
    await this.#operate('POST', '/contracts', { ...SHORT_CONTRACT, markClamp: '0.000001' });
    const [own, other] = [
      await this.#opened('own', '100000'),
      await this.#opened('other', '90000'),
    ];
    this.account = String(own);
    const { pair, contract } = await this.venue.server.venue.read(({ listings }) => ({
      pair: present([...listings.spot][0], 'pair').instrumentId,
      contract: present([...listings.contracts.values()][0], 'contract').instrumentId,
    }));
    for (let piece = 0; piece < MANY; piece += 1) {
      const both = { instrumentId: pair, priceTicks: PAIR_PRICE, sizeLots: lots(PIECE) };
      await this.#run(spotOrder({ ...both, accountId: own, side: 'sell' }));
      await this.#run(spotOrder({ ...both, accountId: other, side: 'buy' }));
      const low = ticks(2_000_000 - piece);
      await this.#run(spotOrder({ ...both, accountId: own, side: 'buy', priceTicks: low }));
      await this.#swap(contract, own, other, piece);
    }
    for (let doomed = 0; doomed < MANY; doomed += 1) {
      const lost = await this.#opened(`doomed${doomed}`, '30');
      await this.#trade(contract, other, lost);
    }
    for (const priceTicks of [ticks(260_000), PRICE]) {
      const source = OPERATOR_SOURCE;
      await this.#run({ kind: 'report_index', instrumentId: contract, source, priceTicks });
    }
  }

  async #swap(
    instrumentId: Parameters<typeof contractOrder>[0]['instrumentId'],
    own: AccountId,
    other: AccountId,
    place: number,
  ): Promise<void> {
    await this.#trade(instrumentId, own, other);
    const terms = { instrumentId, accountId: own, action: 'open_long', sizeLots: lots(1) } as const;
    await this.#run(contractOrder({ ...terms, priceTicks: ticks(200_000 - place) }));
    await this.#run(triggerOrder({ ...terms, triggerTicks: ticks(310_000 + place) }));
  }

  async #trade(
    instrumentId: Parameters<typeof contractOrder>[0]['instrumentId'],
    short: AccountId,
    long: AccountId,
  ): Promise<void> {
    const both = { instrumentId, priceTicks: PRICE, sizeLots: lots(PIECE) };
    await this.#run(contractOrder({ ...both, accountId: short, action: 'open_short' }));
    await this.#run(contractOrder({ ...both, accountId: long, action: 'open_long' }));
  }

  /** Money that needs a second operator, and events of several people. */
  async askTwo(): Promise<void> {
    const { browser } = await operatorIn(this.venue, 'operator');
    const path = `/admin/v1/accounts/${this.account}/deposits`;
    for (let asked = 0; asked < MANY; asked += 1) {
      await browser.refused('60824', 'POST', path, {
        coin: 'USDT',
        amount: `${6_000_000 + asked}`,
      });
    }
    for (const name of ['bob', 'cay']) await this.venue.person(`${name}@example.com`);
    this.#person = await this.venue.person('ada@example.com');
    for (let signedIn = 0; signedIn < 3; signedIn += 1) await this.person.signIn('ada@example.com');
  }

  async pay(): Promise<void> {
    const id = this.person.accountId;
    await this.#operate('POST', `/accounts/${id}/deposits`, { coin: 'USDT', amount: '1000' });
    for (let asked = 0; asked < MANY; asked += 1) {
      const body = { coin: 'USDT', amount: String(10 + asked), address: 'somewhere' };
      await this.person.done('POST', `${ACCOUNT}/${id}/withdrawals`, body);
    }
  }

  async plan(): Promise<void> {
    const nowMs = this.venue.clock.nowMs();
    for (let place = 0; place < MANY; place += 1) {
      const csv = `account,email,name,label,permissions,balances\nmade${place},,,,,USDT=1\n`;
      await this.#operate('POST', '/account-imports', { reference: `made${place}`, csv });
      const from = nowMs + (place + 1) * DAY_MS;
      await this.#operate('POST', '/maintenance', { from, until: from + DAY_MS / 2 });
    }
    await reads(async () => {
      const { rows } = await this.venue.operator.call('GET', '/account-imports');
      return rows.every(({ state }) => state === 'done');
    }, true);
  }

  /** Levels follow the day that is over. */
  async levelled(): Promise<void> {
    await reads(async () => {
      const { rows } = await this.venue.operator.call('GET', '/fee-levels/accounts');
      return rows.length > 2;
    }, true);
  }
}
