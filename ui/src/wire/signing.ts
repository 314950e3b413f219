/** What a key signs with, kept in the browser: a secret never leaves it. */

export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}
