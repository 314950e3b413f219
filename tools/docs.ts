/**
 * `npm run docs`: writes the reference of the HTTP interfaces into dist/docs, as a page to read and
 * as OpenAPI. It is made of the tables of endpoints, as what a running venue serves at /docs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { openApiDocument } from '#dialects';
import { referencePage } from './docs/reference.ts';

const OUT = resolve(import.meta.dirname, '../dist/docs');

mkdirSync(OUT, { recursive: true });
for (const [name, text] of [
  ['reference.md', referencePage()],
  ['openapi.json', `${openApiDocument()}\n`],
] as const) {
  const file = join(OUT, name);
  writeFileSync(file, text);
  console.log(`${relative(process.cwd(), file)}: ${Math.round(text.length / 1_000)} kB`);
}
