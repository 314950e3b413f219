/**
 * Where dialects stand: each behind a prefix of the main listener, which may be empty; without the
 * prefix perhaps under names of its own in Host, or on a listener of its own. What comes there is
 * served as if it had come with the prefix.
 */
import type { IncomingMessage } from 'node:http';
import type { OwnListener } from './listeners.ts';
import { hostNameOf } from './plugins/host-name.ts';

export interface Mount {
  /** What all its paths begin with on the main listener, as in /other; empty for nothing. */
  readonly prefix: string;
  /** Names in Host, in small letters, under which its paths stand without the prefix. */
  readonly hosts?: readonly string[];
  /** Serves this dialect and nothing else, without the prefix. */
  readonly listener?: OwnListener;
}

type Asked = Pick<IncomingMessage, 'url' | 'headers' | 'socket'>;

export class Mounts {
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #listeners: readonly (readonly [listener: OwnListener, prefix: string])[];

  constructor(mounts: readonly Mount[]) {
    this.#prefixes = new Map(
      mounts.flatMap(({ prefix, hosts = [] }) => hosts.map((host) => [host, prefix] as const)),
    );
    this.#listeners = mounts.flatMap(({ prefix, listener }) =>
      listener === undefined ? [] : [[listener, prefix] as const],
    );
  }

  /** Whether anything is served elsewhere than behind its prefix. */
  get hasOthers(): boolean {
    return this.#prefixes.size > 0 || this.#listeners.length > 0;
  }

  /** All names under which dialects stand. */
  get hosts(): readonly string[] {
    return [...this.#prefixes.keys()];
  }

  get listeners(): readonly OwnListener[] {
    return this.#listeners.map(([listener]) => listener);
  }

  /** What a request would ask for on the main listener. */
  targetOf(request: Asked): string {
    const { url = '' } = request;
    if (!this.hasOthers || !url.startsWith('/')) return url;
    return this.#prefixOf(request) + url;
  }

  /** Paths of the main listener, as they are asked for under names of their own. */
  withoutPrefix(paths: readonly string[]): string[] {
    const prefixes = new Set(this.#prefixes.values());
    return [...prefixes].flatMap((prefix) =>
      paths.flatMap((path) => (path.startsWith(`${prefix}/`) ? [path.slice(prefix.length)] : [])),
    );
  }

  #prefixOf(request: Asked): string {
    for (const [listener, prefix] of this.#listeners) if (listener.has(request)) return prefix;
    return this.#prefixes.get(hostNameOf(request.headers.host ?? '')) ?? '';
  }
}
