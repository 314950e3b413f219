/**
 * An address that takes no connection and refuses none, as that of a machine which has lost its
 * power: the queue of who wants to connect is full, and nobody accepts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

const LISTEN =
  "const server = require('node:net').createServer(); server.listen({ host: '127.0.0.1', " +
  'port: 0, backlog: 1 }, () => console.log(server.address().port))';
/** Connecting here takes less than a millisecond, unless nothing answers. */
const ANSWER_WITHIN_MS = 500;
const QUEUED_MAX = 16;

export interface SilentEndpoint {
  /** host:port */
  readonly address: string;
  close(): void;
}

export async function silentEndpoint(): Promise<SilentEndpoint> {
  const child = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGSTOP');
  const port = Number(line);
  const queued: Socket[] = [];
  const close = (): void => {
    for (const socket of queued) socket.destroy();
    child.kill('SIGKILL');
  };
  for (let isAnswered = true; isAnswered; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    queued.push(socket);
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    isAnswered = await once(socket, 'connect', { signal }).then(
      () => true,
      () => false,
    );
    if (isAnswered && queued.length > QUEUED_MAX) {
      close();
      throw new Error(`port ${port} still takes connections`);
    }
  }
  return { address: `127.0.0.1:${port}`, close };
}
