/** Ids by which clients of a socket tell the answers to their requests apart. */
import type { JsonObject } from '#api';

/** Characters of the id of a request. */
const ID_LENGTH_MAX = 64;

/** The id of a request as JSON, in the type it came in; undefined for none. */
export function requestIdOf({ id }: JsonObject, text: string): string | undefined {
  if (typeof id === 'number') return String(id);
  if (typeof id !== 'string' || id.length > ID_LENGTH_MAX) return undefined;
  const quoted = JSON.stringify(id);
  // A number with many digits is kept as text: it came without quotes.
  const wasNumber = /^-?[0-9.]+$/.test(id) && !text.includes(quoted);
  return wasNumber ? id : quoted;
}
