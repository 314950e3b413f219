/** What the OpenAPI document of a venue says of its calls, ready to draw from and to judge by. */
import { Compile, type Validator } from 'typebox/schema';

/** A schema as the document has it. */
export interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
}

export const JSON_TYPE = 'application/json';

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
  readonly 'x-permission': string;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With the names of its parts in braces. */
  readonly path: string;
  /** none, operator, or what a key needs. */
  readonly permission: string;
  readonly fields: readonly Field[];
  /** Where the fields go; a call without fields has neither. */
  readonly place: 'query' | 'body' | 'nowhere';
  readonly success: Validator;
  /** What the body of a success is: JSON, or the text of a file. */
  readonly successType: string;
  readonly refusal: Validator;
}

/** Ids of orders of one market mean nothing in the other. */
type Market = 'spot' | 'contract' | 'any';
export type IdKind = Market | 'position';

export function marketOf({ path }: Operation): Market {
  if (path.startsWith('/v1/')) return 'any';
  return path.startsWith('/api/swap') || path.startsWith('/capi') ? 'contract' : 'spot';
}

export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) =>
      operation(document, path, method.toUpperCase(), described),
    ),
  );
}

function operation(
  document: OpenApi,
  path: string,
  method: string,
  described: Described,
): Operation {
  const { operationId, parameters = [], requestBody, responses } = described;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const inBody = Object.entries(body?.properties ?? {}).map(([name, schema]) => {
    return { name, schema, isRequired: body?.required?.includes(name) === true };
  });
  const inQuery = query.map(({ name, schema, required }) => {
    return { name, schema, isRequired: required };
  });
  const elsewhere = inQuery.length > 0 ? 'query' : 'nowhere';
  return {
    id: operationId,
    method,
    path,
    permission: described['x-permission'],
    fields: body === undefined ? inQuery : inBody,
    place: body === undefined ? elsewhere : 'body',
    success: validator(document, responses['200']),
    successType: typeOf(responses['200']),
    refusal: validator(document, responses['4XX']),
  };
}

function typeOf(answer: Content | undefined): string {
  return Object.keys(answer?.content ?? {})[0] ?? JSON_TYPE;
}

function validator({ components }: OpenApi, answer: Content | undefined): Validator {
  const schema = answer?.content[typeOf(answer)]?.schema ?? {};
  const name = schema.$ref?.split('/').at(-1);
  return Compile({ ...(name === undefined ? schema : components.schemas[name]) });
}
