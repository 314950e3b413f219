/**
 * The auditor: sees every command with what the venue says it did, and the state it left, and
 * throws what must not be. What a pair or a wallet does it knows beforehand; of contracts it judges
 * every event by the rules, and the state after each. It shares no code with the engine.
 */
import type {
  AccountSettings,
  AccountView,
  Command,
  Detail,
  Event,
  Refused,
  StateReader,
} from '#domain';
import { judgeOrder, TAKEN, type Verdict } from './admission.ts';
import * as begun from './begun.ts';
import * as budget from './budget.ts';
import { contractDetail } from './details.ts';
import { applyEvent } from './events.ts';
import { nothingDue } from './funding.ts';
import { nextFunding } from './funding-times.ts';
import { must, mustBe, show } from './judge.ts';
import { emptyModel, type Model } from './model.ts';
import * as money from './money.ts';
import { judgeOperator } from './operator.ts';
import { judgeMove, seatIn } from './placed.ts';
import * as presets from './presets.ts';
import * as prices from './prices.ts';
import * as refusals from './refusals.ts';
import * as reversing from './reversing.ts';
import { judgeSetting } from './settings.ts';
import * as spot from './spot.ts';
import { spotDetail } from './spot-details.ts';
import { judgeTrigger } from './trigger-admission.ts';
import * as triggers from './triggers.ts';
import { Turn } from './turn.ts';
import * as views from './views.ts';
import * as waves from './waves.ts';
import * as working from './working.ts';

interface SeenStep {
  readonly command: Command;
  readonly timeMs: number;
  readonly events: readonly Event[];
}

/** A command of which nothing is said beforehand. */
const NOT_JUDGED = 'not judged';

/** A state that can say whether work of earlier commands is left. */
type View = StateReader & { readonly hasWork: boolean };

export class Auditor {
  /** How often each rule was looked at: what is not here was not judged. */
  readonly judged = new Map<string, number>();
  #model = emptyModel();
  #lastId = 0;
  #place = 2 ** 40;
  readonly #checkpoints = new Map<string, Model>();

  see({ command, timeMs, events }: SeenStep, view: View): void {
    const turn = new Turn(command, timeMs, events, this.judged, this.#place);
    const [first] = events;
    must(first !== undefined, 'answer', () => `${command.kind} has no answer`);
    budget.begin(this.#model, turn);
    nothingDue(this.#model, turn);
    if (working.isHeldBack(this.#model, command)) {
      const said = first.kind === 'refused' ? first.reject : TAKEN;
      mustBe('answer', `${show(command)} during an order at work`, said, 'venue_busy');
      turn.count('command held back');
      return;
    }
    working.begin(this.#model, turn);
    // Before anything is worked out that changes what is known.
    const detail =
      first.kind === 'refused' ? this.#detailOf(command, timeMs, first.reject) : undefined;
    const said = first.kind === 'refused' ? first.reject : TAKEN;
    const expected = this.#expect(command, timeMs, said);
    const isForetold = this.#admit(turn, command, first);
    if (expected !== undefined) this.#compare(turn, expected, events);
    else if (first.kind === 'refused') {
      if (!isForetold) refusals.judge(this.#model, turn, command, first.reject);
    } else this.#follow(turn, view);
    if (first.kind === 'refused') {
      checkDetail(turn, first, detail);
      mustBe('answer', 'events of a refusal', events.length, 1);
      mustBe('answer', 'the last number after a refusal', view.lastId, this.#lastId);
    } else this.#checkAfter(turn, view);
    must(view.lastId >= this.#lastId, 'answer', () => 'numbers go back');
    this.#lastId = view.lastId;
    this.#place = turn.lastPlace;
  }

  /** Everything there is, against all that is known: after a start, and now and then. */
  checkAll(view: View): void {
    const model = this.#model;
    mustBe('account', 'how many accounts there are', view.accountsCount, model.accounts.size);
    for (const account of view.accounts()) this.#checkAccount(account);
    for (const accountId of model.accounts.keys()) {
      views.checkSpotBalances(model, view, accountId);
    }
    for (const pair of model.pairs.values()) views.checkPair(view, pair);
    for (const book of model.contracts.values()) {
      views.checkContract(model, view, book);
      for (const seat of book.seats.values()) views.checkSeat(model, view, book, seat);
      const waiting = [...model.accounts.keys()].flatMap((accountId) => [
        ...view.waitingTriggers(accountId as never, book.terms.instrumentId),
      ]);
      mustBe('trigger', 'how many triggers wait', waiting.length, book.triggers.size);
    }
    views.checkConservation(model);
    this.judged.set('judged: whole state', (this.judged.get('judged: whole state') ?? 0) + 1);
  }

  #checkAccount(account: AccountView): void {
    const { name, frozen, selfTradePrevention, openOrdersMax } = account;
    const { accountId, moneyHolder } = account;
    const shown = { name, frozen, selfTradePrevention, openOrdersMax, moneyHolder };
    const own = this.#model.accounts.get(accountId);
    const { name: is, frozen: isFrozen, ...rest } = own ?? ({} as AccountSettings);
    const expected = {
      name: is,
      frozen: isFrozen,
      selfTradePrevention: rest.selfTradePrevention,
      openOrdersMax: rest.openOrdersMax,
      moneyHolder: this.#model.holders.get(accountId) ?? '',
    };
    mustBe('account', `settings of account ${accountId}`, shown, expected);
  }

  /** What a command of pairs and wallets must do; undefined for what is judged as it comes. */
  #expect(command: Command, timeMs: number, said: string): spot.Expected | undefined {
    const model = this.#model;
    const numbers = { next: this.#lastId + 1 };
    switch (command.kind) {
      case 'place_spot_order':
        return spot.placeSpot(model, command, timeMs, numbers);
      case 'cancel_spot_order':
        return spot.cancelSpot(model, command, timeMs);
      case 'move_spot_order':
        return spot.moveSpot(model, command, timeMs, numbers);
      case 'deposit':
        return money.deposit(model, command, timeMs, numbers);
      case 'withdraw':
        return money.withdraw(model, command, timeMs, numbers, said);
      case 'set_lock':
        return money.setLock(model, command);
      case 'hold_money':
        return money.holdMoney(model, command);
      case 'transfer':
        return money.transfer(model, command, timeMs, numbers, said);
      case 'transfer_between_accounts':
        return money.transferBetweenAccounts(model, command, numbers);
      default:
        return undefined;
    }
  }

  #compare(turn: Turn, expected: spot.Expected, events: readonly Event[]): void {
    const { kind } = turn.command;
    turn.count(`${kind} foretold`);
    const [first] = events;
    if ('reject' in expected) {
      const said = first?.kind === 'refused' ? first.reject : 'nothing: it was carried out';
      mustBe('answer', `refusal of ${show(turn.command)}`, said, expected.reject);
      return;
    }
    for (const [at, event] of expected.events.entries()) {
      mustBe('answer', `event ${at} of ${kind}`, events[at], event);
    }
    mustBe('answer', `number of events of ${kind}`, events.length, expected.events.length);
  }

  #detailOf(command: Command, timeMs: number, reject: string): Detail | undefined {
    const model = this.#model;
    const ofOwner = spotDetail(model, command, reject) ?? contractDetail(model, command, reject);
    return ofOwner ?? this.#operator(command, timeMs)?.detail;
  }

  /** What owners ask of a contract is done or refused as it must be; whether that was known. */
  #admit(turn: Turn, command: Command, first: Event): boolean {
    const verdict = this.#verdictOn(command, turn.timeMs);
    if (verdict === NOT_JUDGED) return false;
    turn.count(`${command.kind} ${verdict === undefined ? 'left open' : 'foretold'}`);
    if (verdict === undefined) return false;
    const said = first.kind === 'refused' ? first.reject : TAKEN;
    mustBe('admission', `answer to ${show(command)}`, said, verdict);
    return true;
  }

  #verdictOn(command: Command, timeMs: number): Verdict {
    const model = this.#model;
    switch (command.kind) {
      case 'place_contract_order':
        return judgeOrder(model, command, timeMs, seatIn(model, command.accountId));
      case 'move_contract_order':
        return judgeMove(model, command, timeMs);
      case 'place_trigger_order':
      case 'place_tp_sl':
      case 'modify_tp_sl':
      case 'modify_trigger_order':
      case 'close_position':
      case 'cancel_contract_order':
      case 'cancel_trigger_order':
        return judgeTrigger(model, command, timeMs);
      case 'adjust_margin':
      case 'set_leverage':
      case 'set_margin_mode':
      case 'set_auto_margin':
        return judgeSetting(model, command);
      default:
        return this.#operator(command, timeMs)?.verdict ?? NOT_JUDGED;
    }
  }

  #operator(command: Command, timeMs: number): ReturnType<typeof judgeOperator> {
    return judgeOperator(this.#model, command, timeMs, new Set(this.#checkpoints.keys()));
  }

  #follow(turn: Turn, view: View): void {
    const { command, events } = turn;
    const model = this.#model;
    for (const { triggers: waiting } of model.contracts.values()) {
      for (const { view: trigger, reached } of waiting.values()) {
        if (reached) turn.wereReachedBefore.add(trigger.orderId);
      }
    }
    if (command.kind === 'tick' || command.kind === 'report_index') this.#noteMarks(turn);
    if (command.kind === 'continue_work') waves.goOn(model, turn);
    let known = 0;
    for (const [at, event] of events.entries()) {
      turn.at = at;
      if (at < known) continue;
      const foretold = command.kind === 'continue_work' ? working.goOnSpot(model, turn) : 0;
      known = at + foretold;
      if (foretold > 0) continue;
      if (event.kind === 'checkpoint_saved') {
        this.#checkpoints.set(event.checkpoint.name, structuredClone(model));
      } else if (event.kind === 'checkpoint_dropped') this.#checkpoints.delete(event.name);
      else if (event.kind === 'venue_reset') this.#reset(turn, event.checkpoint);
      else applyEvent(this.#model, turn, event);
    }
    if (command.kind === 'tick' || command.kind === 'report_index') this.#afterPrices(turn);
    if (command.kind === 'continue_work') waves.endGoingOn(model, turn);
    begun.endStep(this.#model, turn, view.hasWork);
    if (!view.hasWork) triggers.allFired(this.#model);
  }

  /** Marks that stay as they were are worked out and not published. */
  #noteMarks({ events, command }: Turn): void {
    const published = new Set<number>(
      events.map((event) => (event.kind === 'contract_priced' ? event.prices.instrumentId : -1)),
    );
    for (const [instrumentId, book] of this.#model.contracts) {
      const isOther = command.kind === 'report_index' && command.instrumentId !== instrumentId;
      if (isOther || published.has(instrumentId) || book.terms.status === 'suspended') continue;
      if (book.prices !== undefined) triggers.notePrices(book, book.prices);
    }
  }

  #reset(turn: Turn, { name, timeMs }: { name: string; timeMs: number }): void {
    const kept = this.#checkpoints.get(name);
    must(kept !== undefined, 'checkpoint', () => `there is no checkpoint ${name}`);
    this.#model = structuredClone(kept);
    turn.incoming.clear();
    working.begin(this.#model, turn);
    for (const book of this.#model.contracts.values()) {
      book.nextFundingMs = nextFunding(book.terms, turn.timeMs);
      prices.wake(book, turn.timeMs - timeMs);
    }
    turn.count('reset');
  }

  /** Every contract has had its turn, also one whose prices stayed as they were. */
  #afterPrices(turn: Turn): void {
    const { command } = turn;
    for (const book of this.#model.contracts.values()) {
      const { instrumentId, status } = book.terms;
      if (status === 'suspended') continue;
      if (command.kind === 'report_index' && command.instrumentId !== instrumentId) continue;
      if (!turn.wavesEnded.has(instrumentId)) waves.endWave(this.#model, turn, book);
    }
    waves.leftBreached(this.#model, turn);
  }

  #checkAfter(turn: Turn, view: View): void {
    const model = this.#model;
    const { command } = turn;
    working.endStep(model, turn, view.hasWork);
    reversing.endStep(turn);
    mustBe('order', 'orders on their way after the step', turn.incoming.size, 0);
    presets.allProtected(model, turn);
    if ('instrumentId' in command) {
      const pair = model.pairs.get(command.instrumentId);
      if (pair !== undefined) views.checkPair(view, pair);
    }
    for (const accountId of accountsOf(turn)) views.checkSpotBalances(model, view, accountId);
    for (const [instrumentId, accounts] of turn.touched) {
      const book = model.contracts.get(instrumentId);
      if (book === undefined) continue;
      views.checkContract(model, view, book);
      for (const accountId of accounts) {
        const seat = book.seats.get(accountId);
        if (seat !== undefined) views.checkSeat(model, view, book, seat);
      }
    }
  }
}

/** Accounts whose spot balances a step may have changed. */
function accountsOf({ command, events }: Turn): Set<number> {
  const accounts = new Set<number>();
  if ('accountId' in command) accounts.add(command.accountId);
  for (const event of events) {
    if (event.kind === 'trade') accounts.add(event.takerAccountId).add(event.makerAccountId);
    else if (event.kind === 'order_closed') accounts.add(event.order.accountId);
  }
  return accounts;
}

/** The figures of a refusal whose kind is right. */
function checkDetail(turn: Turn, { reject, detail }: Refused, expected: Detail | undefined): void {
  if (expected === undefined) {
    turn.count(`detail not judged: ${reject}`);
    return;
  }
  mustBe('detail', `what ${reject} of ${show(turn.command)} is about`, detail, expected);
  turn.count(`detail foretold: ${expected.is}`);
}
