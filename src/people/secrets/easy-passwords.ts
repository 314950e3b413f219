/**
 * Passwords that are tried first, as far as they are long enough to be chosen here. Most of them
 * are a word that everybody knows with something before or behind it, one such word twice, or keys
 * in a row, so those are recognised by their words.
 */

const WORDS = `
password passw0rd p4ssword p4ssw0rd pa55word pa55w0rd passwort contrasena motdepasse welcome
welcom3 letmein letmeinnow iloveyou iloveu admin administrator root superuser changeme changeit
default secret secret123 sunshine princess dragon football baseball basketball superman batman
starwars pokemon trustno1 shadow master monkey michael jennifer jordan hunter computer internet
whatever freedom charlie ashley bailey passphrase qwerty qwertyuiop qwertz azerty asdfghjkl
zxcvbnm 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx qazwsxedc zaq12wsx abc abcd abcdef abcdefgh
abcdefghijkl google facebook linkedin twitter samsung apple iphone android windows microsoft
outcry bitcoin ethereum crypto trader trading exchange money dollar testtest test tester testing
testaccount guest demo user login hello helloworld spring summer autumn winter monday tuesday
wednesday thursday friday saturday sunday january february march april june july august
september october november december liverpool arsenal chelsea barcelona realmadrid juventus
cristiano ronaldo messi woaini nihao mustang corvette ferrari harley yankees cowboys steelers
eagles killer matrix maggie buster soccer hockey cheese cookie chocolate butterfly flower purple
orange banana pepper ginger silver golden diamond tigger angel lovely loveme family mother
father daddy mommy please fuckyou fuckoff asshole
`;

const KNOWN: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ''));
const ROWS: readonly string[] = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'zyxwvutsrqponmlkjihgfedcba',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1234567890qwertyuiop',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
];
/** What is left beside a known word is no password of its own. */
const REMAINDER_MAX = 6;

export function isEasy(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase().trim();
  if (new Set(lower).size <= 3 || isRepeated(lower)) return true;
  if (ROWS.some((row) => row.includes(lower))) return true;
  const letters = lower.replace(/[^\p{L}\p{N}]/gu, '');
  if (ROWS.some((row) => row.includes(letters))) return true;
  return isKnownWord(lower) || isKnownWord(letters);
}

/** The same few characters over and over: abcabcabcabc. */
function isRepeated(text: string): boolean {
  const part = (text + text).indexOf(text, 1);
  return part < text.length && (part <= 4 || KNOWN.has(text.slice(0, part)));
}

/** One or two known words with digits and signs around them. */
function isKnownWord(text: string): boolean {
  const core = text.replace(/^\P{L}+|\P{L}+$/gu, '');
  if (text.length - core.length > REMAINDER_MAX && core.length > 0) {
    return KNOWN.has(core) && /^[0-9]*$/.test(text.replace(core, ''));
  }
  if (KNOWN.has(core) || KNOWN.has(text)) return true;
  for (let at = 3; at <= core.length - 3; at += 1) {
    if (KNOWN.has(core.slice(0, at)) && KNOWN.has(core.slice(at))) return true;
  }
  return false;
}
