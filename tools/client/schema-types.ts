/** Schemas of the endpoint tables as TypeScript: what a client sends, and what it is answered. */

/** The keywords that the tables use. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/** Of a request a field that may be left out may also be undefined: neither is sent. */
export type Side = 'input' | 'answer';

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The type that a schema describes. Throws for a keyword it cannot say. */
export function typeOf(schema: Schema, side: Side): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf, side);
  if (schema.type === 'array') return listOf(schema.items, side);
  if (schema.type === 'object') return objectOf(schema, side);
  const scalar = SCALARS[schema.type ?? ''];
  if (scalar === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return scalar;
}

/** The fields of an object between braces, each with what it means. */
export function objectOf(schema: Schema, side: Side): string {
  const { properties = {}, required = [], patternProperties } = schema;
  const [record] = Object.values(patternProperties ?? {});
  if (record !== undefined) return `Readonly<Record<string, ${typeOf(record, side)}>>`;
  const fields = Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name);
    const type = typeOf(field, side) + (isRequired || side === 'answer' ? '' : ' | undefined');
    return `${docs(field.description)}readonly ${name}${isRequired ? '' : '?'}: ${type};`;
  });
  if (fields.length === 0) return 'Readonly<Record<string, unknown>>';
  return `{\n${fields.join('\n')}\n}`;
}

/** A comment, or nothing for no text. */
export function docs(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;
}

function unionOf(members: readonly Schema[], side: Side): string {
  const types = new Set(members.map((member) => typeOf(member, side)));
  // Not given is said by null; the empty text that means the same is left to forms.
  if (types.has('null')) types.delete("''");
  return [...types].join(' | ');
}

function listOf(items: Schema['items'], side: Side): string {
  if (items === undefined) return 'readonly unknown[]';
  if (!isTuple(items)) {
    const item = typeOf(items, side);
    const isPlain = items.enum === undefined && items.anyOf === undefined && items.type !== 'array';
    return isPlain ? `readonly ${item}[]` : `readonly (${item})[]`;
  }
  return `readonly [${items.map((item) => typeOf(item, side)).join(', ')}]`;
}

function isTuple(items: NonNullable<Schema['items']>): items is readonly Schema[] {
  return Array.isArray(items);
}

function literal(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
