/**
 * Which requests of gateways have been carried out: part of the state, so that every member of a
 * cluster knows them after a takeover. Bounded: a gateway says with each request from which one on
 * it may still ask again, and what is below is forgotten.
 */
import { LIMITS, type Origin } from '#domain';
import { assert, present } from '#kernel';

/** One gateway's requests: those still open to be asked again, with the command they became. */
interface Gateway {
  openFrom: number;
  readonly seqs: Map<number, number>;
}

/** A gateway as a snapshot has it. */
export type RequestsRow = readonly [gateway: string, openFrom: number, seqs: [number, number][]];

export class RequestTable {
  /** In the order of their last request: the one that was silent longest is forgotten first. */
  readonly #gateways = new Map<string, Gateway>();

  /** Whether a request was carried out before, or its gateway has said that it is settled. */
  isDone({ gateway, request }: Origin): boolean {
    const known = this.#gateways.get(gateway);
    return known !== undefined && (request < known.openFrom || known.seqs.has(request));
  }

  /** Whether one more may be remembered: a gateway with too many open ones has to wait. */
  hasRoom({ gateway, openFrom }: Origin): boolean {
    const known = this.#gateways.get(gateway);
    if (known === undefined || known.seqs.size < LIMITS.gatewayRequestsMax) return true;
    return firstOf(known.seqs) < openFrom;
  }

  /** Remembers a request that became the command `seq`. It was not done, and there is room. */
  keep(origin: Origin, seq: number): void {
    assert(!this.isDone(origin), 'a request is carried out once');
    const gateway = this.#gateways.get(origin.gateway) ?? { openFrom: 1, seqs: new Map() };
    gateway.openFrom = Math.max(gateway.openFrom, origin.openFrom);
    // Requests of a gateway become commands in about the order of their numbers.
    for (const request of gateway.seqs.keys()) {
      if (request >= gateway.openFrom) break;
      gateway.seqs.delete(request);
    }
    gateway.seqs.set(origin.request, seq);
    this.#gateways.delete(origin.gateway);
    this.#gateways.set(origin.gateway, gateway);
    if (this.#gateways.size > LIMITS.gatewaysMax) this.#gateways.delete(firstOf(this.#gateways));
  }

  *rows(): Generator<RequestsRow> {
    for (const [name, { openFrom, seqs }] of this.#gateways) yield [name, openFrom, [...seqs]];
  }

  restore([name, openFrom, seqs]: RequestsRow): void {
    this.#gateways.set(name, { openFrom, seqs: new Map(seqs) });
  }
}

function firstOf<K>(map: ReadonlyMap<K, unknown>): K {
  return present(map.keys().next().value, 'first entry');
}
