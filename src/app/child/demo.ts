/**
 * The credentials that are public. They make the demo usable at once and must never guard a venue
 * that others can reach.
 */

export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

export const DEMO_CREDENTIAL: Credential = {
  key: 'demo-key',
  secret: 'demo-secret',
  passphrase: 'demo-pass',
};

export const MAKER_CREDENTIAL: Credential = {
  key: 'maker-key',
  secret: 'maker-secret',
  passphrase: 'maker-pass',
};

export const KNOWN_CREDENTIALS: readonly Credential[] = [DEMO_CREDENTIAL, MAKER_CREDENTIAL];

export function isKnownCredential(credential: Credential): boolean {
  return KNOWN_CREDENTIALS.some(
    ({ key, secret, passphrase }) =>
      key === credential.key &&
      secret === credential.secret &&
      passphrase === credential.passphrase,
  );
}
