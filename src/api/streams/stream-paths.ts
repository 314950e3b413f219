/** Which stream a handshake is for: by its path and, where several share one, by its Host. */
import type { IncomingMessage } from 'node:http';
import { assert } from '#kernel';
import type { StreamDialect, StreamPath } from './dialect.ts';

interface Place extends StreamPath {
  readonly dialect: StreamDialect;
}

export class StreamPaths {
  readonly #byPath: ReadonlyMap<string, readonly Place[]>;

  constructor(streams: readonly StreamDialect[]) {
    const places = streams.flatMap((dialect) =>
      dialect.paths.map((path) => ({ ...path, dialect })),
    );
    this.#byPath = Map.groupBy(places, ({ path }) => path);
    for (const [path, shared] of this.#byPath) {
      const others = shared.filter(({ hostPrefix }) => hostPrefix === undefined);
      assert(others.length === 1, `${path} is one stream's for hosts that no other claims`);
    }
  }

  /** Whether a request target belongs to a stream; only such may leave HTTP. */
  has(target: string | undefined): boolean {
    return this.#byPath.has(pathOf(target));
  }

  /** All of them. */
  get all(): readonly string[] {
    return [...this.#byPath.keys()];
  }

  of({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): StreamDialect | undefined {
    const host = headers.host?.toLowerCase() ?? '';
    const places = this.#byPath.get(pathOf(url)) ?? [];
    const claimed = places.find(({ hostPrefix }) => {
      return hostPrefix !== undefined && host.startsWith(hostPrefix);
    });
    return (claimed ?? places.find(({ hostPrefix }) => hostPrefix === undefined))?.dialect;
  }
}

/** What a request target names, without its query. */
export function pathOf(target: string | undefined): string {
  return target?.split('?', 1)[0] ?? '';
}
