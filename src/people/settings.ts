/** How people get in, and for how long. */

/** In a demo as open, with links on its terminal and money for the first account. */
export const SIGN_UP_MODES = ['open', 'invitation', 'closed', 'demo'] as const;
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

const DAY_MS = 24 * 60 * MINUTE_MS;

/** What operators may do alone, and what is kept of what they do. */
export interface OperatorSettings {
  /** By coin, decimal text: money above it moves when a second operator has approved it. */
  readonly twoPersonAbove: ReadonlyMap<string, string>;
  /** How long a second operator may approve. */
  readonly approvalMs: number;
  /** Whether what is done to money, accounts, people and operators needs a reason. */
  readonly reasonRequired: boolean;
  readonly logKeepMs: number;
  readonly logEntriesMax: number;
}

export const OPERATOR_DEFAULTS: OperatorSettings = {
  twoPersonAbove: new Map(),
  approvalMs: 3 * DAY_MS,
  reasonRequired: false,
  logKeepMs: 400 * DAY_MS,
  logEntriesMax: 1_000_000,
};

/** From this volume in thirty days on, these rates; in parts per million. */
export interface FeeLevel {
  readonly volume: bigint;
  readonly takerFeePpm: number;
  readonly makerFeePpm: number;
}

export interface FeeLevelSettings {
  /** Volumes are of the markets that are quoted in it, in its smallest unit. */
  readonly coin: string;
  readonly scale: number;
  /** The lowest threshold first. */
  readonly levels: readonly FeeLevel[];
}
