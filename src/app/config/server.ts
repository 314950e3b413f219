/**
 * How the venue is reached: address, names, TLS, a listener apart for the operator, bounds of the
 * streams; and what must not be reachable from elsewhere without an explicit setting.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createSecureContext } from 'node:tls';
import Type, { type Static } from 'typebox';
import { ConfigFault, type Path } from './document.ts';

const strict = { additionalProperties: false } as const;
const host = Type.String({ minLength: 1, maxLength: 255 });
export const PORT_MAX = 65_535;
const port = Type.Integer({ minimum: 0, maximum: PORT_MAX });
const file = Type.String({ minLength: 1, maxLength: 4_096 });
/** An address of either family, or a CIDR block. */
const BLOCK =
  '^([0-9]{1,3}(\\.[0-9]{1,3}){3}(/([0-9]|[12][0-9]|3[0-2]))?|' +
  '[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(/([0-9]{1,2}|1[01][0-9]|12[0-8]))?)$';
const COUNT_MAX = 1_000_000;
const NAMES_MAX = 30;
/** More than the requests of one market thread can keep busy. */
export const HTTP_THREADS_MAX = 16;
const CORES_FOR_HTTP_THREAD = 4;
const count = Type.Optional(Type.Integer({ minimum: 1, maximum: COUNT_MAX }));

export const SERVER_SCHEMA = Type.Object(
  {
    host: Type.Optional(host),
    port: Type.Optional(port),
    trustedProxies: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 30 })),
    scrapers: Type.Optional(Type.Array(Type.String({ pattern: BLOCK }), { maxItems: NAMES_MAX })),
    hosts: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9._-]{1,253}$' }), { maxItems: NAMES_MAX }),
    ),
    admin: Type.Optional(Type.Object({ port, host: Type.Optional(host) }, strict)),
    tls: Type.Optional(Type.Object({ cert: file, key: file }, strict)),
    httpThreads: Type.Optional(Type.Integer({ minimum: 0, maximum: HTTP_THREADS_MAX })),
    shedLagMs: Type.Optional(Type.Integer({ minimum: 10, maximum: 60_000 })),
    streams: Type.Optional(
      Type.Object(
        {
          connections: count,
          connectionsForKeys: Type.Optional(Type.Integer({ minimum: 0, maximum: COUNT_MAX })),
          connectionsPerCaller: count,
          messagesPerSecond: count,
          subscriptionsPerHour: count,
        },
        strict,
      ),
    ),
  },
  strict,
);

type ServerContent = Static<typeof SERVER_SCHEMA>;

export interface Listener {
  readonly host: string;
  /** Zero lets the system choose. */
  readonly port: number;
}

export interface ServerSettings extends Listener {
  /** Proxies whose X-Forwarded-For is believed: addresses or CIDR blocks; empty for none. */
  readonly trustedProxies: readonly string[];
  /** Who reads the metrics besides this machine and operators: addresses or CIDR blocks. */
  readonly scrapers: readonly string[];
  /** Names it is served under besides loopback and the host. */
  readonly hosts: readonly string[];
  /** Where operator, desk and metrics are served; undefined for with the rest. */
  readonly adminListener: Listener | undefined;
  /** Files of a certificate chain and its key, as PEM; undefined for plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Threads that speak HTTP; with none the market thread does it itself. */
  readonly httpThreads: number;
  /** From how much lag of the market thread on work is refused; undefined for as shipped. */
  readonly shedLagMs: number | undefined;
  /** What differs from the bounds of the streams. */
  readonly streams: NonNullable<ServerContent['streams']>;
}

const DEFAULTS = { host: '127.0.0.1', port: 8787 } as const;

export function serverSettings(
  content: ServerContent = {},
  flags: {
    readonly host: string | undefined;
    readonly port: number | undefined;
    readonly httpThreads: number | undefined;
  },
): ServerSettings {
  const { admin, tls, shedLagMs, streams = {}, trustedProxies = [], hosts = [] } = content;
  const { scrapers = [] } = content;
  const bound = flags.host ?? content.host ?? DEFAULTS.host;
  return {
    host: bound,
    port: flags.port ?? content.port ?? DEFAULTS.port,
    trustedProxies,
    scrapers,
    hosts: hosts.map((name) => name.toLowerCase()),
    adminListener: admin && { host: admin.host ?? bound, port: admin.port },
    tls,
    httpThreads: flags.httpThreads ?? content.httpThreads ?? httpThreadsByCores(),
    shedLagMs,
    streams,
  };
}

/**
 * An HTTP thread wants a core that market, journal and projector do not: with fewer than four it
 * takes theirs. One reads about as much as a market thread can serve.
 */
function httpThreadsByCores(): number {
  return availableParallelism() < CORES_FOR_HTTP_THREAD ? 0 : 1;
}

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

type TlsSource = Pick<ServerSettings, 'tls'> & { readonly placeOf: (path: Path) => string };

/** Reads the certificate and its key. Throws ConfigFault, with their place, if they are none. */
export function readCertificate({ tls, placeOf }: TlsSource): Certificate | undefined {
  if (tls === undefined) return undefined;
  const read = (name: keyof Certificate): Buffer =>
    orFault(placeOf, ['server', 'tls', name], () => readFileSync(tls[name]));
  const certificate = { cert: read('cert'), key: read('key') };
  orFault(placeOf, ['server', 'tls'], () => createSecureContext(certificate));
  return certificate;
}

function orFault<T>(placeOf: TlsSource['placeOf'], path: Path, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigFault([`${placeOf(path)}: ${path.join('.')}: ${why}`], { cause });
  }
}

interface Exposure {
  readonly host: string;
  readonly adminListener: Listener | undefined;
  readonly sandbox: boolean;
  readonly rateLimits: boolean;
}

/** What others can do to the venue that can be reached from elsewhere; none on loopback. */
export function networkRisks(config: Exposure): string[] {
  const { host: main, adminListener, sandbox, rateLimits } = config;
  const reached = [main, ...(adminListener === undefined ? [] : [adminListener.host])];
  const outside = reached.find((address) => !isLoopback(address));
  if (outside === undefined) return [];
  const risks: string[] = [];
  if (sandbox) {
    risks.push(`${outside} can be reached from elsewhere, and a sandbox lets the holder of the \
admin token set clock and prices and undo trades`);
  }
  if (!rateLimits) {
    risks.push(`${outside} can be reached from elsewhere, and rate limits are off: anybody can \
take all the time the venue has`);
  }
  return risks;
}

/** Throws ConfigFault unless a venue with such risks is explicitly allowed. */
export function refuseRisksOnNetwork(config: Exposure & { readonly yesOnNetwork: boolean }): void {
  const risks = networkRisks(config);
  if (risks.length === 0 || config.yesOnNetwork) return;
  throw new ConfigFault([...risks, 'if that is meant, say --yes-on-network']);
}

/** 127.0.0.0/8, ::1 or localhost: addresses only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host);
}
