/** Opens accounts of people on the road that the operator's take: journaled as any other. */
import {
  type AccountId,
  type AccountSettings,
  isRefused,
  type Refused,
  type VenuePort,
  WALLETS_DEFAULT,
} from '#domain';
import { UNSAID_SETTINGS } from '../admin/accounts.ts';
import { submit } from '../kit/carry-out.ts';

/** With a name that is taken, it is the account of that name: an earlier try came so far. */
export function accountOpener(venue: VenuePort): (name: string) => Promise<AccountId | Refused> {
  return async (name) => {
    const settings = { ...UNSAID_SETTINGS, name, wallets: WALLETS_DEFAULT };
    const event = await submit(venue, 'account_created', { kind: 'create_account', settings });
    if (!isRefused(event)) return event.accountId;
    if (event.reject !== 'account_name_in_use') return event;
    const known = await venue.read((state) => state.accountByName(name)?.accountId);
    return known ?? event;
  };
}

/** One that money passes through, and nobody trades in. */
export function systemAccountNamed(name: string): AccountSettings {
  return { ...UNSAID_SETTINGS, name, wallets: WALLETS_DEFAULT, frozen: true };
}
