/**
 * What an account may do and what it pays, without its name. Most accounts of a venue have the same
 * terms: they share one object, which every order asks and which therefore stays in the processor's
 * cache, where an object of each account's own would not.
 */
import type { AccountSettings } from '#domain';

export type AccountTerms = Omit<AccountSettings, 'name'>;

/** How many different terms are shared: each account with still others has its own. */
const SHARED_MAX = 64;

export class SharedTerms {
  readonly #known: AccountTerms[] = [];

  /** The terms in these settings. */
  of({ name: _, ...terms }: AccountSettings): AccountTerms {
    const known = this.#known.find((one) => isSame(one, terms));
    if (known !== undefined) return known;
    if (this.#known.length < SHARED_MAX) this.#known.push(terms);
    return terms;
  }
}

function isSame(one: AccountTerms, other: AccountTerms): boolean {
  return (
    one.frozen === other.frozen &&
    one.selfTradePrevention === other.selfTradePrevention &&
    one.openOrdersMax === other.openOrdersMax &&
    one.takerFeePpm === other.takerFeePpm &&
    one.makerFeePpm === other.makerFeePpm &&
    one.wallets === other.wallets
  );
}
