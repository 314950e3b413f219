/**
 * A look into the venue's process through its inspector: memory after a collection, because what
 * the collector has not looked at yet is no leak, and the delay of the event loop over the whole
 * time of the probe. It changes nothing; a collection costs some tens of milliseconds.
 */
import { createServer } from 'node:net';
import { WebSocket } from 'ws';
import { eventually } from './waiting.ts';

const MEGABYTE = 1024 * 1024;
/** The delay is measured by a timer of this interval; only what comes on top of it is delay. */
const RESOLUTION_MS = 10;
const WATCH =
  "globalThis.loopDelay = process.getBuiltinModule('node:perf_hooks')" +
  `.monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} }); loopDelay.enable()`;
const READ_DELAY = 'loopDelay.percentile(99) / 1e6';
const READ_MEMORY = '(({ rss, heapUsed }) => [rss, heapUsed])(process.memoryUsage())';

export interface Memory {
  readonly timeMs: number;
  readonly residentMb: number;
  readonly heapMb: number;
}

/** A free port; a process that is started with it listens there once it gets SIGUSR1. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}

export class Probe {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (result: unknown) => void>();
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const { id, result }: { id?: number; result?: unknown } = JSON.parse(String(data));
      if (id === undefined) return;
      this.#answers.get(id)?.(result);
      this.#answers.delete(id);
    });
  }

  /** Opens the inspector of the process and begins to watch its event loop. */
  static async open(pid: number, port: number): Promise<Probe> {
    process.kill(pid, 'SIGUSR1');
    let address = '';
    const isOpen = await eventually(async () => {
      address = await inspectorOf(port).catch(() => '');
      return address !== '';
    });
    if (!isOpen) throw new Error(`the inspector of process ${pid} does not open`);
    const socket = new WebSocket(address, { perMessageDeflate: false });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const probe = new Probe(socket);
    await probe.#evaluate(WATCH);
    return probe;
  }

  /** What is left after a collection of garbage. */
  async memory(): Promise<Memory> {
    await this.#call('HeapProfiler.collectGarbage', {});
    const [resident = Number.NaN, heap = Number.NaN] = await this.#evaluate<number[]>(READ_MEMORY);
    return {
      timeMs: performance.now(),
      residentMb: resident / MEGABYTE,
      heapMb: heap / MEGABYTE,
    };
  }

  /** 99 of 100 turns of the event loop since the probe was opened were no later than this. */
  async loopDelayP99Ms(): Promise<number> {
    return Math.max(0, (await this.#evaluate<number>(READ_DELAY)) - RESOLUTION_MS);
  }

  close(): void {
    this.#socket.close();
  }

  async #evaluate<Value>(expression: string): Promise<Value> {
    const answer = await this.#call<{ result: { value: Value } }>('Runtime.evaluate', {
      expression,
      returnByValue: true,
    });
    return answer.result.value;
  }

  #call<Result>(method: string, params: object): Promise<Result> {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve) => {
      this.#answers.set(id, (result) => resolve(result as Result));
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

async function inspectorOf(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/json`);
  const [target]: { webSocketDebuggerUrl?: string }[] = JSON.parse(await answer.text());
  return target?.webSocketDebuggerUrl ?? '';
}
