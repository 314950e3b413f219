/** Where a database is, for messages. Imports no driver: every venue loads this. */

/** Without user and password. */
export function placeOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
