/** A call of the venue as the generated tables name it, and what it sends for an input. */

export interface Endpoint<Input, Answer> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` where the field of that name stands. */
  readonly path: string;
  /** Its fields are in the query, as those of every GET; else they are a JSON body. */
  readonly inQuery?: true;
  /** Never there: it carries the types. */
  types?(input: Input): Answer;
}

/** Any endpoint of the tables. */
export type AnyEndpoint = Endpoint<object, unknown>;

export type InputOf<E> = E extends Endpoint<infer Input, infer _Answer> ? Input : never;
export type AnswerOf<E> = E extends Endpoint<infer _Input, infer Answer> ? Answer : never;

/** Path with query, and the text of the body: empty for none. */
export interface Sent {
  readonly target: string;
  readonly body: string;
}

/** The path with what stands for its parameters, and the other fields. */
export function placedIn<Input>(endpoint: Endpoint<Input, unknown>, input: NoInfer<Input>) {
  const fields = new Map<string, unknown>(Object.entries(Object(input)));
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = fields.get(name);
    fields.delete(name);
    return encodeURIComponent(String(value ?? ''));
  });
  return { path, fields };
}

/** Fields that are undefined are left out; in a query, so are those that are null. */
export function sentBy<Input>(endpoint: Endpoint<Input, unknown>, input: NoInfer<Input>): Sent {
  const { method, inQuery } = endpoint;
  const { path, fields } = placedIn(endpoint, input);
  if (method === 'GET' || inQuery === true) return { target: withQuery(path, fields), body: '' };
  const given = [...fields].filter(([, value]) => value !== undefined);
  if (method === 'DELETE' && given.length === 0) return { target: path, body: '' };
  return { target: path, body: JSON.stringify(Object.fromEntries(given)) };
}

/** As sentBy, of what is in no body: names a reading, or an address to open. */
export function targetOf<Input>(endpoint: Endpoint<Input, unknown>, input: NoInfer<Input>): string {
  return sentBy(endpoint, input).target;
}

function withQuery(path: string, fields: ReadonlyMap<string, unknown>): string {
  const words = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value !== undefined && value !== null) words.set(name, String(value));
  }
  const query = words.toString();
  return query === '' ? path : `${path}?${query}`;
}
