/**
 * Which requests of senders have been carried out: part of the state, so that every member of a
 * cluster knows them after a takeover. Bounded: a sender says with each request from which one on
 * it may still ask again, and what is below is forgotten. A process is named by its place in the
 * cluster and its life there. No place is forgotten, so there are no more than a cluster may have;
 * once a later life of a place has been heard, no request of an earlier one is carried out.
 */
import { LIMITS, type Origin, readSender, type Sender, writeSender } from '#domain';
import { assert, present } from '#kernel';

/** One sender's requests: those still open to be asked again, with the command they became. */
interface Requests {
  openFrom: number;
  readonly seqs: Map<number, number>;
}

/** A sender as a snapshot has it. */
export type RequestsRow = readonly [sender: string, openFrom: number, seqs: [number, number][]];

export class RequestTable {
  readonly #senders = new Map<string, Requests>();
  /** By place, the newest life that was heard there. */
  readonly #lives = new Map<number, number>();
  /** Those without a place, in the order of their last request: the first is forgotten first. */
  readonly #unplaced = new Set<string>();

  /** Whether a request was carried out before, or nobody waits for it any more. */
  isDone({ sender, request }: Origin): boolean {
    const known = this.#senders.get(sender);
    if (known !== undefined) return request < known.openFrom || known.seqs.has(request);
    const placed = readSender(sender);
    return placed !== undefined && placed.life < (this.#lives.get(placed.place) ?? 0);
  }

  /** Whether one more may be remembered: a sender with too many open ones has to wait. */
  hasRoom({ sender, openFrom }: Origin): boolean {
    const known = this.#senders.get(sender);
    if (known === undefined) return (readSender(sender)?.place ?? 0) < LIMITS.clusterPlacesMax;
    return known.seqs.size < LIMITS.senderRequestsMax || firstOf(known.seqs) < openFrom;
  }

  /** Remembers a request that became the command `seq`. It was not done, and there is room. */
  keep(origin: Origin, seq: number): void {
    assert(!this.isDone(origin), 'a request is carried out once');
    const requests = this.#senders.get(origin.sender) ?? this.#enter(origin.sender);
    requests.openFrom = Math.max(requests.openFrom, origin.openFrom);
    // Requests of a sender become commands in about the order of their numbers.
    for (const request of requests.seqs.keys()) {
      if (request >= requests.openFrom) break;
      requests.seqs.delete(request);
    }
    requests.seqs.set(origin.request, seq);
    if (!this.#unplaced.delete(origin.sender)) return;
    this.#unplaced.add(origin.sender);
  }

  *rows(): Generator<RequestsRow> {
    const unplaced = [...this.#unplaced];
    const placed = [...this.#senders.keys()].filter((name) => !this.#unplaced.has(name));
    for (const name of [...placed, ...unplaced]) {
      const { openFrom, seqs } = present(this.#senders.get(name), 'sender');
      yield [name, openFrom, [...seqs]];
    }
  }

  restore([name, openFrom, seqs]: RequestsRow): void {
    const requests = this.#enter(name);
    requests.openFrom = openFrom;
    for (const [request, seq] of seqs) requests.seqs.set(request, seq);
  }

  #enter(name: string): Requests {
    const requests = { openFrom: 1, seqs: new Map<number, number>() };
    const placed = readSender(name);
    if (placed === undefined) this.#makeRoom(name);
    else this.#succeed(placed);
    this.#senders.set(name, requests);
    return requests;
  }

  /** The life before it at its place is over. */
  #succeed(sender: Sender): void {
    const { place, life } = sender;
    const before = this.#lives.get(place);
    if (before !== undefined) this.#senders.delete(writeSender({ place, life: before }));
    this.#lives.set(place, life);
  }

  #makeRoom(name: string): void {
    this.#unplaced.add(name);
    if (this.#unplaced.size <= LIMITS.unplacedSendersMax) return;
    const first = firstOf(this.#unplaced);
    this.#unplaced.delete(first);
    this.#senders.delete(first);
  }
}

function firstOf<K>(all: { keys(): IterableIterator<K> }): K {
  return present(all.keys().next().value, 'first entry');
}
