/**
 * Payments over a real venue and a real store, whose process can end at any call: what it had begun
 * is gone, and the next life goes on with what the journal and the store have.
 */
import { strict as assert } from 'node:assert/strict';
import { type AccountId, type Asset, accountId, assetId, isRefused } from '#domain';
import { ManualClock, present } from '#kernel';
import {
  type ActingOperator,
  type Asking,
  approvePayment,
  askDeposit,
  askTransfer,
  askWithdrawal,
  type CoinRules,
  cancelPayment,
  FEES_ACCOUNT,
  failPayment,
  HOLDING_ACCOUNT,
  heldByCoin,
  LaterWork,
  LazyPeople,
  LiveSession,
  LiveSessions,
  newId,
  Passwords,
  type Payment,
  Payments,
  type PaymentVenue,
  PEOPLE_DEFAULTS,
  type PeopleContext,
  type PeopleStore,
  paymentDone,
  paymentSent,
  refusePayment,
  type WebhookSettings,
} from '#people';
import { RealVenue } from '../support/real-venue.ts';
import { accountSettings, assetSpec } from '../support/terms.ts';

const START_MS = 1_795_235_652_453;
const USDT = assetId(0);
export const FIRST = accountId(1);
const SECOND = accountId(2);
const BEGIN = 1_000_000n;

const RULES: CoinRules = {
  coin: 'USDT',
  ...{ deposits: true, withdrawals: true, minDeposit: '0', minWithdraw: '0' },
  ...{ fee: '0.00000003', dailyLimit: undefined, approvals: 1, twoApprovalsAbove: undefined },
  addressPattern: undefined,
};

const HOLDER = { email: '', role: undefined, hasSecondFactor: false };

interface Scope {
  after(tidyUp: () => void | Promise<void>): void;
}

export interface HouseChoices {
  readonly directory: string;
  readonly store: PeopleStore;
  readonly rules?: Partial<CoinRules>;
  readonly webhook?: WebhookSettings;
}

/** The process has ended: nothing of it goes on. */
class Ended extends Error {}

export type Counted = 'any' | 'submit';

/** One life of the process, and after how many calls it ends. */
class Life {
  readonly payments: Payments;
  readonly people: PeopleContext;
  readonly faults: unknown[] = [];
  #callsLeft = Number.POSITIVE_INFINITY;
  #counted: Counted = 'any';
  #isOver = false;

  constructor({ store, rules, webhook }: HouseChoices, clock: ManualClock, real: RealVenue) {
    const people = new LazyPeople(() => Promise.resolve(this.#mortal(store)));
    const venue = this.#mortal<PaymentVenue>(real.venue);
    const nowMs = () => clock.nowMs();
    const onFault = (error: unknown) => this.faults.push(error);
    const settings = { coins: [{ ...RULES, ...rules }], webhook };
    const given = { people, nowMs, mailer: undefined, onFault };
    this.payments = new Payments({
      ...{ ...given, venue, settings, names: PEOPLE_DEFAULTS, leads: () => !this.#isOver },
      systemAccount: (name) => accountSettings(name, { frozen: true }),
    });
    const keyed = { masterKey: Buffer.alloc(32, 1), freshMs: 1e9 };
    const sessions = new LiveSessions({ ...given, settings: PEOPLE_DEFAULTS, ...keyed });
    sessions.close();
    this.people = {
      ...{ ...given, settings: PEOPLE_DEFAULTS, sessions, passwords: new Passwords() },
      later: new LaterWork(onFault),
      sealing: { seal: () => '', open: () => '' },
      terminal: undefined,
      openAccount: () => Promise.reject(new Error('no accounts are opened here')),
      openFirstAccount: () => Promise.reject(new Error('no accounts are opened here')),
    };
    this.payments.start();
  }

  /** Counts every call, or those alone that hand the venue a command. */
  endAfter(calls: number, counted: Counted): void {
    this.#callsLeft = calls;
    this.#counted = counted;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.payments.stop();
  }

  /** Every second end lies behind what was called: it was carried out, and nobody hears of it. */
  #mortal<T extends object>(of: T): T {
    return new Proxy(of, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name, target);
        if (typeof found !== 'function') return found;
        return async (...given: unknown[]) => {
          const isCounted = this.#counted === 'any' || this.#counted === name;
          if (isCounted) this.#callsLeft -= 1;
          const endsBehind = isCounted && this.#callsLeft === 0;
          if (this.#isOver || this.#callsLeft < 0) throw this.#end();
          const answer: unknown = await Reflect.apply(found, target, given);
          if (endsBehind || this.#isOver) throw this.#end();
          return answer;
        };
      },
    });
  }

  #end(): Ended {
    this.#isOver = true;
    return new Ended('the process has ended');
  }
}

export type Act =
  | { readonly does: 'withdraw' | 'deposit' | 'transfer'; readonly amount: bigint }
  | {
      readonly does: 'approve' | 'refuse' | 'sent' | 'done' | 'fail' | 'cancel';
      readonly which: number;
    };

export const OPERATOR: ActingOperator = { id: 'one', name: 'one', role: 'operator' };

export class PaymentHouse {
  readonly clock = new ManualClock(START_MS);
  readonly #scope: Scope;
  readonly #choices: HouseChoices;
  #real: RealVenue;
  #life: Life;

  private constructor(scope: Scope, choices: HouseChoices, real: RealVenue) {
    this.#scope = scope;
    this.#choices = choices;
    this.#real = real;
    this.#life = new Life(choices, this.clock, real);
  }

  static async open(scope: Scope, choices: HouseChoices): Promise<PaymentHouse> {
    const real = await PaymentHouse.#venue(scope, choices);
    await real.venue.submit({ kind: 'list_asset', spec: assetSpec(2, 'USDT') });
    for (const name of ['first', 'second']) {
      await real.venue.submit({ kind: 'create_account', settings: accountSettings(name) });
    }
    const funds = { accountId: FIRST, wallet: 'spot', assetId: USDT, amount: BEGIN } as const;
    await real.venue.submit({ kind: 'deposit', ...funds });
    const house = new PaymentHouse(scope, choices, real);
    scope.after(() => house.#life.end());
    return house;
  }

  static #venue(scope: Scope, { directory }: HouseChoices): Promise<RealVenue> {
    return RealVenue.open(scope, directory, { clock: new ManualClock(START_MS) });
  }

  get payments(): Payments {
    return this.#life.payments;
  }

  get faults(): readonly unknown[] {
    return this.#life.faults.filter((one) => !(one instanceof Ended));
  }

  get store(): PeopleStore {
    return this.#choices.store;
  }

  asking(account: AccountId = FIRST, personId = 'ada'): Asking {
    const nowMs = this.clock.nowMs();
    const named = { sessionId: 's', tokenHash: 'h', personId, address: '', agent: '' };
    const times = { createdMs: nowMs, confirmedMs: nowMs, lastSeenMs: nowMs, expiresMs: 1e15 };
    const rights = ['read', 'trade', 'transfer', 'withdraw'] as const;
    const access = [FIRST, SECOND].map((id) => {
      return { personId, accountId: id, label: '', rights };
    });
    const session = new LiveSession(
      't',
      { session: { ...named, ...times }, holder: HOLDER, access },
      0,
    );
    const { people, payments } = this.#life;
    return { people, payments, session, accountId: account };
  }

  async ask(kind: 'withdraw' | 'deposit' | 'transfer', amount: bigint) {
    this.clock.set(this.clock.nowMs() + 1);
    const asked = { coin: await this.coin(), amount, clientId: '', chain: '', tag: '' };
    const asking = this.asking();
    if (kind === 'withdraw') return askWithdrawal(asking, { ...asked, address: 'somewhere' });
    if (kind === 'deposit') return askDeposit(asking, { ...asked, reference: 'tx' });
    return askTransfer(asking, { ...asked, to: SECOND });
  }

  /** Does it, unless the process ends meanwhile. */
  async act(act: Act): Promise<void> {
    try {
      await this.#act(act);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    }
  }

  async #act(act: Act): Promise<void> {
    if ('amount' in act) {
      await this.ask(act.does, act.amount);
      return;
    }
    const all = await this.all();
    const payment = all[act.which % Math.max(all.length, 1)];
    if (payment === undefined) return;
    const { paymentId } = payment;
    const { payments } = this.#life;
    const does = {
      approve: () => approvePayment(payments, paymentId, OPERATOR),
      refuse: () => refusePayment(payments, paymentId, 'no'),
      sent: () => paymentSent(payments, paymentId, 'tx'),
      done: () => paymentDone(payments, paymentId, ''),
      fail: () => failPayment(payments, paymentId, 'bounced'),
      cancel: () => cancelPayment(this.asking(), paymentId),
    } as const;
    await does[act.does]();
  }

  endAfter(calls: number, counted: Counted = 'any'): void {
    this.#life.endAfter(calls, counted);
  }

  get hasEnded(): boolean {
    return this.#life.isOver;
  }

  /** The next life of the process, on what is left; of the venue, too, from its journal. */
  async nextLife(withVenue: boolean): Promise<void> {
    await this.#life.end();
    if (withVenue) {
      await this.#real.close();
      this.#real = await PaymentHouse.#venue(this.#scope, this.#choices);
    }
    this.#life = new Life(this.#choices, this.clock, this.#real);
    await this.#life.payments.clerk.nudge();
  }

  /** Ends every request that is under way, on the next day. */
  async tidy(): Promise<void> {
    for (const [which, { state }] of (await this.all()).entries()) {
      if (state === 'requested') await this.act({ does: 'refuse', which });
      if (state === 'approved' || state === 'sent') await this.act({ does: 'fail', which });
    }
    this.clock.set(this.clock.nowMs() + 86_400_000);
  }

  /** The newest first. */
  all(): Promise<readonly Payment[]> {
    return this.store.payments({ limit: 500 });
  }

  async balances(): Promise<Readonly<Record<string, bigint>>> {
    return this.#real.venue.read((state) => {
      const of = (name: string) => {
        const account = state.accountByName(name);
        return account?.balance('spot', USDT)?.balance ?? 0n;
      };
      return {
        first: of('first'),
        second: of('second'),
        holding: of(HOLDING_ACCOUNT),
        fees: of(FEES_ACCOUNT),
      };
    });
  }

  /** Every unit is where the requests say that it is, and none is anywhere else. */
  async reconcile(): Promise<void> {
    let [first, second, holding, fees] = [BEGIN, 0n, 0n, 0n];
    for (const { kind, state, amount, fee, isSettled } of await this.all()) {
      assert.equal(isSettled, true, 'no money is left on its way');
      const isUnder = state === 'requested' || state === 'approved' || state === 'sent';
      if (kind === 'deposit' && state === 'done') first += amount;
      if (kind === 'transfer' && state === 'done') {
        first -= amount;
        second += amount;
      }
      if (kind !== 'withdrawal' || !(isUnder || state === 'done')) continue;
      first -= amount + fee;
      if (isUnder) holding += amount + fee;
      else fees += fee;
    }
    assert.deepEqual(await this.balances(), { first, second, holding, fees });
    const audit = await this.#real.venue.read((state) => state.audit());
    assert.equal(audit.balanced, true);
    const [held] = await heldByCoin(this.payments);
    assert.equal(held?.locked ?? 0n, holding);
    assert.equal(held?.held ?? 0n, holding);
    assert.equal(held?.moving ?? 0n, 0n);
  }

  /** Nothing was brought in or taken out for what only goes from one account to another. */
  async reconcileTotals(): Promise<void> {
    let [deposited, withdrawn] = [BEGIN, 0n];
    for (const { kind, state, amount } of await this.all()) {
      if (kind === 'deposit' && state === 'done') deposited += amount;
      if (kind === 'withdrawal' && state === 'done') withdrawn += amount;
    }
    const { lines } = await this.#real.venue.read((state) => state.audit());
    const line = present(lines[USDT], 'line of the coin');
    assert.deepEqual([line.deposited, line.withdrawn], [deposited, withdrawn]);
  }

  /**
   * A withdrawal as the earlier release asked for it: two moves, of which so many were carried
   * out, and so many were noted as done. It tried the one behind those, and then ended.
   */
  async askedEarlier(amount: bigint, carriedOut: number, noted: number): Promise<string> {
    const earlier = `payments-earlier-${amount}`;
    const { accountId: holding } = await this.holding();
    const id = newId(this.clock.nowMs());
    const kind = 'withdrawal' as const;
    const terms = {
      ...{ kind, personId: 'ada', accountId: FIRST, toAccountId: undefined },
      ...{ coin: 'USDT', assetId: USDT, scale: 8, amount, fee: 3n, clientId: id },
      ...{ chain: '', address: 'somewhere', tag: '', reference: '', approvalsNeeded: 1 },
    };
    const moves = [
      { kind: 'withdraw', accountId: FIRST, amount: amount + 3n },
      { kind: 'deposit', accountId: holding, amount: amount + 3n },
    ] as const;
    const { store } = this;
    await store.addPayment(id, terms, this.clock.nowMs(), moves);
    for (const move of await store.movesOf(id)) {
      if (move.number > carriedOut) break;
      const origin = { sender: earlier, request: move.number + 1 };
      await store.takeMove(move, origin);
      if (move.number === carriedOut) break;
      const command = { ...present(moves[move.number], 'move'), wallet: 'spot' } as const;
      const from = { ...origin, openFrom: 1 };
      await this.#real.venue.submit({ ...command, assetId: USDT }, from);
      if (move.number < noted) await store.moveDone(move);
    }
    return id;
  }

  async coin(): Promise<Asset> {
    return present(await this.#real.venue.read((state) => state.listings.asset(USDT)), 'the coin');
  }

  async holding() {
    const find = () => this.#real.venue.read((state) => state.accountByName(HOLDING_ACCOUNT));
    return present(await find(), 'the account that holds');
  }

  /** By hand, past the requests. */
  async book(kind: 'deposit' | 'withdraw', account: AccountId, amount: bigint): Promise<void> {
    const money = { accountId: account, wallet: 'spot', assetId: USDT, amount } as const;
    const [event] = await this.#real.venue.submit({ kind, ...money });
    assert.equal(event?.kind, 'balance_changed');
  }

  /** What was asked for, once it was taken. */
  async taken(kind: 'withdraw' | 'deposit' | 'transfer', amount: bigint): Promise<Payment> {
    const payment = await this.ask(kind, amount);
    if (isRefused(payment)) assert.fail(`refused: ${payment.reject}`);
    return payment;
  }
}
