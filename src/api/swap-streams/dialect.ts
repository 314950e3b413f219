/** The contract stream: its messages joined with its public feeds and its account folds. */
import type { AccountId, Event, InstrumentId, StateReader, Step, VenuePort } from '#domain';
import type { Clock } from '#kernel';
import type { LiveMarkets } from '#market-data';
import type { AccountFold, Dialect, PublishPrivate } from '../streams/dialect.ts';
import { FollowedAccounts } from '../streams/followed-accounts.ts';
import { ContractAccountFold } from './account-fold.ts';
import { SWAP_STREAM_PATH, tableOf } from './channels.ts';
import { openFeed } from './feeds.ts';
import {
  readMessage,
  writeAck,
  writeLoggedIn,
  writeLoginRefused,
  writePush,
  writeRefused,
} from './messages.ts';
import { contractOf, ownersOf } from './touched.ts';

export interface SwapDialectOptions {
  readonly venue: VenuePort;
  readonly live: LiveMarkets;
  readonly clock: Clock;
}

export function swapDialect(options: SwapDialectOptions): Dialect {
  const { listings } = options.live;
  const touched = new Touched(options);
  return {
    path: SWAP_STREAM_PATH,
    stream: 'swap',
    read: (text) => readMessage(text, listings),
    subscribed: ({ spelling }) => writeAck('subscribe', spelling),
    unsubscribed: ({ spelling }) => writeAck('unsubscribe', spelling),
    loggedIn: writeLoggedIn,
    loginRefused: writeLoginRefused,
    refused: writeRefused,
    push: (topic, action, data, seq) => writePush(tableOf(topic), action, data, seq),
    openFeed: (feed) => openFeed(options, feed),
    openAccount: (accountId, state, publish) => touched.open(accountId, state, publish),
    accountsOf: (event) => touched.concernedBy(event),
  };
}

/** Whose account a step touches, when it is applied and when it is released. */
class Touched {
  readonly #live: LiveMarkets;
  readonly #followed: FollowedAccounts<ContractAccountFold>;

  constructor({ live, venue }: SwapDialectOptions) {
    this.#live = live;
    this.#followed = new FollowedAccounts(venue, (step, state) => this.#onApplied(step, state));
  }

  open(accountId: AccountId, state: StateReader, publish: PublishPrivate): AccountFold {
    const live = this.#live;
    return this.#followed.open(
      accountId,
      (onClose) => new ContractAccountFold({ live, accountId, publish, onClose }, state),
    );
  }

  /** Accounts that an event of a released step concerns: as when the step was applied. */
  concernedBy(event: Event): readonly AccountId[] {
    if (!isForMany(event)) return ownersOf(event, this.#live.listings);
    return this.#where((fold) => fold.isAhead);
  }

  /** Each account that a step touches in a contract has its state there taken down, once. */
  #onApplied(step: Step, state: StateReader): void {
    const touched = new Map<AccountId, Set<InstrumentId>>();
    for (const event of step.events) {
      const contract = contractOf(event, state.listings);
      if (contract === undefined) continue;
      for (const accountId of this.#touchedBy(event, contract, state)) {
        const contracts = touched.get(accountId);
        if (contracts === undefined) touched.set(accountId, new Set([contract]));
        else contracts.add(contract);
      }
    }
    for (const [accountId, contracts] of touched) {
      const fold = this.#followed.folds.get(accountId);
      for (const contract of contracts) fold?.onApplied(step.seq, contract, state);
    }
  }

  /** A new price touches the holders of the contract, new terms every account. */
  #touchedBy(event: Event, contract: InstrumentId, state: StateReader): readonly AccountId[] {
    if (event.kind === 'contract_priced') return this.#where((fold) => fold.holds(contract));
    return isForMany(event) ? [...this.#followed.folds.keys()] : ownersOf(event, state.listings);
  }

  #where(fits: (fold: ContractAccountFold) => boolean): AccountId[] {
    const found: AccountId[] = [];
    for (const [accountId, fold] of this.#followed.folds) {
      if (fits(fold)) found.push(accountId);
    }
    return found;
  }
}

/** Whether an event is about a contract and not about one account in it. */
function isForMany({ kind }: Event): boolean {
  return kind === 'contract_priced' || kind === 'contract_listed' || kind === 'contract_updated';
}
