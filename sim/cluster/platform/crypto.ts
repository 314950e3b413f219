/** Stands in for node:crypto where something has to be random: a run draws it from its seed. */
import { here } from '../here.ts';

export * from 'node:crypto';

export function randomBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  bytes.write(
    here()
      .world.nonce()
      .slice(-2 * count),
    'hex',
  );
  return bytes;
}

export function randomUUID(): string {
  return `00000000-0000-4000-8000-${here().world.nonce()}`;
}

export function randomInt(): number {
  return Number.parseInt(here().world.nonce(), 16);
}
