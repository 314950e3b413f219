/** Binds tables of endpoints to handlers: a row without a handler does not compile. */
import type { Answer, Call, Caller, Endpoint, JsonObject, Route } from '#api';
import { type AccountId, isRefused, type Permission, type Refused, refuse } from '#domain';
import { present } from '#kernel';
import { shown } from './fields.ts';

/** Fields that a refusal lists; more would hide what it says. */
const NAMED_FIELDS_MAX = 15;

/** Answers anybody. */
export type PublicHandler = (input: JsonObject, nowMs: number) => Answer | Promise<Answer>;

/** Answers the owner of an account. */
export type PrivateHandler = (
  input: JsonObject,
  accountId: AccountId,
  nowMs: number,
  caller: Caller,
) => Answer | Promise<Answer>;

/** What the operator's handlers are given. */
export type OperatorCall = Pick<Call, 'path' | 'input'>;

/** Answers the operator with plain data, ready for JSON, or with the reason for a refusal. */
export type OperatorHandler = (call: OperatorCall) => Promise<object | Refused>;

export function publicRoute(endpoint: Endpoint<'none'>, handler: PublicHandler): Route {
  return { access: 'public', endpoint, answer: ({ input, nowMs }) => handler(input, nowMs) };
}

export function signedRoute(endpoint: Endpoint<Permission>, handler: PrivateHandler): Route {
  return {
    access: 'signed',
    endpoint,
    answer: ({ input, accountId, nowMs, caller }) => handler(input, accountId, nowMs, caller),
  };
}

/** One route for every endpoint of a table. */
export function operatorRoutes<Name extends string>(
  endpoints: Readonly<Record<Name, Endpoint>>,
  handlers: Readonly<Record<Name, OperatorHandler>>,
): Route[] {
  const handlerOf: Readonly<Record<string, OperatorHandler>> = handlers;
  return Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => {
    const handler = present(handlerOf[name], `handler of ${name}`);
    return {
      access: 'operator',
      endpoint,
      answer: async (call) => {
        const unknown = unknownField(endpoint, call.input);
        if (unknown !== undefined) return unknown;
        const answer = await handler(call);
        return isRefused(answer) ? answer : JSON.stringify(answer);
      },
    };
  });
}

/** A field the endpoint does not know, which may be a misspelt one that matters. */
function unknownField(endpoint: Endpoint, input: JsonObject): Refused | undefined {
  const known = Object.keys(endpoint.request.properties);
  const stranger = Object.keys(input).find((name) => !known.includes(name));
  if (stranger === undefined) return undefined;
  const named = known.length > NAMED_FIELDS_MAX ? 'the fields shown at /docs' : known.join(', ');
  const takes = known.length === 0 ? 'no fields' : named;
  return refuse('parameter_invalid', `${shown(stranger)} is not known here, which takes ${takes}`);
}
