/** Which release this program is, by its package. */
import { readFileSync } from 'node:fs';

export function releaseOf(): string {
  const file = new URL('../../../package.json', import.meta.url);
  const { version }: { version?: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version ?? '';
}
