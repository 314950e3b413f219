/** How people get in, and for how long. */

export const SIGN_UP_MODES = ['open', 'invitation', 'closed'] as const;
export type SignUp = (typeof SIGN_UP_MODES)[number];

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on; otherwise STARTTLS, which is required unless it is loopback. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Who mails are from. */
  readonly from: string;
}

export interface PeopleSettings {
  readonly signUp: SignUp;
  /** Where people find the venue, as in https://venue.example; links begin with it. */
  readonly url: string | undefined;
  /** What authenticators and mails call the venue. */
  readonly name: string;
  readonly sessionIdleMs: number;
  readonly sessionMaxMs: number;
  readonly accountsPerPersonMax: number;
  /** Undefined where the operator hands links out. */
  readonly smtp: SmtpSettings | undefined;
}

const MINUTE_MS = 60_000;

/** Idle and absolute ends of sessions as OWASP wants them at level 2. */
export const PEOPLE_DEFAULTS: PeopleSettings = {
  signUp: 'closed',
  url: undefined,
  name: 'Outcry',
  sessionIdleMs: 30 * MINUTE_MS,
  sessionMaxMs: 12 * 60 * MINUTE_MS,
  accountsPerPersonMax: 5,
  smtp: undefined,
};
