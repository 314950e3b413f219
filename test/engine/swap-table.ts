/**
 * Scenario tables: lines a trader can read, played on a venue one after the other. A line is a
 * command and, behind or below it after an arrow, all that it must do; a line without an arrow must
 * only not be refused. "has" lines state figures. A hash starts a remark: how a figure comes about.
 *
 *   mia joins 10x with 100              # isolated margin unless "cross" is said
 *   mia open_long 10 @ 30000 ioc        # post_only fok ioc id=a tp=33000 sl=27000 go behind
 *   mia plans open_long 5 @ market when 31000
 *   mia asks 5 @ 31000                  # short for open_short, and bids for open_long
 *   mia and tom trade 10 @ 30000        # she opens long against his resting open_short
 *   index 27000                         # feed NAME 27000, operator 27000, tick 60s, fund 5,
 *                                       # budget 0.1 0.2: parts of the fund, an hour and a day
 *     -> mia/9 10 @ 27015 with tom
 *   mia has balance 99.82, long 10 @ 30000, long.margin 30
 *   venue has fund 0.2, bids none
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AccountId,
  type Command,
  type ContractAction,
  type ContractSpec,
  type Event,
  type Force,
  type HoldSide,
  lots,
  type MarginMode,
  OPERATOR_SOURCE,
  type OrderId,
  PPM,
  SELF_TRADE_PREVENTIONS,
  type TriggeredPrice,
  ticks,
  WORKING_PRICES,
} from '#domain';
import { present } from '#kernel';
import { INVERSE, LINEAR } from '../support/contracts.ts';
import { type AccountOptions, Floor } from '../support/floor.ts';
import { triggerOrder } from '../support/orders.ts';
import { budgetChange } from '../support/terms.ts';
import { accountFigure, venueFigure } from './swap-figures.ts';
import { Teller } from './swap-words.ts';

const ACTIONS: Readonly<Record<string, ContractAction>> = {
  open_long: 'open_long',
  open_short: 'open_short',
  close_long: 'close_long',
  close_short: 'close_short',
  bids: 'open_long',
  asks: 'open_short',
};
const FORCES: readonly Force[] = ['gtc', 'post_only', 'fok', 'ioc'];
const MODES: readonly MarginMode[] = ['isolated', 'cross'];

/** A beginning: Ann holds 10 from 30000 with presets on both sides; mia and tim make the prices. */
export const PROTECTED = `
  ann joins 10x with 100
  tom joins cross with 1000
  mia joins cross with 10000
  tim joins cross with 10000
  tom asks 10 @ 30000
  ann open_long 10 @ 30000 tp=33000 sl=27500
    -> 10 @ 30000 with tom
    -> arms take_profit 10 for a rise to 33000
    -> arms stop_loss 10 for a fall to 27500
  ann has plans 2
`;

/**
 * Terms under which the mark price is the index price and nobody owes funding, so that every figure
 * can be worked out by hand: V = contracts x price / 1000 USDT, or contracts / price BTC.
 */
const QUIET = { fundingInterestPpm: 0, markClampPpm: 1 };
export const QUIET_LINEAR: ContractSpec = { ...LINEAR, ...QUIET };
export const QUIET_INVERSE: ContractSpec = { ...INVERSE, ...QUIET };

interface Row {
  readonly command: string;
  /** Undefined when the row does not say what comes of it. */
  readonly expected: readonly string[] | undefined;
}

/** What follows it in backticks. */
type Table<Result> = (text: TemplateStringsArray, ...parts: readonly (string | number)[]) => Result;

/** A test that plays one table on a new venue, of the quiet linear contract unless said. */
export function scenario(title: string, spec: ContractSpec = QUIET_LINEAR): Table<void> {
  return (text, ...parts) => {
    test(title, () => {
      playOn(spec)(text, ...parts);
    });
  };
}

/** Plays a table on a new venue with this contract and returns the venue. */
export function playOn(spec: ContractSpec): Table<Floor> {
  const venue = Floor.ofContract(spec);
  return (text, ...parts) => {
    play(venue)(text, ...parts);
    return venue;
  };
}

/** Plays a table on a venue that may have a past. */
export function play(venue: Floor): Table<void> {
  return (text, ...parts) => {
    const table = String.raw({ raw: text }, ...parts);
    for (const row of rowsOf(table)) new Line(venue, row).play();
  };
}

function rowsOf(table: string): Row[] {
  const rows: { command: string; expected: string[] | undefined }[] = [];
  for (const raw of table.split('\n')) {
    const [text = ''] = raw.split(/(?:^|\s)#\s/);
    if (text.trim() === '') continue;
    const [command = '', ...results] = text.split('->').map((part) => part.trim());
    const told = results.flatMap((result) => result.split(';').map((part) => part.trim()));
    const row = command === '' ? rows.at(-1) : { command, expected: undefined };
    const known = present(row, 'the line that an arrow belongs to');
    if (command !== '') rows.push(known);
    if (results.length > 0) {
      known.expected = [...(known.expected ?? []), ...told.filter((result) => result !== '')];
    }
  }
  return rows;
}

/** One row at work: reads its words from left to right. */
class Line {
  readonly #venue: Floor;
  readonly #row: Row;
  readonly #words: string[];

  constructor(venue: Floor, row: Row) {
    this.#venue = venue;
    this.#row = row;
    this.#words = row.command.split(/\s+/);
  }

  play(): void {
    const { command, expected } = this.#row;
    const who = this.#next();
    if (this.#words[0] === 'has') {
      assert.deepEqual(this.#figures(who), command.replaceAll(/\s+/g, ' '));
      return;
    }
    const teller = new Teller(this.#venue, (id) => this.#nameOf(id), who);
    const told = teller.told(this.#run(who));
    assert.deepEqual(this.#words, [], `"${command}" has words that nobody read`);
    if (expected !== undefined) assert.deepEqual(told, expected, command);
    const refused = told.find((line) => line.startsWith('refused'));
    if (expected === undefined) assert.equal(refused, undefined, command);
  }

  /** The row's own text with the figures that it should have had. */
  #figures(who: string): string {
    const [, ...rest] = this.#words;
    const words = rest
      .join(' ')
      .split(', ')
      .map((part) => part.split(' ')[0] ?? '');
    const figures = words.map((word) => {
      const figure =
        who === 'venue' ? venueFigure(this.#venue, word) : accountFigure(this.#venue, who, word);
      return `${word} ${figure}`;
    });
    return `${who} has ${figures.join(', ')}`;
  }

  #run(who: string): readonly Event[] {
    const venue = this.#venue;
    switch (who) {
      case 'index':
        return venue.index(this.#next());
      case 'feed':
        return this.#report(this.#next());
      case 'operator':
        return this.#report(OPERATOR_SOURCE);
      case 'tick':
        return venue.tick(this.#seconds() * 1_000);
      case 'wait':
        venue.wait(this.#seconds() * 1_000);
        return [];
      case 'budget':
        return venue.run(
          budgetChange(venue.contract, { hourPpm: this.#ppm(), dayPpm: this.#ppm() }),
        );
      case 'fund':
        return venue.fundInsurance(this.#next());
      default:
        return this.#act(who, this.#next());
    }
  }

  #act(who: string, verb: string): readonly Event[] {
    const venue = this.#venue;
    const action = ACTIONS[verb];
    if (action !== undefined) return this.#order(who, action);
    switch (verb) {
      case 'joins':
        return this.#join(who);
      case 'and':
        return this.#trade(who);
      case 'deposits':
        return venue.fund(who, this.#next());
      case 'withdraws':
        return venue.withdraw(who, this.#next());
      case 'plans':
        return this.#plan(who);
      case 'moves':
        return this.#move(who);
      case 'closes':
        return this.#command(who, { kind: 'close_position', side: this.#side() });
      case 'protects':
        return this.#protect(who);
      case 'modifies':
        return this.#changed(who, 'modify_tp_sl');
      case 'resets':
        return this.#changed(who, 'modify_trigger_order');
      case 'cancels':
        return this.#cancel(who, this.#next());
      case 'leverage':
        return this.#leverage(who);
      case 'adds':
        return this.#adjust(who, '');
      case 'takes':
        return this.#adjust(who, '-');
      case 'automatic':
        return this.#automatic(who);
      case 'mode':
        return this.#mode(who);
      default:
        throw new Error(`nobody knows how to "${verb}"`);
    }
  }

  /** A new account: [isolated|cross] [10x] [self-trade prevention] with AMOUNT. */
  #join(who: string): readonly Event[] {
    const options: { -readonly [name in keyof AccountOptions]: AccountOptions[name] } = {};
    for (let word = this.#next(); word !== 'with'; word = this.#next()) {
      const mode = MODES.find((known) => known === word);
      const prevention = SELF_TRADE_PREVENTIONS.find((known) => known === word);
      if (mode !== undefined) options.mode = mode;
      else if (prevention !== undefined) options.selfTradePrevention = prevention;
      else options.leverage = Number(word.replace(/x$/, ''));
    }
    this.#venue.open(who, this.#next(), options);
    return [];
  }

  #trade(who: string): readonly Event[] {
    const other = this.#next();
    this.#expect('trade');
    const { size, price } = this.#lot();
    const rested = this.#venue.order(other, 'open_short', price, size);
    return [...rested, ...this.#venue.order(who, 'open_long', price, size)];
  }

  #order(who: string, action: ContractAction): readonly Event[] {
    const { size, price } = this.#lot();
    const found = this.#options();
    return this.#venue.order(who, action, price, size, {
      force: FORCES.find((force) => found.has(force)) ?? 'gtc',
      clientOrderId: found.get('id'),
      takeProfit: found.get('tp') ?? '0',
      stopLoss: found.get('sl') ?? '0',
      working: WORKING_PRICES.find((known) => found.has(known)),
    });
  }

  #ppm(): number {
    return Number(this.#next()) * PPM;
  }

  /** moves ID to 5 @ 30000. */
  #move(who: string): readonly Event[] {
    const { orderId } = this.#orderCalled(who, this.#next());
    this.#expect('to');
    const { size, price } = this.#lot();
    const sizeLots = lots(this.#venue.lots(size));
    const priceTicks = ticks(this.#venue.ticks(price));
    return this.#command(who, { kind: 'move_contract_order', orderId, priceTicks, sizeLots });
  }

  /** protects long stop_loss 5 @ market when 29000 [mark] [id=a]; all for 5. */
  #protect(who: string): readonly Event[] {
    const kind = 'place_tp_sl';
    const side = this.#side();
    const purpose = this.#oneOf(['take_profit', 'stop_loss'] as const);
    const { size, price } = this.#lot();
    this.#expect('when');
    const triggerTicks = ticks(this.#venue.ticks(this.#next()));
    const sizeLots = lots(size === 'all' ? 0 : this.#venue.lots(size));
    const found = this.#options();
    const workingPrice = WORKING_PRICES.find((known) => found.has(known)) ?? 'last';
    const clientOrderId = found.get('id');
    const terms = { kind, side, purpose, triggerTicks, sizeLots, workingPrice } as const;
    return this.#command(who, { ...terms, clientOrderId, ...this.#execution(price) });
  }

  /** modifies or resets ID to 29500 [mark|last|index] [at=28000|at=market]; resets: [size=5]. */
  #changed(who: string, kind: 'modify_tp_sl' | 'modify_trigger_order'): readonly Event[] {
    const { orderId } = this.#triggerCalled(who, this.#next());
    this.#expect('to');
    const triggerTicks = ticks(this.#venue.ticks(this.#next()));
    const found = this.#options();
    const workingPrice = WORKING_PRICES.find((known) => found.has(known));
    const at = found.get('at');
    const execution = at === undefined ? undefined : this.#execution(at);
    const size = found.get('size');
    const asked = { orderId, triggerTicks, workingPrice, execution };
    if (kind === 'modify_tp_sl') return this.#command(who, { kind, ...asked });
    if (size === undefined) return this.#command(who, { kind, ...asked });
    const sizeLots = lots(size === 'all' ? 0 : this.#venue.lots(size));
    return this.#command(who, { kind, ...asked, sizeLots });
  }

  #execution(price: string): TriggeredPrice {
    return price === 'market'
      ? { type: 'market' }
      : { type: 'limit', executeTicks: ticks(this.#venue.ticks(price)) };
  }

  #orderCalled(who: string, clientOrderId: string) {
    const found = this.#venue.engine.openContractOrderByClientId(
      this.#venue.id(who),
      clientOrderId,
    );
    return present(found, `order ${clientOrderId}`);
  }

  /** By its client id, or by its purpose where there is one of it. */
  #triggerCalled(who: string, name: string) {
    const waiting = [...this.#venue.engine.waitingTriggers(this.#venue.id(who))];
    const named = waiting.find(
      ({ clientOrderId, orderId }) => (clientOrderId ?? `plan#${orderId}`) === name,
    );
    return present(named ?? waiting.find(({ purpose }) => purpose === name), `trigger ${name}`);
  }

  #plan(who: string): readonly Event[] {
    const action = present(ACTIONS[this.#next()], 'action of the plan');
    const { size, price } = this.#lot();
    this.#expect('when');
    const trigger = this.#next();
    const isMarket = price === 'market';
    const found = this.#options();
    const priceOf = (name: string) => {
      const given = found.get(name);
      return given === undefined ? undefined : ticks(this.#venue.ticks(given));
    };
    const direction = (['rise', 'fall'] as const).find((known) => found.has(known));
    return this.#venue.run(
      triggerOrder({
        accountId: this.#venue.id(who),
        instrumentId: this.#venue.contract.instrumentId,
        action,
        sizeLots: lots(this.#venue.lots(size)),
        triggerTicks: ticks(this.#venue.ticks(trigger)),
        executeTicks: isMarket ? undefined : ticks(this.#venue.ticks(price)),
        clientOrderId: found.get('id'),
        workingPrice: WORKING_PRICES.find((known) => found.has(known)),
        ...(direction && { direction }),
        takeProfitTicks: priceOf('tp'),
        stopLossTicks: priceOf('sl'),
      }),
    );
  }

  #cancel(who: string, clientOrderId: string): readonly Event[] {
    const { engine, contract } = this.#venue;
    const accountId = this.#venue.id(who);
    const called = (item: { readonly clientOrderId?: string | undefined }) =>
      item.clientOrderId === clientOrderId;
    const order = [...engine.openContractOrders(accountId, contract.instrumentId)].find(called);
    if (order) return this.#command(who, { kind: 'cancel_contract_order', ...idOf(order) });
    const trigger = this.#triggerCalled(who, clientOrderId);
    return this.#command(who, { kind: 'cancel_trigger_order', ...idOf(trigger) });
  }

  /** leverage 10x [long|short] [of isolated]. */
  #leverage(who: string): readonly Event[] {
    const leverage = Number(this.#next().replace(/x$/, ''));
    const isSided = this.#words.length > 0 && this.#words[0] !== 'of';
    const side = isSided ? this.#side() : 'both';
    if (this.#words.length === 0) return this.#venue.leverage(who, side, leverage);
    this.#expect('of');
    return this.#command(who, { kind: 'set_leverage', side, leverage, mode: this.#oneOf(MODES) });
  }

  /** mode cross [stored]. */
  #mode(who: string): readonly Event[] {
    const kind = 'set_margin_mode';
    const mode = this.#oneOf(MODES);
    if (this.#words.length === 0) return this.#command(who, { kind, mode });
    this.#expect('stored');
    return this.#command(who, { kind, mode, leverages: 'stored' });
  }

  /** adds 5 to long, takes 5 from long. */
  #adjust(who: string, sign: '' | '-'): readonly Event[] {
    const amount = this.#next();
    this.#expect(sign === '' ? 'to' : 'from');
    return this.#venue.adjustMargin(who, this.#side(), sign + amount);
  }

  #automatic(who: string): readonly Event[] {
    const side = this.#side();
    const automatic = this.#oneOf(['on', 'off'] as const) === 'on';
    return this.#command(who, { kind: 'set_auto_margin', side, automatic });
  }

  #report(source: string): readonly Event[] {
    const { instrumentId } = this.#venue.contract;
    const priceTicks = ticks(this.#venue.ticks(this.#next()));
    return this.#venue.run({ kind: 'report_index', instrumentId, source, priceTicks });
  }

  /** Runs a command of this account in this contract. */
  #command(who: string, command: WithoutOwner): readonly Event[] {
    const { instrumentId } = this.#venue.contract;
    return this.#venue.run({ ...command, accountId: this.#venue.id(who), instrumentId });
  }

  #nameOf(accountId: AccountId): string {
    return present(this.#venue.engine.account(accountId), 'account').name;
  }

  #lot(): { readonly size: string; readonly price: string } {
    const size = this.#next();
    this.#expect('@');
    return { size, price: this.#next() };
  }

  /** The words that are left: "ioc" or "tp=33000". */
  #options(): ReadonlyMap<string, string> {
    const words = this.#words.splice(0);
    return new Map(
      words.map((word) => {
        const [name = '', value = ''] = word.split('=');
        return [name, value] as const;
      }),
    );
  }

  #seconds(): number {
    return Number((this.#words.shift() ?? '1s').replace(/s$/, ''));
  }

  #side(): HoldSide {
    return this.#oneOf(['long', 'short'] as const);
  }

  #oneOf<T extends string>(words: readonly T[]): T {
    const word = this.#next();
    return present(
      words.find((known) => known === word),
      `one of ${words.join(', ')} instead of ${word}`,
    );
  }

  #expect(word: string): void {
    assert.equal(this.#next(), word, this.#row.command);
  }

  #next(): string {
    return present(this.#words.shift(), `word in "${this.#row.command}"`);
  }
}

type Owned = Extract<Command, { instrumentId: unknown; accountId: unknown }>;
type WithoutOwner = Owned extends infer One
  ? One extends Owned
    ? Omit<One, 'accountId' | 'instrumentId'>
    : never
  : never;

function idOf({ orderId }: { readonly orderId: OrderId }): { readonly orderId: OrderId } {
  return { orderId };
}
