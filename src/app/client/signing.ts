/**
 * Who calls, and how that is shown: a key that signs (HMAC or Ed25519), the session of a person, or
 * the token of an operator. Secrets stay in the process: WebCrypto makes the signatures.
 */

type Headers = Readonly<Record<string, string>>;

export interface Unsigned {
  readonly method: string;
  /** Path with query. */
  readonly target: string;
  /** Empty for none. */
  readonly body: string;
  /** The time of the venue. */
  readonly timeMs: number;
}

export interface Signer {
  /** The headers that show who calls. */
  headers(call: Unsigned): Headers | Promise<Headers>;
  /** Whether a browser sends and keeps the cookie of a session. */
  readonly hasCookie?: boolean;
  /** Hears every success. */
  heard?(headers: { getSetCookie(): string[] }, data: unknown): void;
}

interface KeyNames {
  readonly key: string;
  readonly passphrase: string;
}

/** A key with a secret. */
export function hmac(credential: KeyNames & { readonly secret: string }): Signer {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const raw = new TextEncoder().encode(credential.secret);
  const imported = kept(() => crypto.subtle.importKey('raw', raw, algorithm, false, ['sign']));
  return signedBy(credential, async (text) => crypto.subtle.sign('HMAC', await imported(), text));
}

/** A key whose public key the venue has: `privateKey` is its other half, PKCS #8 in PEM. */
export function ed25519(credential: KeyNames & { readonly privateKey: string }): Signer {
  const base64 = credential.privateKey.replace(/-----[^-]+-----|\s/g, '');
  const der = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const imported = kept(() => crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']));
  return signedBy(credential, async (text) =>
    crypto.subtle.sign('Ed25519', await imported(), text),
  );
}

/** The admin token of a venue, for its operator and its sandbox. */
export function bearer(token: string): Signer {
  return { headers: () => ({ authorization: `Bearer ${token}` }) };
}

export interface SessionSigner extends Signer {
  /** From now on calls of /v1 are for this account of the person. */
  actFor(account: string): void;
}

/** The session of a person: it begins with people.signIn, whose cookie and token are kept. */
export function session(): SessionSigner {
  const cookies = new Map<string, string>();
  let csrfToken = '';
  let account = '';
  return {
    hasCookie: true,
    actFor: (accountId) => {
      account = accountId;
    },
    headers: ({ method }) => ({
      ...(cookies.size > 0 && { cookie: [...cookies.values()].join('; ') }),
      ...(method !== 'GET' && csrfToken !== '' && { 'x-csrf-token': csrfToken }),
      ...(account !== '' && { 'x-outcry-account': account }),
    }),
    heard: (headers, data) => {
      // A browser keeps cookies itself and shows none.
      for (const line of headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair);
      }
      const given: unknown = Object(data).csrfToken;
      if (typeof given === 'string') csrfToken = given;
    },
  };
}

function signedBy(
  { key, passphrase }: KeyNames,
  sign: (text: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>,
): Signer {
  return {
    headers: async ({ method, target, body, timeMs }) => {
      const text = new TextEncoder().encode(timeMs + method + target + body);
      const signature = new Uint8Array(await sign(text));
      return {
        'x-outcry-key': key,
        'x-outcry-passphrase': passphrase,
        'x-outcry-time': String(timeMs),
        'x-outcry-signature': btoa(String.fromCharCode(...signature)),
      };
    },
  };
}

/** Made when first asked for. */
function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
