/** Frames of a socket that carry calls, as their dialect has read them and writes their answers. */
import type { Refused } from '#domain';
import type { Call, DataJson, Endpoint } from '../endpoint.ts';
import type { JsonObject } from '../json.ts';
import type { FrameCall } from '../request.ts';

/** What became of a call, for its dialect to write. */
export interface CallOutcome {
  /** The encoded data of a success, or why it was refused. */
  readonly answer: DataJson | Refused;
  readonly nowMs: number;
  /** Instead of the usual one of its refusal; only a fault rule gives it. */
  readonly status?: number | undefined;
  /** Fields that the answer would have over HTTP, such as retry-after. */
  readonly head: ReadonlyMap<string, string>;
}

/** A frame that carries a call, as its dialect has read it. */
export interface SocketCall {
  readonly kind: 'call';
  /** Names an endpoint of the dialect, with the path as in its table. */
  readonly method: Endpoint['method'];
  readonly path: string;
  /** The parameters in the path; none without it. */
  readonly params?: Call['path'];
  readonly input: JsonObject;
  /** The key that the frame shows; empty where it relies on the login of its socket. */
  readonly key: string;
  /** Who has signed the frame; without it, whoever is logged in. */
  readonly signer?: FrameCall['signer'];
  /** The frame of the answer. */
  write(outcome: CallOutcome): string;
}
