/** Rows as CSV text (RFC 4180). A plain number is no formula, whatever its sign. */
import { csvCell } from '#kernel';

const NUMBER = /^[+-]?[0-9]+(\.[0-9]+)?$/;
const LINE_END = '\r\n';

/** A header line and one line for each row; every line ends with CR LF. */
export function csvText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, ...rows].map((cells) => cells.map(written).join(',') + LINE_END).join('');
}

function written(text: string): string {
  return NUMBER.test(text) ? text : csvCell(text);
}
