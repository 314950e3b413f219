/** The credential in the tab's session storage: only by choice, gone with the tab. */
import type { Credential } from '../wire/signing.ts';

const NAME = 'outcry.credential';

export function keepCredential(credential: Credential): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(credential));
  } catch {
    return; // Storage is blocked: the key lasts as long as the page.
  }
}

export function forgetCredential(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    return;
  }
}

export function keptCredential(): Credential | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? 'null');
    return isCredential(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isCredential(value: unknown): value is Credential {
  if (typeof value !== 'object' || value === null) return false;
  return ['key', 'secret', 'passphrase'].every((name) => name in value);
}
