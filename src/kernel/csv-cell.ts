/**
 * A cell of CSV (RFC 4180) that no spreadsheet takes for a formula: an apostrophe stands in front
 * of a sign that would begin one. It may begin one wherever a spreadsheet may begin a cell: it goes
 * by the separators of its country, and by line ends inside quotes that it does not see as such.
 */

const NEEDS_QUOTES = /[",\r\n]/;
/** Also the signs of full width, which keyboards of East Asia make and spreadsheets read alike. */
const RISKY = /(?<=^|[;\t\r\n])(?='*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;
const GUARDED = /(?<=^|[;\t\r\n])'(?='*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

export function csvCell(text: string): string {
  const safe = text.replace(RISKY, "'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A record of text cells, with its line end. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** The text that csvCell was given, once the quotes are off. */
export function unguardedCell(cell: string): string {
  return cell.replace(GUARDED, '');
}
