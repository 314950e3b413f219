/**
 * What a dialect is to the server: its routes and streams, the frame of its answers, how callers
 * sign and where what they ask for stands. The server mounts a list of dialects and knows none by
 * name.
 */
import type { Permission, Refused } from '#domain';
import type { Endpoint, Route } from './endpoint.ts';
import type { JsonObject } from './json.ts';
import type { Mount } from './mounts.ts';
import type { Authenticated, KeyDoor } from './plugins/auth.ts';
import type { Quota } from './plugins/quota.ts';
import type { RefusalForm } from './refusal-form.ts';
import type { ApiRequest } from './request.ts';
import type { Services, StreamServices } from './services.ts';
import type { StreamDialect } from './streams/dialect.ts';

/** How answers look. */
export interface Frame {
  /** What stands before and behind the encoded data of a success. */
  around(nowMs: number): readonly [before: string, behind: string];
  /** `target` is what was asked for, where that is known. */
  refusal(refused: Refused, nowMs: number, target?: string): RefusalForm;
}

/** How callers show which key is theirs. */
export interface Signer {
  /** The key that is shown, which may be unknown; empty for none. Callers take turns by it. */
  keyOf(request: Pick<ApiRequest, 'headers' | 'target'>): string;
  /** Whose key has signed a call of this endpoint, or why it is not let in. */
  admit(
    request: ApiRequest,
    endpoint: Endpoint<Permission>,
    nowMs: number,
    keys: KeyDoor,
  ): Authenticated | Promise<Authenticated>;
}

export interface Dialect {
  readonly name: string;
  /** Where it stands besides the main listener's own paths; nowhere else without it. */
  readonly mount?: Mount;
  /**
   * How the paths begin whose refusals it words, also where it has no route; behind the prefix of
   * its mount.
   */
  readonly prefixes: readonly string[];
  readonly frame: Frame;
  readonly signer: Signer;
  /** What a call asks, before it is checked: where it stands, and in which form. */
  input(request: ApiRequest, endpoint: Endpoint): JsonObject | Refused;
  /** What all its endpoints together may be called; they say what a call costs. */
  readonly quotas?: readonly Quota[];
  routes(services: Services): readonly Route[];
  streams(services: StreamServices): readonly StreamDialect[];
  /** Whether frames of its streams carry calls of its endpoints. */
  readonly takesCalls?: true;
}

/** Finds the frame of a path. Paths of no dialect are answered as the first one mounted would. */
export class Frames {
  readonly #first: Frame;
  readonly #byPrefix: readonly (readonly [prefix: string, frame: Frame])[];

  constructor([first, ...others]: readonly [Dialect, ...Dialect[]]) {
    this.#first = first.frame;
    this.#byPrefix = others.flatMap(({ mount, prefixes, frame }) =>
      prefixes.map((prefix) => [(mount?.prefix ?? '') + prefix, frame] as const),
    );
  }

  of(target: string): Frame {
    for (const [prefix, frame] of this.#byPrefix) if (target.startsWith(prefix)) return frame;
    return this.#first;
  }
}
