/** Where a reader was who has to sign in, kept by the tab: after that it goes on there. */

const NAME = 'outcry.wayBack';
/** A place on a page of the venue, and nothing else: "/#BTC-USDT", "/account#keys". */
const PLACE = /^\/(account|ops)?(#[\w%./-]*)?$/;
const SIGN_IN = '/account#sign-in';
const SIGN_UP = '/account#sign-up';
/** Signs in, and says why that has to be again. */
const ENDED = '/account#ended';

/** Goes where one signs in, and remembers this place. */
export function goSignIn(): void {
  remember();
  location.assign(SIGN_IN);
}

/** The same for somebody whose session has ended. */
export function goSignInAgain(): void {
  remember();
  location.assign(ENDED);
}

/** The same for somebody new. */
export function goSignUp(): void {
  remember();
  location.assign(SIGN_UP);
}

function remember(): void {
  try {
    sessionStorage.setItem(NAME, location.pathname + location.hash);
  } catch {
    return; // Storage is blocked: the reader goes on at the account page.
  }
}

/** Where to go on; each place once. Undefined when the reader came for the account page. */
export function takeWayBack(): string | undefined {
  try {
    const kept = sessionStorage.getItem(NAME) ?? '';
    sessionStorage.removeItem(NAME);
    return PLACE.test(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}
