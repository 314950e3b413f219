/** The commands that act on a running venue through its operator's interface. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bearer, NO_ANSWER, type OutcryClient, outcryClient, VenueError } from '#client';
import { type Environment, savedAdminToken } from '#config';
import { PERMISSIONS, type Permission } from '#domain';
import { type Output, tableLines } from './output.ts';

const TIMEOUT_MS = 30_000;
const SERVER_FAULTS_FROM = 500;

export interface AdminTarget {
  readonly url: string;
  readonly adminToken?: string;
  /** Data directory of a server on this machine, which keeps its token there. */
  readonly data: string;
}

export interface KeyCreateOptions extends AdminTarget {
  readonly account: string;
  readonly label?: string;
  readonly passphrase?: string;
  /** Comma-separated. */
  readonly permissions?: string;
  /** Comma-separated addresses or CIDR blocks. */
  readonly ip?: string;
  readonly strictReplay?: boolean;
  readonly expiresDays?: string;
  /** A file with the public key of Ed25519, as PEM. */
  readonly publicKey?: string;
}

export interface DepositOptions extends AdminTarget {
  readonly account: string;
  readonly coin: string;
  readonly amount: string;
  readonly wallet?: string;
  /** The id of an earlier call whose answer was lost; a new one without it. */
  readonly clientOid?: string;
}

export interface IndexPriceOptions extends AdminTarget {
  readonly symbol: string;
  readonly price: string;
  /** Absent for the operator's own price. */
  readonly source?: string;
}

export interface InviteOptions extends AdminTarget {
  readonly label?: string;
  readonly uses: string;
  readonly days: string;
}

export interface InsuranceOptions extends AdminTarget {
  readonly coin: string;
  readonly amount: string;
  readonly clientOid?: string;
}

export class OperatorCommands {
  readonly #output: Output;
  readonly #env: Environment;

  constructor(output: Output, env: Environment) {
    this.#output = output;
    this.#env = env;
  }

  async keyCreate(options: KeyCreateOptions): Promise<number> {
    const { account, label, passphrase, permissions, ip, strictReplay, expiresDays } = options;
    const { publicKey } = options;
    const made = await this.#venue(options).createKey({
      account,
      label,
      passphrase,
      permissions: permissionsOf(permissions),
      ipAllowList: listOf(ip),
      strictReplay,
      expiresDays,
      publicKey: publicKey === undefined ? undefined : readFileSync(resolve(publicKey), 'utf8'),
    });
    const limits = ['permissions', 'ipAllowList', 'strictReplay', 'kind', 'expiresTime'] as const;
    this.#print(made, ['key', 'secret', 'passphrase', ...limits]);
    this.#output.notice('The secret and the passphrase are shown this once: keep them now.');
    return 0;
  }

  async keyList(options: AdminTarget & { readonly account: string }): Promise<number> {
    const keys = await this.#venue(options).keys({ account: options.account });
    if (keys.length === 0) {
      this.#output.notice('The account has no keys.');
      return 0;
    }
    const rows = keys.map(({ key, label, permissions, ipAllowList, ...rest }) => ({
      key,
      label,
      permissions: permissions.join(','),
      addresses: ipAllowList.join(',') || 'any',
      replay: rest.strictReplay ? 'strict' : '',
      kind: rest.kind,
      expires: dateOf(rest.expiresTime),
    }));
    for (const line of tableLines(rows)) this.#output.result(line);
    return 0;
  }

  async keyRevoke(key: string, options: AdminTarget): Promise<number> {
    await this.#venue(options).revokeKey({ key });
    this.#output.result(`revoked ${key}`);
    return 0;
  }

  async deposit({ account, coin, amount, wallet, ...options }: DepositOptions): Promise<number> {
    const made = await this.#once(options, (clientOid) =>
      this.#venue(options).deposit({ account, coin, amount, wallet, clientOid }),
    );
    this.#print(made, ['billId', 'accountId', 'wallet', 'coin', 'amount', 'balance']);
    return 0;
  }

  async invite(options: InviteOptions): Promise<number> {
    const { url, label, uses, days } = options;
    const { code, path, expiresTime } = await this.#venue(options).makeInvitation({
      label,
      uses,
      days,
    });
    const link = new URL(path, url).href;
    this.#print({ code, uses, until: dateOf(expiresTime), link }, [
      'code',
      'uses',
      'until',
      'link',
    ]);
    this.#output.notice('The code is shown this once: hand it over, or the link.');
    return 0;
  }

  async indexPrice({ symbol, price, source, ...options }: IndexPriceOptions): Promise<number> {
    const made = await this.#venue(options).reportIndex({ symbol, source, price });
    this.#print(made, ['symbol', 'source', 'price']);
    return 0;
  }

  async insurance({ coin, amount, ...options }: InsuranceOptions): Promise<number> {
    const made = await this.#once(options, (clientOid) =>
      this.#venue(options).fundInsurance({ coin, amount, clientOid }),
    );
    this.#print(made, ['coin', 'amount']);
    return 0;
  }

  /** Moves money under an id; when the answer is lost, says how to ask again without harm. */
  async #once<Made>(
    { clientOid = randomUUID() }: { readonly clientOid?: string },
    call: (clientOid: string) => Promise<Made>,
  ): Promise<Made> {
    try {
      return await call(clientOid);
    } catch (error) {
      if (error instanceof VenueError && isUnanswered(error)) {
        this.#output.notice(
          `It may have been carried out. The same command with --client-oid ${clientOid} ` +
            'carries it out once, and says what came of it.',
        );
      }
      throw error;
    }
  }

  /** Token from the flag, else from the environment, else from the data directory. */
  #venue({ url, adminToken, data }: AdminTarget): OutcryClient['admin'] {
    const given = adminToken ?? this.#env.OUTCRY_ADMIN_TOKEN;
    const sign = bearer(given ?? savedAdminToken(resolve(data)));
    return outcryClient({ url, sign, timeoutMs: TIMEOUT_MS }).admin;
  }

  #print<Row extends object>(row: Row, names: readonly (keyof Row & string)[]): void {
    const width = Math.max(...names.map((name) => name.length));
    for (const name of names) {
      const value = row[name] ?? '';
      const text = Array.isArray(value) ? value.join(',') : String(value);
      this.#output.result(`${name.padEnd(width)}  ${text}`.trimEnd());
    }
  }
}

/** Nobody knows what became of the call. */
function isUnanswered({ code, status }: VenueError): boolean {
  return code === NO_ANSWER || status >= SERVER_FAULTS_FROM;
}

/** Throws for a word that is none. */
function permissionsOf(text: string | undefined): readonly Permission[] | undefined {
  const words = listOf(text);
  const known = PERMISSIONS.filter((permission) => words?.includes(permission));
  if (known.length === (words?.length ?? 0)) return words && known;
  throw new Error(`--permissions takes ${PERMISSIONS.join(', ')}`);
}

function listOf(text: string | undefined): string[] | undefined {
  return text?.split(',').map((item) => item.trim());
}

/** In words; empty for none. */
function dateOf(timeMs: string | number | null): string {
  return timeMs === null || timeMs === '' ? '' : new Date(Number(timeMs)).toISOString();
}
