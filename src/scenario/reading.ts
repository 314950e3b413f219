/** Picks values out of the JSON a venue answers: what is not there reads as empty text. */

/** The value below these keys; undefined when there is none. */
export function valueAt(data: unknown, ...keys: readonly string[]): unknown {
  let value = data;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

export function textAt(data: unknown, ...keys: readonly string[]): string {
  const value = valueAt(data, ...keys);
  return value === undefined || value === null ? '' : String(value);
}

export function rowsAt(data: unknown, ...keys: readonly string[]): readonly unknown[] {
  const value = valueAt(data, ...keys);
  return Array.isArray(value) ? value : [];
}

/** The row that has all these texts. */
export function rowWith(
  rows: readonly unknown[],
  wanted: Readonly<Record<string, string>>,
): unknown {
  const pairs = Object.entries(wanted);
  return rows.find((row) => pairs.every(([key, text]) => textAt(row, key) === text));
}
