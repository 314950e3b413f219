/** Texts in English: API keys, on the account page and on the desk. */
export const keys = {
  title: 'API keys',
  noManage: 'You need the permission Manage to see the API keys of this account.',
  expires: 'Expires',
  never: 'Never',
  expiresDays: 'Expires after (days)',
  expiresMeans: 'Leave empty for no expiry',
  kind: 'Key type',
  kinds: { hmac: 'HMAC (secret)', ed25519: 'Ed25519 (public key)' },
  publicKey: 'Public key',
  publicKeyMeans: 'PEM or Base64, for example from: openssl pkey -in key.pem -pubout',
  publicKeyNote: 'Sign requests with your private key. It never leaves your machine.',
  empty: 'No API keys yet',
  more: 'A key cannot do more than you can in this account.',
};

export type KeyTexts = typeof keys;
