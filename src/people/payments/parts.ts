/** What payments work with, and the two accounts of the venue that their money passes through. */
import {
  type AccountId,
  type AccountSettings,
  type Amount,
  type Command,
  type Event,
  isRefused,
  type Origin,
  type Refused,
  type StateReader,
} from '#domain';
import { lookOf } from '#kernel';
import type { Mailer } from '../mail/mail.ts';
import type { LazyPeople } from '../open.ts';
import type { PeopleSettings } from '../settings.ts';
import type { NewMove } from './port.ts';
import type { PaymentSettings } from './rules.ts';

/** The venue as payments use it. */
export interface PaymentVenue {
  /**
   * Carries out a command with this origin once, however often it is submitted: with no event when
   * it was carried out before. Only the process that orders commands does.
   */
  submit(command: Command, origin?: Origin): Promise<readonly Event[]>;
  read<T>(query: (state: StateReader) => T): Promise<T>;
}

export interface PaymentParts {
  readonly people: LazyPeople;
  readonly nowMs: () => number;
  readonly mailer: Mailer | undefined;
  readonly names: Pick<PeopleSettings, 'name' | 'url'>;
  readonly settings: PaymentSettings;
  readonly venue: PaymentVenue;
  /** Whether this process orders commands: it alone moves money, and tells of it. */
  readonly leads: () => boolean;
  /** Settings of an account that nobody trades in. */
  readonly systemAccount: (name: string) => AccountSettings;
  readonly onFault: (error: unknown) => void;
}

/** Holds what is on its way out. */
export const HOLDING_ACCOUNT = 'payments-holding';
/** Gets the fees of withdrawals. */
export const FEES_ACCOUNT = 'payments-fees';

/** Whether an account of this name is one of them. */
export function isOfPayments(name: string): boolean {
  return name === HOLDING_ACCOUNT || name === FEES_ACCOUNT;
}

/** Whether an account of this name is one of them, or could be taken for one. */
export function looksLikePayments(name: string): boolean {
  return [HOLDING_ACCOUNT, FEES_ACCOUNT].some((one) => lookOf(one) === lookOf(name));
}

/** Between spot wallets; the amount is in one of them at all times. */
export function transferOf(from: AccountId, toAccountId: AccountId, amount: Amount): NewMove {
  return { kind: 'transfer', accountId: from, toAccountId, amount };
}

/** The account of this name, opened when it is missing. */
async function systemAccount(
  { venue, systemAccount: settingsOf }: PaymentParts,
  name: string,
): Promise<AccountId | Refused> {
  const find = () => venue.read((state) => state.accountByName(name)?.accountId);
  const known = await find();
  if (known !== undefined) return known;
  const events = await venue.submit({ kind: 'create_account', settings: settingsOf(name) });
  for (const event of events) {
    if (event.kind === 'account_created') return event.accountId;
    if (event.kind !== 'refused') continue;
    const made = event.reject === 'account_name_in_use' ? await find() : undefined;
    return made ?? event;
  }
  throw new Error(`opening ${name} yielded no account`);
}

/** Both accounts, or why there is none of them now. */
export async function systemAccounts(
  parts: PaymentParts,
): Promise<{ readonly holding: AccountId; readonly fees: AccountId } | Refused> {
  const holding = await systemAccount(parts, HOLDING_ACCOUNT);
  if (isRefused(holding)) return holding;
  const fees = await systemAccount(parts, FEES_ACCOUNT);
  return isRefused(fees) ? fees : { holding, fees };
}
