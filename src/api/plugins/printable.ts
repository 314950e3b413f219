/** Text from outside as it is written down or said again. */

/** Neither is shown as anything, and a terminal may act on some. */
const INVISIBLE = /\p{C}/gu;

/** The first characters of a text, each that is invisible as a question mark. */
export function printable(text: string, max: number): string {
  return text.slice(0, max).replace(INVISIBLE, '?');
}
