/** How people sign up and in, where they are kept, and who sends their mails. */
import Type, { type Static } from 'typebox';
import {
  type PaymentSettings,
  PEOPLE_DEFAULTS,
  type PeopleSettings,
  SIGN_UP_MODES,
  type SignUp,
} from '#people';
import { DEPOSITS_SCHEMA } from './deposits.ts';
import { ConfigFault } from './document.ts';
import { type PaymentsContent, paymentsConfig } from './payments.ts';
import { PORT_MAX } from './server.ts';
import { checkedDatabaseUrl } from './stores.ts';

const strict = { additionalProperties: false } as const;
const shortText = Type.String({ minLength: 1, maxLength: 255 });
const ACCOUNTS_MAX = 100;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const SMTP_SCHEMA = Type.Object(
  {
    host: shortText,
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: PORT_MAX })),
    secure: Type.Optional(Type.Boolean()),
    user: Type.Optional(shortText),
    password: Type.Optional(shortText),
    from: shortText,
  },
  strict,
);

export const PEOPLE_SCHEMA = Type.Object(
  {
    signUp: Type.Optional(Type.Enum<SignUp[]>([...SIGN_UP_MODES])),
    url: Type.Optional(Type.String({ pattern: '^https?://[A-Za-z0-9.:\\[\\]_-]+$' })),
    name: Type.Optional(Type.String({ pattern: '^[^:\\r\\n]{1,64}$' })),
    database: Type.Optional(Type.String({ maxLength: 4_096 })),
    sessionIdleMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_440 })),
    sessionMaxHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 720 })),
    accountsPerPerson: Type.Optional(Type.Integer({ minimum: 1, maximum: ACCOUNTS_MAX })),
    smtp: Type.Optional(SMTP_SCHEMA),
    deposits: Type.Optional(DEPOSITS_SCHEMA),
  },
  strict,
);

type PeopleContent = Static<typeof PEOPLE_SCHEMA>;

export interface PeopleConfig {
  readonly settings: PeopleSettings;
  /** The database they are kept in; undefined for a file in the data directory. */
  readonly url: string | undefined;
  /** What they may ask to bring in and take out. */
  readonly payments: PaymentSettings;
}

export interface PeopleSecrets {
  readonly OUTCRY_PEOPLE?: string | undefined;
  readonly OUTCRY_SMTP_PASSWORD?: string | undefined;
  readonly OUTCRY_WEBHOOK_SECRET?: string | undefined;
}

interface Surroundings {
  readonly env: PeopleSecrets;
  readonly historyUrl: string | undefined;
  readonly isCluster: boolean;
  readonly isEphemeral: boolean;
  readonly placeOf: (path: readonly (string | number)[]) => string;
  readonly payments: { readonly content: PaymentsContent | undefined; readonly isSandbox: boolean };
}

/**
 * Every process of a cluster has to find the same people, so a file will not do there: undefined
 * for one that has no database and says nothing of people. Throws ConfigFault.
 */
export function peopleConfig(
  content: PeopleContent | undefined,
  around: Surroundings,
): PeopleConfig | undefined {
  const url = databaseOf(content, around) ?? around.historyUrl;
  if (around.isCluster && url === undefined) {
    if (content === undefined && around.payments.content === undefined) return undefined;
    throw new ConfigFault([
      `${around.placeOf(['people'])}: people of a cluster are kept in PostgreSQL, where every ` +
        'process finds them: name it in people.database or OUTCRY_PEOPLE',
    ]);
  }
  const payments = paymentsConfig(around.payments.content, { ...around, ...around.payments });
  return { settings: settingsOf(content ?? {}, around), url, payments };
}

function databaseOf(
  content: PeopleContent | undefined,
  { env, isEphemeral, placeOf }: Surroundings,
): string | undefined {
  const named = env.OUTCRY_PEOPLE ?? content?.database;
  if (named === undefined) return undefined;
  const isOfFile = env.OUTCRY_PEOPLE === undefined;
  const place = isOfFile ? placeOf(['people', 'database']) : 'OUTCRY_PEOPLE';
  if (!isEphemeral) return checkedDatabaseUrl(named, place, 'people are');
  throw new ConfigFault([`${place}: --ephemeral keeps nothing, a database would: choose one`]);
}

function settingsOf(content: PeopleContent, { env }: Surroundings): PeopleSettings {
  const { signUp, url, name, smtp } = content;
  const { sessionIdleMinutes: idle, sessionMaxHours: max, accountsPerPerson } = content;
  const defaults = PEOPLE_DEFAULTS;
  return {
    signUp: signUp ?? defaults.signUp,
    url: url?.toLowerCase(),
    name: name ?? defaults.name,
    sessionIdleMs: idle === undefined ? defaults.sessionIdleMs : idle * MINUTE_MS,
    sessionMaxMs: max === undefined ? defaults.sessionMaxMs : max * HOUR_MS,
    accountsPerPersonMax: accountsPerPerson ?? defaults.accountsPerPersonMax,
    smtp: smtp && smtpOf(smtp, env),
  };
}

/** With TLS from the first byte on unless told otherwise, then with STARTTLS. */
function smtpOf(smtp: NonNullable<PeopleContent['smtp']>, env: PeopleSecrets) {
  const { host, secure = true, user, from } = smtp;
  return {
    host,
    port: smtp.port ?? (secure ? 465 : 587),
    secure,
    user,
    password: env.OUTCRY_SMTP_PASSWORD ?? smtp.password,
    from,
  };
}
