/**
 * Passwords at rest: argon2id with the parameters of OWASP, which are in the text, so that they can
 * grow without breaking what is stored. Hashes are made on the threads of Node, never on that of
 * the market, a few at a time: a flood of sign-ins waits or is sent away, and costs neither memory
 * nor the time of orders.
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { isEasy } from './easy-passwords.ts';
import { Strength } from './strength.ts';

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

/** What one hash costs: memory in KiB, passes over it. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** OWASP's second choice: 19 MiB and two passes. */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19_456, passes: 2 };
const COST_MAX: PasswordCost = { memoryKib: 262_144, passes: 16 };
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORMAT = /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,2}),p=1\$([\w+/]+)\$([\w+/]+)$/;

/** So many guesses one who knows what people choose takes at least. */
const GUESSES_MIN = 1e9;

/** One core is left to the market where there are only two. */
const RUNNING_MAX = availableParallelism() > 2 ? 2 : 1;
const WAITING_MAX = 32;

/** Too many passwords wait for their hash: the caller must try again. */
export type Busy = 'busy';

export class Passwords {
  readonly #cost: PasswordCost;
  readonly #strength = new Strength();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  /** Of no password: unknown people take as long as others. */
  #decoy: Promise<string | Busy> | undefined;

  constructor(cost: PasswordCost = PASSWORD_COST) {
    this.#cost = cost;
  }

  hash(password: string): Promise<string | Busy> {
    return this.#inTurn(async () => {
      const salt = randomBytes(SALT_BYTES);
      const made = await derive(password, salt, this.#cost);
      const { memoryKib, passes } = this.#cost;
      const head = `$argon2id$v=19$m=${memoryKib},t=${passes},p=${LANES}`;
      return `${head}$${unpadded(salt)}$${unpadded(made)}`;
    });
  }

  /** Whether it is the hashed password. Without a hash it takes as long, and is not. */
  async matches(password: string, hashText: string | undefined): Promise<boolean | Busy> {
    const against = hashText ?? (await this.#decoyHash());
    if (against === 'busy') return against;
    const isRight = await this.#inTurn(() => isHashed(password, against));
    return isRight === 'busy' ? isRight : isRight && hashText !== undefined;
  }

  /** Why a new password cannot be used, in words for its person; undefined when it can. */
  async unfit(password: string, names: readonly string[]): Promise<string | Busy | undefined> {
    const plainly = unfitPassword(password, names);
    if (plainly !== undefined) return plainly;
    const guesses = await this.#strength.guesses(password.normalize('NFKC'));
    if (guesses === 'busy') return guesses;
    return guesses < GUESSES_MIN ? TOO_EASY : undefined;
  }

  /** Ends the thread that estimates. */
  close(): Promise<void> {
    return this.#strength.close();
  }

  #decoyHash(): Promise<string | Busy> {
    this.#decoy ??= this.hash(randomBytes(SALT_BYTES).toString('base64')).then((made) => {
      if (made === 'busy') this.#decoy = undefined;
      return made;
    });
    return this.#decoy;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T | Busy> {
    if (this.#running >= RUNNING_MAX) {
      if (this.#waiting.length >= WAITING_MAX) return 'busy';
      // The place is handed over below, so that no other call takes it.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

const TOO_EASY = 'it is too common; choose one that is harder to guess';

/** What is seen of it without an estimate. */
export function unfitPassword(password: string, names: readonly string[]): string | undefined {
  const { min, max } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length < min || length > max) return `it takes ${min} to ${max} characters`;
  if (isEasy(password)) return TOO_EASY;
  const lower = password.toLowerCase();
  const named = names.some((name) => name.length >= 4 && lower.includes(name.toLowerCase()));
  return named ? 'it must not contain your name or address' : undefined;
}

async function isHashed(password: string, hashText: string): Promise<boolean> {
  const match = FORMAT.exec(hashText);
  if (match === null) return false;
  const [, memory = '', passes = '', salt = '', hash = ''] = match;
  const cost = { memoryKib: Number(memory), passes: Number(passes) };
  if (cost.memoryKib > COST_MAX.memoryKib || cost.passes > COST_MAX.passes) return false;
  const wanted = Buffer.from(hash, 'base64');
  const found = await derive(password, Buffer.from(salt, 'base64'), cost);
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}

/** Characters that look alike are the same (NFKC), wherever the keyboard makes them. */
function derive(password: string, nonce: Buffer, cost: PasswordCost): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    message: password.normalize('NFKC'),
    nonce,
    parallelism: LANES,
    tagLength: HASH_BYTES,
    memory: cost.memoryKib,
    passes: cost.passes,
  };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
