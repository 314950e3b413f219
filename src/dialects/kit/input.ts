/** What a call asks, out of its query or its body: read before it is checked field by field. */
import {
  type ApiRequest,
  comesTwice,
  type Endpoint,
  type JsonObject,
  jsonFault,
  parseJsonObject,
  readsQuery,
  refuseSaying,
} from '#api';
import { type Refused, refuse } from '#domain';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** The query of what only reads, and a JSON body of everything else. */
export function queryOrJson(request: ApiRequest, endpoint: Endpoint): JsonObject | Refused {
  return readsQuery(endpoint) ? queryInput(request) : jsonInput(request);
}

/** Refuses a parameter that comes twice, known or not: another reader may take the other one. */
function queryInput({ query }: Pick<ApiRequest, 'query'>): JsonObject | Refused {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) return refuseSaying('parameter_invalid', comesTwice(name));
  }
  return query;
}

/** The fields of a JSON body; none for an empty one. */
export function jsonInput({
  body,
  headers,
}: Pick<ApiRequest, 'body' | 'headers'>): JsonObject | Refused {
  if (body === undefined || body.length === 0) return {};
  const type = headers['content-type'];
  if (type !== undefined && !JSON_TYPE.test(type)) return refuse('content_type_wrong');
  const text = body.toString('utf8');
  return parseJsonObject(text) ?? refuseSaying('body_not_json', jsonFault(text));
}
