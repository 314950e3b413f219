/** People of this venue: where they are kept, who they are to the API, and what ends with it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Gauge, type KeyVault, openSecret, sealSecret } from '#api';
import type { Member } from '#cluster';
import type { DepositConfig, PeopleConfig } from '#config';
import { accountOpener, systemAccountNamed } from '#dialects';
import type { Clock } from '#kernel';
import {
  LaterWork,
  LiveSessions,
  Mailer,
  Passwords,
  Payments,
  type PeopleContext,
  type PeoplePlace,
  pruneTimes,
  type Terminal,
} from '#people';
import type { ServedVenue } from '#venue';
import { fundedOpener } from './demo-people.ts';
import { type KeptPeople, lazyPeople } from './people-store.ts';

/** A file is this process's alone; in a database others may end a session. */
const FRESH_MS = { sqlite: 30_000, postgres: 2_000 } as const;
const PRUNE_EVERY_MS = 3_600_000;

export interface PeopleParts {
  readonly venue: ServedVenue;
  /** Undefined for a venue of its own. */
  readonly member: Member | undefined;
  readonly vault: KeyVault;
  readonly clock: Clock;
  /** Of a demo: what first accounts are given, and where links are shown. */
  readonly deposits: readonly DepositConfig[];
  readonly terminal: Terminal;
}

/** Who signs in, and how their money comes and goes. */
export type ServedPeople = PeopleContext & {
  readonly people: KeptPeople;
  readonly payments: Payments;
};

/** In a file of the data directory, or in the database that is named. */
function placeOf(directory: string, { url }: PeopleConfig): PeoplePlace {
  if (url !== undefined) return { kind: 'postgres', url };
  return { kind: 'sqlite', file: join(directory, 'people.sqlite') };
}

function isThere(place: PeoplePlace): boolean {
  return place.kind !== 'sqlite' || existsSync(place.file);
}

/** Closed when `opened` is. */
export function openPeopleOf(
  directory: string,
  config: PeopleConfig,
  { venue, clock, member, deposits, terminal }: PeopleParts,
  masterKey: Buffer,
  log: Logger,
  opened: AsyncDisposableStack,
): ServedPeople {
  const { settings } = config;
  const place = placeOf(directory, config);
  const nowMs = () => clock.nowMs();
  const onFault = (error: unknown): void => log.warn({ err: error }, 'people');
  const people = opened.adopt(
    lazyPeople(place, () => isThere(place)),
    (one) => one.close(),
  );
  const mailer =
    settings.smtp &&
    opened.adopt(new Mailer({ smtp: settings.smtp, onFault }), (one) => one.close());
  const freshMs = FRESH_MS[place.kind];
  const sessions = opened.adopt(
    new LiveSessions({ people, settings, masterKey, nowMs, freshMs, onFault }),
    (one) => one.close(),
  );
  const passwords = opened.adopt(new Passwords(), (one) => one.close());
  const later = opened.adopt(new LaterWork(onFault), (one) => one.close());
  const timer = setInterval(() => {
    if (!people.isAsked) return;
    const pruning = people.get().then((one) => one.prune(pruneTimes(nowMs())));
    pruning.catch(onFault);
  }, PRUNE_EVERY_MS).unref();
  opened.defer(() => clearInterval(timer));
  const payments = opened.adopt(
    new Payments({
      ...{ people, nowMs, mailer, venue, onFault, systemAccount: systemAccountNamed },
      ...{ names: settings, settings: config.payments },
      leads: () => member?.leads ?? true,
    }),
    (one) => one.stop(),
  );
  payments.start();
  const isDemo = settings.signUp === 'demo';
  const openAccount = accountOpener(venue);
  return {
    payments,
    people,
    settings,
    nowMs,
    passwords,
    sealing: {
      seal: (name, text) => sealSecret(masterKey, name, text),
      open: (name, sealed) => openSecret(masterKey, name, sealed).toString('utf8'),
    },
    sessions,
    later,
    mailer,
    terminal: isDemo ? terminal : undefined,
    openAccount,
    openFirstAccount: isDemo ? fundedOpener(openAccount, venue, deposits) : openAccount,
    onFault,
  };
}

/** The cookie of a session: browsers keep one with this prefix to this host, and to TLS. */
export function cookieOf({ settings }: PeopleConfig, hasTls: boolean) {
  const isSecure = hasTls || settings.url?.startsWith('https:') === true;
  return { name: isSecure ? '__Host-outcry-session' : 'outcry-session', isSecure };
}

/** Without people there are no payments; a number that is always 0 tells a dashboard so. */
export function paymentGauges(people: ServedPeople | undefined): readonly Gauge[] {
  return [
    {
      name: 'outcry_payments_waiting_seconds',
      help: 'How long the oldest payment of each stage has waited; the process that leads knows',
      label: 'stage',
      read: () => people?.payments.watch.waitingSeconds ?? [],
    },
  ];
}
