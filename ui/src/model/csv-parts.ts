/** A file of lines in parts that one call can carry, each with the line of the columns. */

export interface CsvPart {
  readonly csv: string;
  /** The number, in the file, of the line before the first one of this part. */
  readonly firstLine: number;
  readonly lines: number;
}

const LINES_MAX = 500;
const CHARACTERS_MAX = 16_000;

/** No cell of it has several lines; empty lines at the end are left out. */
export function csvParts(text: string): readonly CsvPart[] {
  const [header = '', ...lines] = text.replace(/\s+$/, '').split(/\r?\n/);
  const parts: CsvPart[] = [];
  let held: string[] = [];
  let size = 0;
  let first = 1;
  const end = (): void => {
    parts.push({
      csv: `${[header, ...held].join('\n')}\n`,
      firstLine: first,
      lines: held.length,
    });
    first += held.length;
    held = [];
    size = 0;
  };
  for (const line of lines) {
    if (held.length >= LINES_MAX || size + line.length > CHARACTERS_MAX) end();
    held.push(line);
    size += line.length;
  }
  end();
  return parts;
}
