/** Words of closed lists, as tables have them. */

/** A word of a closed list; a database that says another one was not written by us. */
export function word<T extends string>(words: readonly T[], found: string): T {
  const known = words.find((one) => one === found);
  if (known === undefined) throw new Error(`people: ${found} is none of ${words.join(', ')}`);
  return known;
}
