/**
 * The open account folds of a dialect. Each is shown a step as soon as it is applied, with the
 * state it left, and keeps what it saw until the step is released.
 */
import type { AccountId, StateReader, Step, VenuePort } from '#domain';
import type { AccountFold } from './dialect.ts';

export class FollowedAccounts<F extends AccountFold> {
  readonly folds: ReadonlyMap<AccountId, F>;
  readonly #folds = new Map<AccountId, F>();

  /** `look` is called with every applied step while there are folds. */
  constructor(venue: VenuePort, look: (step: Step, state: StateReader) => void) {
    this.folds = this.#folds;
    venue.onApplied((step, state) => {
      if (this.#folds.size === 0 || isReset(step)) return;
      look(step, state);
    });
  }

  /** Opens the fold of an account; `open` is given what to call when it closes. */
  open(accountId: AccountId, open: (onClose: () => void) => F): F {
    const fold = open(() => {
      if (this.#folds.get(accountId) === fold) this.#folds.delete(accountId);
    });
    this.#folds.set(accountId, fold);
    return fold;
  }
}

/** After a reset an account may not even exist: every stream ends with it. */
function isReset({ events }: Step): boolean {
  return events.some(({ kind }) => kind === 'venue_reset');
}
