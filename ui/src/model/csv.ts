/**
 * Rows as CSV text (RFC 4180). A spreadsheet takes a cell that begins like a formula for one, so
 * such a cell gets an apostrophe in front, unless it is a plain number.
 */

const NEEDS_QUOTES = /[",\r\n]/;
const LIKE_FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?[0-9]+(\.[0-9]+)?$/;
const LINE_END = '\r\n';

/** A header line and one line for each row; every line ends with CR LF. */
export function csvText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map((cells) => cells.map(csvCell).join(',') + LINE_END).join('');
}

function csvCell(text: string): string {
  const isRisky = LIKE_FORMULA.test(text) && !NUMBER.test(text);
  const safe = isRisky ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
