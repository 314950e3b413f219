/** Codes of an authenticator (RFC 6238): six digits, thirty seconds, one step early or late. */

const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
const STEPS_OFF_MAX = 1;

/** Loaded by the first factor: a start does without it. */
async function totpOf(seed: string, issuer: string, label: string) {
  const { Secret, TOTP } = await import('otpauth');
  const secret = Secret.fromBase32(seed);
  const period = STEP_SECONDS;
  return new TOTP({ issuer, label, algorithm: 'SHA1', digits: DIGITS, period, secret });
}

export async function newFactor(): Promise<string> {
  const { Secret } = await import('otpauth');
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What an authenticator reads from a picture. */
export async function factorUri(seed: string, issuer: string, email: string): Promise<string> {
  return (await totpOf(seed, issuer, email)).toString();
}

export function looksLikeFactorCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text.replaceAll(' ', ''));
}

/** The time step that a code is of, to be used up; undefined for a wrong one. */
export async function stepOfCode(
  seed: string,
  code: string,
  nowMs: number,
): Promise<number | undefined> {
  const totp = await totpOf(seed, 'venue', 'person');
  const token = code.replaceAll(' ', '');
  const off = totp.validate({ token, timestamp: nowMs, window: STEPS_OFF_MAX });
  return off === null ? undefined : Math.floor(nowMs / 1_000 / STEP_SECONDS) + off;
}
