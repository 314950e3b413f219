/** Refusals of requests whose reader says in words what is wrong with what was sent. */
import { type Refused, type RejectKind, refuse } from '#domain';

/** A refusal with an explanation that whoever reads the request has written. */
export function refuseSaying(reject: RejectKind, text: string): Refused {
  return text === '' ? refuse(reject) : refuse(reject, { is: 'text', text });
}
