/** Stands in for @grpc/grpc-js: calls and streams between a process and the servers of etcd. */
import { EventEmitter } from 'node:events';
import { type Answer, failure } from '../etcd.ts';
import { here, networkHere, serversHere } from '../here.ts';
import type { Life } from '../world.ts';

export const status = { NOT_FOUND: 5 } as const;
const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;
/** So long nothing is heard of the other side, and the connection is given up. */
const KEEPALIVE_MS = 12_000;

type Callback = (error: Error | null, answer?: Answer) => void;

export const ChannelCredentials = { createInsecure: () => undefined } as const;

export class Metadata {
  set(): void {}
}

export class Client {
  readonly #life: Life = here();
  readonly #server: string;

  constructor(address: string) {
    this.#server = address;
  }

  makeUnaryRequest(
    path: string,
    _serialize: unknown,
    _deserialize: unknown,
    request: Answer,
    _metadata: Metadata,
    { deadline }: { readonly deadline: number },
    callback: Callback,
  ): void {
    const life = this.#life;
    const network = networkHere();
    const { world } = network;
    let isOver = false;
    const finish: Callback = (error, answer) => {
      if (isOver) return;
      isOver = true;
      life.clearTimer(late);
      callback(error, answer);
    };
    const giveUp = (): void => {
      world.coverage.count('call of the log without an answer');
      finish(failure(DEADLINE_EXCEEDED, 'Deadline exceeded'));
    };
    const late = life.setTimer(deadline - Date.now(), giveUp, false);
    call(life, this.#server, path, request, finish);
  }

  makeBidiStreamRequest(
    path: string,
    _serialize: unknown,
    _deserialize: unknown,
    _metadata: Metadata,
    { deadline }: { readonly deadline?: number },
  ): Stream {
    const stream = new Stream(this.#life, this.#server, path);
    const giveUp = (): void => stream.fail(failure(DEADLINE_EXCEEDED, 'Deadline exceeded'));
    if (deadline !== undefined) this.#life.setTimer(deadline - Date.now(), giveUp, false);
    return stream;
  }

  close(): void {}
}

/** There and back, late or never; a call may arrive twice. */
function call(life: Life, server: string, path: string, request: Answer, done: Callback): void {
  const network = networkHere();
  const servers = serversHere();
  const arrive = (): void =>
    servers.call(server, nameOf(path), request, (error, answer) =>
      network.post(server, life.host, () => done(error ?? null, answer), life),
    );
  network.post(life.host, server, arrive);
  if (!network.comesTwice()) return;
  network.world.coverage.count('call of the log that arrives twice');
  network.post(life.host, server, arrive);
}

function nameOf(path: string): string {
  return path.replace('/etcdserverpb.', '');
}

class Stream extends EventEmitter {
  readonly #life: Life;
  readonly #server: string;
  readonly #path: string;
  #arriveMs = 0;
  #isOver = false;
  #isSilent = false;
  #isPaused = false;
  readonly #held: Answer[] = [];
  #stop: () => void = () => undefined;

  constructor(life: Life, server: string, path: string) {
    super();
    this.#life = life;
    this.#server = server;
    this.#path = path;
    life.onEnd(() => this.cancel());
  }

  /** Begins a watch. */
  write({ createRequest }: Answer): void {
    const { key, rangeEnd, startRevision } = createRequest as Answer;
    const range = { key: String(key), rangeEnd: String(rangeEnd) };
    const network = networkHere();
    network.post(this.#life.host, this.#server, () => {
      if (this.#isOver) return;
      this.#stop = serversHere().watch(this.#server, range, Number(startRevision), {
        push: (response) => this.#deliver(() => this.#give(response)),
        fail: (error) => this.#deliver(() => this.fail(error)),
      });
    });
  }

  /** One request, one answer. */
  end(request: Answer): void {
    call(this.#life, this.#server, this.#path, request, (error, answer) => {
      if (this.#isOver) return;
      if (error !== null) this.fail(error);
      else this.emit('data', answer);
    });
  }

  cancel(): void {
    this.#isOver = true;
    this.#stop();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const response of this.#held.splice(0)) this.#give(response);
  }

  #give(response: Answer): void {
    if (this.#isPaused) this.#held.push(response);
    else this.emit('data', response);
  }

  /** Unless it is over. */
  fail(error: Error): void {
    if (this.#isOver) return;
    this.cancel();
    networkHere().world.coverage.count('watch broken off');
    this.emit('error', error);
  }

  /** In order. Where one message does not get through, nothing after it does. */
  #deliver(act: () => void): void {
    const network = networkHere();
    const { world } = network;
    const life = this.#life;
    this.#arriveMs = Math.max(this.#arriveMs, world.nowMs + network.delayMs());
    const isLost = network.isLost();
    world.at(this.#arriveMs - world.nowMs, () => {
      if (this.#isOver || this.#isSilent) return;
      const isStopped = network.isStalled(life.host) || network.isCut(this.#server, life.host);
      if (!isLost && !isStopped) {
        world.at(0, () => this.#isOver || act(), life);
        return;
      }
      this.#isSilent = true;
      world.coverage.count('watch gone silent');
      const error = failure(UNAVAILABLE, 'connection dropped');
      world.at(isLost ? 0 : KEEPALIVE_MS, () => this.fail(error), life);
    });
  }
}
