/** The commands that act on a running venue through its operator's interface. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AdminCallFailed, AdminClient } from '#client';
import { type Environment, savedAdminToken } from '#config';
import { type Output, tableLines } from './output.ts';

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
    const made = await this.#client(options).call('POST', `/accounts/${part(account)}/keys`, {
      label,
      passphrase,
      permissions: listOf(permissions),
      ipAllowList: listOf(ip),
      strictReplay,
      expiresDays,
      publicKey: publicKey === undefined ? undefined : readFileSync(resolve(publicKey), 'utf8'),
    });
    const limits = ['permissions', 'ipAllowList', 'strictReplay', 'kind', 'expiresTime'];
    this.#print(made, ['key', 'secret', 'passphrase', ...limits]);
    this.#output.notice('The secret and the passphrase are shown this once: keep them now.');
    return 0;
  }

  async keyList(options: AdminTarget & { readonly account: string }): Promise<number> {
    const path = `/accounts/${part(options.account)}/keys`;
    const keys = await this.#client(options).call('GET', path);
    if (!Array.isArray(keys) || keys.length === 0) {
      this.#output.notice('The account has no keys.');
      return 0;
    }
    const rows = keys.map((key: unknown) => ({
      key: field(key, 'key'),
      label: field(key, 'label'),
      permissions: field(key, 'permissions'),
      addresses: field(key, 'ipAllowList') || 'any',
      replay: field(key, 'strictReplay') === 'true' ? 'strict' : '',
      kind: field(key, 'kind'),
      expires: dateOf(field(key, 'expiresTime')),
    }));
    for (const line of tableLines(rows)) this.#output.result(line);
    return 0;
  }

  async keyRevoke(key: string, options: AdminTarget): Promise<number> {
    await this.#client(options).call('DELETE', `/keys/${part(key)}`);
    this.#output.result(`revoked ${key}`);
    return 0;
  }

  async deposit(options: DepositOptions): Promise<number> {
    const { account, coin, amount, wallet } = options;
    const path = `/accounts/${part(account)}/deposits`;
    const made = await this.#once(options, path, { coin, amount, wallet });
    this.#print(made, ['billId', 'accountId', 'wallet', 'coin', 'amount', 'balance']);
    return 0;
  }

  async invite(options: InviteOptions): Promise<number> {
    const { url, label, uses, days } = options;
    const asked = { label, uses: Number(uses), days: Number(days) };
    const made = await this.#client(options).call('POST', '/invitations', asked);
    const link = new URL(field(made, 'path'), url).href;
    const until = new Date(Number(field(made, 'expiresTime'))).toISOString();
    this.#print({ code: field(made, 'code'), uses, until, link }, [
      'code',
      'uses',
      'until',
      'link',
    ]);
    this.#output.notice('The code is shown this once: hand it over, or the link.');
    return 0;
  }

  async indexPrice(options: IndexPriceOptions): Promise<number> {
    const { symbol, price, source } = options;
    const path = `/contracts/${part(symbol)}/index`;
    const made = await this.#client(options).call('POST', path, { source, price });
    this.#print(made, ['symbol', 'source', 'price']);
    return 0;
  }

  async insurance(options: InsuranceOptions): Promise<number> {
    const { coin, amount } = options;
    const made = await this.#once(options, '/insurance', { coin, amount });
    this.#print(made, ['coin', 'amount']);
    return 0;
  }

  /** Moves money under an id; when the answer is lost, says how to ask again without harm. */
  async #once(
    options: AdminTarget & { readonly clientOid?: string },
    path: string,
    asked: object,
  ): Promise<unknown> {
    const { clientOid = randomUUID() } = options;
    try {
      return await this.#client(options).call('POST', path, { ...asked, clientOid });
    } catch (error) {
      if (error instanceof AdminCallFailed && error.isUnanswered) {
        this.#output.notice(
          `It may have been carried out. The same command with --client-oid ${clientOid} ` +
            'carries it out once, and says what came of it.',
        );
      }
      throw error;
    }
  }

  /** Token from the flag, else from the environment, else from the data directory. */
  #client({ url, adminToken, data }: AdminTarget): AdminClient {
    const token = adminToken ?? this.#env.OUTCRY_ADMIN_TOKEN;
    return new AdminClient(url, token ?? savedAdminToken(resolve(data)));
  }

  #print(data: unknown, names: readonly string[]): void {
    const width = Math.max(...names.map((name) => name.length));
    for (const name of names) {
      this.#output.result(`${name.padEnd(width)}  ${field(data, name)}`.trimEnd());
    }
  }
}

function part(text: string): string {
  return encodeURIComponent(text);
}

function listOf(text: string | undefined): string[] | undefined {
  return text?.split(',').map((item) => item.trim());
}

/** In words; empty for none. */
function dateOf(timeMs: string): string {
  return timeMs === '' ? '' : new Date(Number(timeMs)).toISOString();
}

function field(data: unknown, name: string): string {
  if (typeof data !== 'object' || data === null) return '';
  const value: unknown = Reflect.get(data, name);
  return Array.isArray(value) ? value.join(',') : String(value ?? '');
}
