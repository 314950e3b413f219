/** Stands in for fetch: one process of the cluster asks another one. */
import { type Asked, call, type Reply } from './http.ts';

export function simulatedFetch(url: URL, asked: Asked = {}): Promise<unknown> {
  return call(url, asked).then(responseOf, (error: unknown) => {
    throw asked.signal?.aborted ? error : new TypeError('fetch failed', { cause: error });
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
