/**
 * The file of one process of a cluster: which shared log it follows, under which name and address
 * the others find it, and the secret that they have in common.
 */
import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { LIMITS } from '#domain';
import { ConfigDocument, ConfigFault } from './document.ts';

/** What the process is there for: a gateway serves and forwards and never leads. */
export type ClusterKind = 'member' | 'gateway';

export interface ClusterConfig {
  readonly kind: ClusterKind;
  /** The keys of the shared log begin with it: every process of one cluster has the same. */
  readonly venue: string;
  readonly name: string;
  readonly isCandidate: boolean;
  /** Where the others reach this process. */
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  /** How many processes the cluster has at most. */
  readonly processesMax: number;
  /** How many requests of this process may have no answer yet. */
  readonly openRequestsMax: number;
  /** How many commands stay in the log below what two members hold. */
  readonly keepCommands: number;
  readonly etcd: EtcdConfig;
}

export interface EtcdConfig {
  /** host:port each. */
  readonly endpoints: readonly string[];
  /** As its servers were started with it, where they do not tell themselves. */
  readonly quotaBytes?: number | undefined;
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** PEM texts. */
  readonly tls?:
    | {
        readonly ca?: string | undefined;
        readonly cert?: string | undefined;
        readonly key?: string | undefined;
      }
    | undefined;
}

const strict = { additionalProperties: false } as const;
const name = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$' });
const file = Type.String({ minLength: 1, maxLength: 4_096 });
const address = Type.String({ pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+):[0-9]{1,5}$' });
/** As long as an admin token: it lets whoever has it order in the name of every account. */
const secret = Type.String({ pattern: '^[\\x21-\\x7e]{32,256}$' });

/** Some minutes of a busy venue, and a small part of what etcd holds by default. */
const KEEP_COMMANDS = 200_000;

/** What an engine may have to remember of them stays below 15 MB. */
const PROCESSES_MAX = 64;
/** Eighty batches of fifty orders. */
const OPEN_REQUESTS_MAX = 4_096;

const CLUSTER_SCHEMA = Type.Object(
  {
    venue: name,
    name,
    address,
    candidate: Type.Optional(Type.Boolean()),
    secret: Type.Optional(secret),
    processesMax: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.clusterPlacesMax })),
    openRequestsMax: Type.Optional(Type.Integer({ minimum: 64, maximum: LIMITS.openRequestsMax })),
    keepCommands: Type.Optional(Type.Integer({ minimum: 0 })),
    etcd: Type.Object(
      {
        endpoints: Type.Array(address, { minItems: 1, maxItems: 15 }),
        user: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
        password: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
        quotaBytes: Type.Optional(Type.Integer({ minimum: 1_000_000 })),
        tls: Type.Optional(
          Type.Object(
            { ca: Type.Optional(file), cert: Type.Optional(file), key: Type.Optional(file) },
            strict,
          ),
        ),
      },
      strict,
    ),
  },
  strict,
);

type ClusterContent = Static<typeof CLUSTER_SCHEMA>;

export interface ClusterSecrets {
  readonly OUTCRY_CLUSTER_SECRET?: string | undefined;
  readonly OUTCRY_ETCD_PASSWORD?: string | undefined;
}

/** Reads the file. Secrets of the environment win over its own. Throws ConfigFault. */
export function readCluster(path: string, kind: ClusterKind, env: ClusterSecrets): ClusterConfig {
  const content = ConfigDocument.read(path).validated(CLUSTER_SCHEMA);
  const given = env.OUTCRY_CLUSTER_SECRET ?? content.secret;
  if (given === undefined) {
    throw new ConfigFault([
      `${path}: secret is missing: give every process of the cluster the same 32 characters or ` +
        'more, there or in OUTCRY_CLUSTER_SECRET; openssl rand -base64 32 makes one',
    ]);
  }
  const at = content.address.lastIndexOf(':');
  const port = Number(content.address.slice(at + 1));
  if (port > 65_535) throw new ConfigFault([`${path}: address: no port is above 65535`]);
  return {
    kind,
    venue: content.venue,
    name: content.name,
    isCandidate: kind === 'member' && (content.candidate ?? true),
    host: content.address.slice(0, at).replace(/^\[(.*)\]$/, '$1'),
    port,
    secret: given,
    processesMax: content.processesMax ?? PROCESSES_MAX,
    openRequestsMax: content.openRequestsMax ?? OPEN_REQUESTS_MAX,
    keepCommands: content.keepCommands ?? KEEP_COMMANDS,
    etcd: etcdOf(content.etcd, env),
  };
}

function etcdOf(content: ClusterContent['etcd'], env: ClusterSecrets): EtcdConfig {
  const { endpoints, quotaBytes, user, tls } = content;
  const password = env.OUTCRY_ETCD_PASSWORD ?? content.password;
  if ((user === undefined) !== (password === undefined)) {
    throw new ConfigFault(['etcd: user and password go together (or OUTCRY_ETCD_PASSWORD)']);
  }
  return {
    endpoints,
    ...(quotaBytes === undefined ? {} : { quotaBytes }),
    ...(user === undefined || password === undefined ? {} : { user: { name: user, password } }),
    ...(tls === undefined ? {} : { tls: pemTexts(tls) }),
  };
}

function pemTexts(files: NonNullable<ClusterContent['etcd']['tls']>): EtcdConfig['tls'] {
  const texts = Object.entries(files).map(([part, path]) => [part, readPem(path)]);
  return Object.fromEntries(texts);
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigFault([`etcd: tls: cannot read ${path}: ${why}`], { cause });
  }
}
