/**
 * Moves the money of payments: what a payment needs is written down first, then carried out command
 * by command, each under an origin of its own, then noted as done. Whatever a crash leaves half
 * done is gone on with, and the engine carries out no origin twice. Money goes from one account to
 * another by one command, so it is always in one of them. One process does it: the one that orders
 * commands.
 */
import {
  type AssetId,
  type Command,
  type Event,
  isRefused,
  type Origin,
  type RejectKind,
} from '#domain';
import { present } from '#kernel';
import type { PeopleStore } from '../port.ts';
import { newId } from '../secrets/tokens.ts';
import { paymentEvent } from './event-body.ts';
import { paymentMail } from './mails.ts';
import type { PaymentParts } from './parts.ts';
import type { MoveOrigin, Payment, PaymentMove } from './port.ts';
import { rulesOf, unitsOf } from './rules.ts';

const EVERY_MS = 1_000;
const PAGE = 100;
export const DAY_MS = 86_400_000;

/** Refusals that say nothing about the payment: it is tried again. */
const PASSING: ReadonlySet<RejectKind> = new Set<RejectKind>([
  'venue_busy',
  'rate_exceeded',
  'venue_halted',
  'outcome_unknown',
  'command_withheld',
  'maintenance',
]);

/** The venue takes no commands now, or nobody knows what became of one. */
class LaterFault extends Error {
  override readonly name = 'LaterFault';
}

export class PaymentClerk {
  readonly #parts: PaymentParts;
  /** Names this life of the clerk to the engine. */
  readonly #sender: string;
  /** By move, its number in this life, until its outcome is known. */
  readonly #open = new Map<string, number>();
  /** Those that an account cannot be paid now, because its money is held. */
  readonly #waiting = new Set<string>();
  #lastRequest = 0;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;
  #run: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(parts: PaymentParts) {
    this.#parts = parts;
    this.#sender = `payments-${newId(parts.nowMs())}`;
  }

  /** From here on this process moves the money whenever it leads; a start does not wait for it. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#timer = setInterval(() => void this.#tick(), EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    clearInterval(this.#timer);
    await this.#next;
    await this.#run;
  }

  /** Resolves once everything that waits now was tried. */
  async nudge(): Promise<void> {
    if (!this.#isRunning || !this.#parts.leads()) return;
    this.#next ??= this.#after(this.#run);
    await this.#next;
  }

  /** Whether it stays unsettled until the account may be paid again. */
  waitsWith(paymentId: string): boolean {
    return this.#waiting.has(paymentId);
  }

  async #after(before: Promise<void> | undefined): Promise<void> {
    await before;
    this.#next = undefined;
    this.#run = this.#all().catch((error: unknown) => {
      // The venue says itself that it takes no commands.
      if (!(error instanceof LaterFault)) this.#parts.onFault(error);
    });
    await this.#run;
  }

  /** A venue that never had people does not get a store of them by this. */
  async #tick(): Promise<void> {
    if (this.#parts.people.mayHold) await this.nudge();
  }

  async #all(): Promise<void> {
    const store = await this.#parts.people.get();
    let after = '';
    while (this.#isRunning) {
      const page = await store.unsettledPayments(after, PAGE);
      for (const payment of page) await this.#carryOn(store, payment);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.paymentId;
    }
  }

  /** One that cannot go on keeps no other from it; a venue that takes no commands keeps all. */
  async #carryOn(store: PeopleStore, payment: Payment): Promise<void> {
    if (!this.#isRunning) return;
    try {
      await this.#settle(store, payment);
    } catch (error) {
      if (error instanceof LaterFault) throw error;
      this.#parts.onFault(error);
    }
  }

  async #settle(store: PeopleStore, payment: Payment): Promise<void> {
    const moves = await store.movesOf(payment.paymentId);
    const isFresh = moves.every(({ isDone, origin }) => !isDone && origin === undefined);
    if (isFresh && (await this.#isOverLimit(store, payment))) {
      await this.#drop(store, payment, 'payment_limit_exceeded');
      return;
    }
    for (const move of moves) {
      if (move.isDone) continue;
      const refused = await this.#carryOut(store, payment, move);
      if (refused === undefined) continue;
      if (refused === 'money_held' && (move.number > 0 || payment.kind === 'deposit')) {
        this.#waiting.add(payment.paymentId);
        return;
      }
      if (move.number === 0) return this.#drop(store, payment, refused);
      throw new Error(
        `payment ${payment.paymentId}: its move ${move.number} was refused: ${refused}`,
      );
    }
    this.#waiting.delete(payment.paymentId);
    const { nowMs } = this.#parts;
    if (await store.settlePayment(payment.paymentId, paymentEvent(payment, nowMs()))) {
      await this.#mail(store, payment);
    }
  }

  async #drop(store: PeopleStore, payment: Payment, reason: RejectKind): Promise<void> {
    const { paymentId } = payment;
    if (await store.dropPayment(paymentId, reason, this.#parts.nowMs())) return;
    throw new Error(`payment ${paymentId}: refused as ${reason}, and carried out elsewhere`);
  }

  /** Judged here alone, one after the other: two at once cannot both be the last below it. */
  async #isOverLimit(store: PeopleStore, payment: Payment): Promise<boolean> {
    const { personId, accountId, coin, kind, scale, amount, paymentId, state } = payment;
    const { settings } = this.#parts;
    if (kind !== 'withdrawal' || state !== 'requested') return false;
    const limit = rulesOf(settings, coin)?.dailyLimit;
    if (limit === undefined) return false;
    const sinceMs = payment.createdMs - DAY_MS;
    const query = { personId, accountId, coin, sinceMs, except: paymentId };
    const { withdrawn } = await store.asked(query);
    return withdrawn + amount > unitsOf(limit, scale);
  }

  /** Why the engine refuses it; undefined once it was carried out. */
  async #carryOut(
    store: PeopleStore,
    { assetId }: Payment,
    move: PaymentMove,
  ): Promise<RejectKind | undefined> {
    const origin = await this.#originOf(store, move);
    const events = await this.#parts.venue.submit(commandOf(move, assetId), origin);
    const refused = refusalIn(events);
    if (refused === undefined) {
      await store.moveDone(move);
      this.#open.delete(nameOf(move));
      return undefined;
    }
    if (PASSING.has(refused)) throw new LaterFault(`the venue says ${refused}: payments wait`);
    // It was judged by a state that is the venue's: a process that was deposed fails here.
    await this.#parts.venue.read(() => undefined);
    await store.letGoMove(move, origin);
    this.#open.delete(nameOf(move));
    return refused;
  }

  /** Of an earlier life of the clerk, if that has tried it: it may have been carried out. */
  async #originOf(store: PeopleStore, move: PaymentMove): Promise<Origin> {
    const known = move.origin ?? (await this.#newOrigin(store, move));
    if (known.sender !== this.#sender) return { ...known, openFrom: 1 };
    return { ...known, openFrom: Math.min(known.request, ...this.#open.values()) };
  }

  /** The same number again for a move whose origin could not be written, or not be known to be. */
  async #newOrigin(store: PeopleStore, move: PaymentMove): Promise<MoveOrigin> {
    const name = nameOf(move);
    let request = this.#open.get(name);
    if (request === undefined) {
      this.#lastRequest += 1;
      request = this.#lastRequest;
      this.#open.set(name, request);
    }
    const taken = await store.takeMove(move, { sender: this.#sender, request });
    if (taken === undefined) throw new Error(`payment ${move.paymentId}: a move of it is gone`);
    if (taken.sender !== this.#sender) this.#open.delete(name);
    return taken;
  }

  async #mail(store: PeopleStore, payment: Payment): Promise<void> {
    const { mailer, names } = this.#parts;
    if (mailer === undefined) return;
    const person = await store.person(payment.personId);
    if (person === undefined) return;
    const mail = paymentMail(payment, names, person.language);
    if (mail !== undefined) mailer.send({ to: person.email, ...mail });
  }
}

function nameOf({ paymentId, number }: PaymentMove): string {
  return `${paymentId} ${number}`;
}

function commandOf(move: PaymentMove, assetId: AssetId): Command {
  const { kind, accountId, toAccountId, amount } = move;
  if (kind !== 'transfer') return { kind, accountId, wallet: 'spot', assetId, amount };
  const to = { toAccountId: present(toAccountId, 'where a transfer goes') };
  return { kind: 'transfer_between_accounts', accountId, ...to, assetId, amount };
}

function refusalIn(events: readonly Event[]): RejectKind | undefined {
  const refused = events.find(isRefused);
  return refused?.reject;
}
