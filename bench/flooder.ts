/**
 * Floods a server from a process of its own: 512 connections, each with its next request as soon as
 * the last one is answered, whatever the answer. One key floods from 512 addresses, one address
 * with requests of no key and of wrong ones.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { MAKER, publicRead, signedOrder } from './requests.ts';

export const FLOOD_CONNECTIONS = 512;
const ADDRESSES_PER_NET = 250;
const READ_BYTES = 65_536;
const RETRY_MS = 100;
const ANSWER = Buffer.from('HTTP/1.1 ');

export const FLOODS = ['key', 'address'] as const;
export type Flood = (typeof FLOODS)[number];

export interface Flooder {
  /** Requests answered so far. */
  answered(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts one. */
export async function startFlooder(flood: Flood, port: number): Promise<Flooder> {
  const child = fork(import.meta.filename, [flood, String(port)], { stdio: 'inherit' });
  return {
    answered: async () => {
      child.send('answered');
      const [count] = await once(child, 'message');
      return Number(count);
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

const DEPTH = publicRead('/api/spot/v1/market/depth?symbol=BTCUSDT_SPBL&type=step0&limit=100');

class Attack {
  answeredCount = 0;
  readonly #flood: Flood;
  readonly #port: number;

  constructor(flood: Flood, port: number) {
    this.#flood = flood;
    this.#port = port;
  }

  /** Connects, and again whenever it is thrown out. */
  open(at: number): void {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const callback = (size: number): boolean => {
      // Of a long answer only the first piece has a status line.
      if (buffer.subarray(0, size).indexOf(ANSWER) < 0) return true;
      this.answeredCount += 1;
      socket.write(this.#request(at));
      return true;
    };
    const host = '127.0.0.1';
    const localAddress = this.#addressOf(at);
    const socket = connect({ port: this.#port, host, localAddress, onread: { buffer, callback } });
    socket.setNoDelay(true);
    socket.on('connect', () => socket.write(this.#request(at)));
    socket.on('error', () => undefined);
    socket.on('close', () => setTimeout(() => this.open(at), RETRY_MS));
  }

  #addressOf(at: number): string {
    if (this.#flood === 'address') return '127.0.2.1';
    return `127.1.${Math.floor(at / ADDRESSES_PER_NET)}.${1 + (at % ADDRESSES_PER_NET)}`;
  }

  #request(at: number): Buffer {
    if (this.#flood === 'key') return signedOrder(MAKER);
    return at % 2 === 0 ? DEPTH : signedOrder({ ...MAKER, secret: 'wrong' });
  }
}

if (import.meta.main) {
  const [, , flood, port] = process.argv;
  const attack = new Attack(flood === 'key' ? 'key' : 'address', Number(port));
  for (let at = 0; at < FLOOD_CONNECTIONS; at += 1) attack.open(at);
  process.on('message', () => process.send?.(attack.answeredCount));
  process.on('disconnect', () => process.exit());
}
