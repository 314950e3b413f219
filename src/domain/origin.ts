/**
 * Where a command came from, when it may come twice: a sender that loses the leader sends its open
 * requests again to the next one, and the engine carries each of them out once.
 */
export interface Origin {
  /**
   * Names one life of one sender: after a restart it is another one. Of a process of a cluster as
   * writeSender has it; of what has no place there any other name.
   */
  readonly sender: string;
  /** Counts the requests of this sender, from 1. */
  readonly request: number;
  /** No request below this one will be sent again; never above `request`. */
  readonly openFrom: number;
}

/**
 * One life of one place of a cluster. Whoever has the place next has a later life, and from its
 * first request on the requests of earlier lives are worth nothing.
 */
export interface Sender {
  /** From 0 on, below LIMITS.clusterPlacesMax. */
  readonly place: number;
  /** From 1 on. */
  readonly life: number;
}

const SENDER = /^([0-9]{1,9})\.([1-9][0-9]{0,14})$/;

export function writeSender({ place, life }: Sender): string {
  return `${place}.${life}`;
}

/** Undefined for the name of what has no place. */
export function readSender(sender: string): Sender | undefined {
  const match = SENDER.exec(sender);
  return match === null ? undefined : { place: Number(match[1]), life: Number(match[2]) };
}
