/** The words that fields of a schema take, for the pages: which there are and what they mean. */

export interface Enumeration {
  readonly field: string;
  readonly words: readonly string[];
  readonly description: string;
}

/** Every field with words of its own, wherever it stands in the schema; each name once. */
export function enumerationsOf(schema: unknown): Enumeration[] {
  const found = new Map<string, Enumeration>();
  collect(schema, '', found);
  return [...found.values()];
}

function collect(schema: unknown, field: string, found: Map<string, Enumeration>): void {
  if (typeof schema !== 'object' || schema === null) return;
  const words = wordsOf(schema).filter((word) => word !== '');
  const isFlag = words.every((word) => word === 'true' || word === 'false');
  if (field !== '' && !isFlag && !found.has(field)) {
    const description = String(Reflect.get(schema, 'description') ?? '');
    found.set(field, { field, words: [...new Set(words)], description });
  }
  const properties: unknown = Reflect.get(schema, 'properties');
  if (typeof properties === 'object' && properties !== null) {
    for (const [name, inner] of Object.entries(properties)) collect(inner, name, found);
  }
  collect(Reflect.get(schema, 'items'), field, found);
  for (const branch of branchesOf(schema)) {
    if ('properties' in branch || 'items' in branch) collect(branch, field, found);
  }
}

function wordsOf(schema: object): string[] {
  const constant: unknown = Reflect.get(schema, 'const');
  if (typeof constant === 'string') return [constant];
  const list: unknown = Reflect.get(schema, 'enum');
  if (Array.isArray(list)) return list.filter((word) => typeof word === 'string');
  return branchesOf(schema).flatMap(wordsOf);
}

function branchesOf(schema: object): object[] {
  const branches: unknown = Reflect.get(schema, 'anyOf');
  if (!Array.isArray(branches)) return [];
  return branches.filter((branch) => typeof branch === 'object' && branch !== null);
}
