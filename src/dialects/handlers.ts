/** Binds tables of endpoints to handlers: a row without a handler does not compile. */
import type { Answer, Caller, Endpoint, JsonObject, Route } from '#api';
import type { AccountId, Permission } from '#domain';

/** Answers anybody. */
export type PublicHandler = (input: JsonObject, nowMs: number) => Answer | Promise<Answer>;

/** Answers the owner of an account. */
export type PrivateHandler = (
  input: JsonObject,
  accountId: AccountId,
  nowMs: number,
  caller: Caller,
) => Answer | Promise<Answer>;

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
