/**
 * The peer of the HTTP benchmarks: a bare node:http server that parses a JSON body and sends it
 * back. It is the most that a server on this runtime can do, short of not reading the request.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { present } from '#kernel';
import type { Target } from './load.ts';

export interface Echo extends Target {
  readonly processId: number;
  stop(): void;
}

/** Starts the peer in a process of its own. */
export async function startEcho(): Promise<Echo> {
  const child = fork(import.meta.filename, [], { stdio: 'inherit' });
  const [port] = await once(child, 'message');
  const processId = present(child.pid, 'process');
  return { port: Number(port), bodyStart: '{', processId, stop: () => child.kill() };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = chunks.length === 0 ? '{}' : Buffer.concat(chunks).toString('utf8');
    const body = JSON.stringify(JSON.parse(text));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
}

if (import.meta.main) {
  const server = createServer({ keepAliveTimeout: 72_000 }, answer);
  server.listen(0, '127.0.0.1', () => {
    const address: AddressInfo | string | null = server.address();
    if (typeof address === 'object') process.send?.(address?.port);
  });
  process.on('disconnect', () => process.exit());
}
