/**
 * What people of a demo get besides: their first account comes with money, and their links are
 * shown on its terminal. Nothing of it applies to other venues.
 */
import { type DepositConfig, depositsOf, isDue } from '#config';
import {
  type AccountId,
  type Deposit,
  type Event,
  isRefused,
  type Refused,
  type StateReader,
  type VenuePort,
} from '#domain';
import { present } from '#kernel';
import type { PeopleContext, Terminal } from '#people';

type OpenAccount = PeopleContext['openAccount'];

/**
 * Opens an account and gives it what is configured, once: a deposit is due while its wallet has
 * never held the coin, and has an id, so that of two sign-ins at once one gives it. Cut off or
 * refused at any point, the next try goes on.
 */
export function fundedOpener(
  open: OpenAccount,
  venue: VenuePort,
  configured: readonly DepositConfig[],
): OpenAccount {
  return async (name) => {
    const accountId = await open(name);
    if (isRefused(accountId)) return accountId;
    const due = await venue.read((state) => depositsDue(configured, accountId, state));
    const answers = await Promise.all(due.map((deposit) => venue.submit(deposit)));
    return answers.map(([first]) => first).find(isFault) ?? accountId;
  };
}

function depositsDue(
  configured: readonly DepositConfig[],
  accountId: AccountId,
  state: StateReader,
): Deposit[] {
  const account = present(state.account(accountId), `account ${accountId}`);
  return depositsOf(configured, account, state)
    .filter((deposit) => isDue(deposit, account))
    .map((deposit) => ({
      ...deposit,
      operatorOid: `sign-up ${deposit.wallet} ${deposit.assetId}`,
    }));
}

/** Whatever another sign-in of the same person has given is there. */
function isFault(event: Event | undefined): event is Refused {
  return event?.kind === 'refused' && event.reject !== 'operator_request_repeated';
}

/** A line for each mail that is not sent, with its link. */
export function terminalOf(print: (line: string) => void, url: () => string): Terminal {
  return ({ to, subject, path }) => {
    const link = path === undefined ? '' : `: ${url()}${path}`;
    print(`To ${to}: ${subject}${link}`);
  };
}
