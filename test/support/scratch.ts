/** Directories of the tests' own, in the system's temporary directory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What ends and tidies up: a test, or the process. */
interface Scope {
  after(tidyUp: () => void): void;
}

const left: (() => void)[] = [];
process.once('exit', () => {
  for (const tidyUp of left) tidyUp();
});
const PROCESS: Scope = { after: (tidyUp) => left.push(tidyUp) };

/** Empty, and gone when the test, or without one all that the file has opened, is over. */
export function scratchDirectory(context = PROCESS): string {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-test-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  // These are called in the order in which they came: what works in the directory has to end first.
  context.after(() => context.after(remove));
  return directory;
}
