/**
 * What a dialect is to the server: its routes and streams, the frame of its answers and where its
 * callers show their credentials. The server mounts a list of dialects and knows none by name.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Refused } from '#domain';
import type { Route } from './endpoint.ts';
import type { Credentials, SigningRules } from './plugins/auth.ts';
import type { Quota } from './plugins/quota.ts';
import type { RefusalForm } from './refusal-form.ts';
import type { Services, StreamServices } from './services.ts';
import type { StreamDialect } from './streams/dialect.ts';

/** How answers look. */
export interface Frame {
  /** What stands before and behind the encoded data of a success. */
  around(nowMs: number): readonly [before: string, behind: string];
  /** `target` is what was asked for, where that is known. */
  refusal(refused: Refused, nowMs: number, target?: string): RefusalForm;
}

export interface Dialect {
  readonly name: string;
  /** How the paths begin whose refusals it words, also where it has no route. */
  readonly prefixes: readonly string[];
  readonly frame: Frame;
  /** What a caller shows, empty text for what is missing; may be unchecked and wrong. */
  credentials(headers: IncomingHttpHeaders): Credentials;
  /** How signed calls are checked; as usual without it. */
  readonly signing?: SigningRules;
  /** What all its endpoints together may be called; they say what a call costs. */
  readonly quotas?: readonly Quota[];
  routes(services: Services): readonly Route[];
  streams(services: StreamServices): readonly StreamDialect[];
}

/** Finds the frame of a path. Paths of no dialect are answered as the first one mounted would. */
export class Frames {
  readonly #first: Frame;
  readonly #byPrefix: readonly (readonly [prefix: string, frame: Frame])[];

  constructor([first, ...others]: readonly [Dialect, ...Dialect[]]) {
    this.#first = first.frame;
    this.#byPrefix = others.flatMap(({ prefixes, frame }) =>
      prefixes.map((prefix) => [prefix, frame] as const),
    );
  }

  of(target: string): Frame {
    for (const [prefix, frame] of this.#byPrefix) if (target.startsWith(prefix)) return frame;
    return this.#first;
  }
}
