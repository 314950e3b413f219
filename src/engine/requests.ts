/**
 * Which requests of gateways have been carried out: part of the state, so that every member of a
 * cluster knows them after a takeover. Bounded: a gateway says with each request from which one on
 * it may still ask again, and what is below is forgotten. A process is named by its place in the
 * cluster and its life there. No place is forgotten, so there are no more than a cluster may have;
 * once a later life of a place has been heard, no request of an earlier one is carried out.
 */
import { LIMITS, type Origin, readSender, type Sender, writeSender } from '#domain';
import { assert, present } from '#kernel';

/** One gateway's requests: those still open to be asked again, with the command they became. */
interface Gateway {
  openFrom: number;
  readonly seqs: Map<number, number>;
}

/** A gateway as a snapshot has it. */
export type RequestsRow = readonly [gateway: string, openFrom: number, seqs: [number, number][]];

export class RequestTable {
  readonly #gateways = new Map<string, Gateway>();
  /** By place, the newest life that was heard there. */
  readonly #lives = new Map<number, number>();
  /** Those without a place, in the order of their last request: the first is forgotten first. */
  readonly #unplaced = new Set<string>();

  /** Whether a request was carried out before, or nobody waits for it any more. */
  isDone({ gateway, request }: Origin): boolean {
    const known = this.#gateways.get(gateway);
    if (known !== undefined) return request < known.openFrom || known.seqs.has(request);
    const sender = readSender(gateway);
    return sender !== undefined && sender.life < (this.#lives.get(sender.place) ?? 0);
  }

  /** Whether one more may be remembered: a gateway with too many open ones has to wait. */
  hasRoom({ gateway, openFrom }: Origin): boolean {
    const known = this.#gateways.get(gateway);
    if (known === undefined) return (readSender(gateway)?.place ?? 0) < LIMITS.clusterPlacesMax;
    return known.seqs.size < LIMITS.gatewayRequestsMax || firstOf(known.seqs) < openFrom;
  }

  /** Remembers a request that became the command `seq`. It was not done, and there is room. */
  keep(origin: Origin, seq: number): void {
    assert(!this.isDone(origin), 'a request is carried out once');
    const gateway = this.#gateways.get(origin.gateway) ?? this.#enter(origin.gateway);
    gateway.openFrom = Math.max(gateway.openFrom, origin.openFrom);
    // Requests of a gateway become commands in about the order of their numbers.
    for (const request of gateway.seqs.keys()) {
      if (request >= gateway.openFrom) break;
      gateway.seqs.delete(request);
    }
    gateway.seqs.set(origin.request, seq);
    if (!this.#unplaced.delete(origin.gateway)) return;
    this.#unplaced.add(origin.gateway);
  }

  *rows(): Generator<RequestsRow> {
    const unplaced = [...this.#unplaced];
    const placed = [...this.#gateways.keys()].filter((name) => !this.#unplaced.has(name));
    for (const name of [...placed, ...unplaced]) {
      const { openFrom, seqs } = present(this.#gateways.get(name), 'gateway');
      yield [name, openFrom, [...seqs]];
    }
  }

  restore([name, openFrom, seqs]: RequestsRow): void {
    const gateway = this.#enter(name);
    gateway.openFrom = openFrom;
    for (const [request, seq] of seqs) gateway.seqs.set(request, seq);
  }

  #enter(name: string): Gateway {
    const gateway = { openFrom: 1, seqs: new Map<number, number>() };
    const sender = readSender(name);
    if (sender === undefined) this.#makeRoom(name);
    else this.#succeed(sender);
    this.#gateways.set(name, gateway);
    return gateway;
  }

  /** The life before it at its place is over. */
  #succeed(sender: Sender): void {
    const { place, life } = sender;
    const before = this.#lives.get(place);
    if (before !== undefined) this.#gateways.delete(writeSender({ place, life: before }));
    this.#lives.set(place, life);
  }

  #makeRoom(name: string): void {
    this.#unplaced.add(name);
    if (this.#unplaced.size <= LIMITS.unplacedGatewaysMax) return;
    const first = firstOf(this.#unplaced);
    this.#unplaced.delete(first);
    this.#gateways.delete(first);
  }
}

function firstOf<K>(all: { keys(): IterableIterator<K> }): K {
  return present(all.keys().next().value, 'first entry');
}
