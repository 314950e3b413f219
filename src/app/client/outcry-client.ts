/** The client of a venue: one method for each endpoint of the neutral APIs, by API. */
import { type Caller, type CallOptions, type ClientOptions, callerOf } from './caller.ts';
import type { AnswerOf, AnyEndpoint, InputOf } from './endpoint.ts';
import * as admin from './generated/admin.ts';
import * as competition from './generated/competition.ts';
import * as native from './generated/native.ts';
import * as people from './generated/people.ts';
import * as sandbox from './generated/sandbox.ts';

const TABLES = { native, people, competition, admin, sandbox };

type Tables = typeof TABLES;
type Table = Readonly<Record<string, AnyEndpoint>>;

/** An input may be left out where none of its fields has to be given. */
export type Method<Input, Answer> =
  Record<never, never> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<Answer>
    : (input: Input, options?: CallOptions) => Promise<Answer>;

export type Api<T> = { readonly [Name in keyof T]: Method<InputOf<T[Name]>, AnswerOf<T[Name]>> };

/** As in `venue.native.placeOrder({ symbol: 'BTC-USDT', … })`; all reject with VenueError. */
export type OutcryClient = { readonly [Name in keyof Tables]: Api<Tables[Name]> };

export function outcryClient(options: ClientOptions): OutcryClient {
  const call = callerOf(options);
  return {
    native: apiOf(native, call),
    people: apiOf(people, call),
    competition: apiOf(competition, call),
    admin: apiOf(admin, call),
    sandbox: apiOf(sandbox, call),
  };
}

function apiOf<T extends Table>(table: T, call: Caller): Api<T> {
  const methods = Object.entries(table).map(([name, endpoint]) => [
    name,
    (input: object = {}, options?: CallOptions) => call(endpoint, input, options),
  ]);
  return Object.fromEntries(methods);
}
