/**
 * Writes the tables of the typed client (`outcry/client`) from the endpoint tables: for each API a
 * module with one constant for each call, and the types of its input and answer. What has not
 * changed is left alone, so that nothing is built again because of it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTED } from '#dialects';
import { type Call, moduleOf } from './client/module-text.ts';
import type { Schema } from './client/schema-types.ts';

const OUT = join(import.meta.dirname, '../src/app/client/generated');

/** The neutral APIs by the start of their paths. */
const APIS: Readonly<Record<string, string>> = {
  '/v1/': 'native',
  '/people/v1/': 'people',
  '/competition/v1/': 'competition',
  '/admin/v1/': 'admin',
  '/sandbox/v1/': 'sandbox',
};

mkdirSync(OUT, { recursive: true });
for (const [prefix, api] of Object.entries(APIS)) {
  const file = join(OUT, `${api}.ts`);
  const text = moduleOf(prefix, callsBelow(prefix));
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** By name, which no two calls of an API share. */
function callsBelow(prefix: string): ReadonlyMap<string, Call> {
  const calls = new Map<string, Call>();
  const tables = DOCUMENTED.flatMap((dialect) => Object.values(dialect.tables));
  for (const [name, endpoint] of tables.flatMap((table) => Object.entries(table))) {
    if (!endpoint.path.startsWith(prefix)) continue;
    if (calls.has(name)) throw new Error(`two calls of ${prefix} are named ${name}`);
    const { method, path, inQuery, isFile, summary, permission, request, response } = endpoint;
    const said: { readonly request: Schema; readonly response: Schema } = JSON.parse(
      JSON.stringify({ request, response: isFile === true ? { type: 'string' } : response }),
    );
    calls.set(name, { method, path, inQuery, isFile, summary, permission, ...said });
  }
  return calls;
}
