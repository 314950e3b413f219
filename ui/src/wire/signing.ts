/** Signatures, made in the browser: a secret never leaves it. */

export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** Base64 of HMAC-SHA256 of the text under the secret. */
export async function sign(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const raw = encoder.encode(secret);
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}
