/**
 * Where a command came from, when it may come twice: a gateway that loses the leader sends its open
 * requests again to the next one, and the engine carries each of them out once.
 */
export interface Origin {
  /** Names one life of one gateway: after a restart it is another one. */
  readonly gateway: string;
  /** Counts the requests of this gateway, from 1. */
  readonly request: number;
  /** No request below this one will be sent again; never above `request`. */
  readonly openFrom: number;
}
