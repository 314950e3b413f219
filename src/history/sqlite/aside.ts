/**
 * Putting a damaged history out of the way: under a new name, with its log, so that it can still
 * be looked at. The next opening makes a new file, which is filled from the journal.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';

/** More than anybody keeps; beyond it the start fails and says so. */
const KEPT_MAX = 1_000;

/** Moves the file and its log aside and gives the new name, as in history.damaged-1.sqlite. */
export function setHistoryAside(file: string): string {
  const aside = freeName(file);
  for (const end of ['', '-wal']) {
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${aside}${end}`);
  }
  // Only an index of the log, made anew when it is missing.
  rmSync(`${file}-shm`, { force: true });
  return aside;
}

function freeName(file: string): string {
  const stem = file.replace(/\.sqlite$/, '');
  for (let number = 1; number <= KEPT_MAX; number += 1) {
    const name = `${stem}.damaged-${number}.sqlite`;
    if (!existsSync(name)) return name;
  }
  throw new Error(`${file} is damaged, and so are ${KEPT_MAX} before it: remove those`);
}
