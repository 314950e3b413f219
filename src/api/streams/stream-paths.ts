/** Which stream a handshake is for: by its path and, where several share one, by its Host. */
import type { IncomingMessage } from 'node:http';
import { assert } from '#kernel';
import type { StreamDialect, StreamPath } from './dialect.ts';

/** What a path ends in below which there may be anything. */
const ANY = '/*';

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

  /** All of them. */
  get all(): readonly string[] {
    return [...this.#byPath.keys()];
  }

  /** The stream of a target under this Host. */
  of(target: string, { host = '' }: IncomingMessage['headers']): StreamDialect | undefined {
    const name = host.toLowerCase();
    const places = this.#byPath.get(patternOf(target, this.#byPath) ?? '') ?? [];
    const claimed = places.find(({ hostPrefix }) => {
      return hostPrefix !== undefined && name.startsWith(hostPrefix);
    });
    return (claimed ?? places.find(({ hostPrefix }) => hostPrefix === undefined))?.dialect;
  }
}

/** Which of the paths a target has: itself, or the nearest above it that is open below. */
export function patternOf(
  target: string | undefined,
  paths: Pick<ReadonlyMap<string, unknown> | ReadonlySet<string>, 'has'>,
): string | undefined {
  const path = pathOf(target);
  if (paths.has(path)) return path;
  for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
    const pattern = path.slice(0, at) + ANY;
    if (paths.has(pattern)) return pattern;
    if (at === 0) break;
  }
  return undefined;
}

/** What a request target names, without its query. */
function pathOf(target: string | undefined): string {
  return target?.split('?', 1)[0] ?? '';
}
