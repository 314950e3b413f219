/** Stands in for fetch: one process of the cluster asks another one. */
import { here, networkHere } from '../here.ts';
import { addressOf, type Reply, ServerResponse } from './http.ts';

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export function simulatedFetch(url: URL, { headers = {}, signal }: Asked = {}): Promise<unknown> {
  const network = networkHere();
  const life = here();
  const { world, host: from } = life;
  const to = url.hostname;
  return new Promise((resolve, reject) => {
    const inLife = (act: () => void): void => world.at(0, act, life);
    const fail = (): void => inLife(() => reject(new TypeError('fetch failed')));
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    const back = (reply: Reply | undefined): void => {
      const answer = (): void =>
        reply === undefined ? fail() : inLife(() => resolve(responseOf(reply)));
      network.repeat(to, from, answer, fail);
    };
    const arrive = (): void => {
      const listener = world.listeners.get(url.host);
      if (listener === undefined) {
        back(undefined);
        return;
      }
      const socket = { remoteAddress: addressOf(from) };
      const request = { url: url.pathname, method: 'GET', headers, socket };
      listener.life.onEnd(() => back(undefined));
      const response = new ServerResponse(back);
      world.at(0, () => listener.server.emit('request', request, response), listener.life);
    };
    network.repeat(from, to, arrive, fail);
  });
}

function responseOf({ status, headers, body }: Reply): unknown {
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name: string) => headers.get(name) ?? null },
    body: new ReadableStream({
      start(controller) {
        if (body.length > 0) controller.enqueue(new Uint8Array(body));
        controller.close();
      },
    }),
    json: async (): Promise<unknown> => JSON.parse(body.toString()),
  };
}
