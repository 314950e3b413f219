/**
 * Operators' commands for money by the ids that operators give them, with what each did: one that
 * comes again within 30 days is not carried out a second time, and its first result can be read.
 * Bounded: a full table refuses, because an id that is forgotten would pay twice.
 */
import {
  byFigure,
  countFigure,
  LIMITS,
  type MoneyCommand,
  type MoneyResult,
  ofId,
  type Refused,
  refuse,
} from '#domain';
import { present } from '#kernel';
import { fingerprint } from './fingerprints.ts';

/** So many entries whose time is over go with each new one: the table never grows by them. */
const DROPPED_AT_ONCE = 2;

export interface OperatorRequest {
  /** When it was carried out. */
  readonly timeMs: number;
  /** Stands for what was asked for. */
  readonly content: number;
  readonly result: MoneyResult;
}

export class OperatorRequests {
  /** By kind, account and id, in the order in which they were carried out. */
  readonly #known = new Map<string, OperatorRequest>();
  readonly #max: number;

  constructor(max: number = LIMITS.operatorOidsMax) {
    this.#max = max;
  }

  /** Why a command is not carried out; undefined for one without an id, too. */
  refusalOf(command: MoneyCommand, timeMs: number): Refused | undefined {
    const { operatorOid } = command;
    if (operatorOid === undefined) return undefined;
    const found = this.#find(command, timeMs);
    if (found === undefined) return this.#hasRoom(timeMs) ? undefined : this.#full();
    if (found.content !== contentOf(command)) {
      return refuse('operator_request_differs', ofId(operatorOid));
    }
    return refuse('operator_request_repeated', ofId(operatorOid));
  }

  /** What a command did when it was carried out; undefined when it was not. */
  resultOf(command: MoneyCommand, timeMs: number): MoneyResult | Refused | undefined {
    const found = this.#find(command, timeMs);
    if (found === undefined) return undefined;
    if (found.content === contentOf(command)) return found.result;
    return refuse('operator_request_differs', ofId(command.operatorOid ?? ''));
  }

  /** Keeps what a command did that was not refused. */
  keep(command: MoneyCommand, timeMs: number, result: MoneyResult): void {
    if (command.operatorOid === undefined) return;
    for (let dropped = 0; dropped < DROPPED_AT_ONCE && this.#isOldestOver(timeMs); dropped += 1) {
      this.#known.delete(this.#oldest()[0]);
    }
    const key = keyOf(command);
    this.#known.delete(key);
    this.#known.set(key, { timeMs, content: contentOf(command), result });
  }

  entries(): Iterable<readonly [string, OperatorRequest]> {
    return this.#known;
  }

  /** Puts an entry where a snapshot says it was. */
  restore(key: string, entry: OperatorRequest): void {
    this.#known.set(key, entry);
  }

  #find(command: MoneyCommand, timeMs: number): OperatorRequest | undefined {
    if (command.operatorOid === undefined) return undefined;
    const found = this.#known.get(keyOf(command));
    return found === undefined || isOver(found, timeMs) ? undefined : found;
  }

  #hasRoom(timeMs: number): boolean {
    return this.#known.size < this.#max || this.#isOldestOver(timeMs);
  }

  #isOldestOver(timeMs: number): boolean {
    return this.#known.size > 0 && isOver(this.#oldest()[1], timeMs);
  }

  #oldest(): readonly [string, OperatorRequest] {
    return present(this.#known.entries().next().value, 'oldest entry');
  }

  #full(): Refused {
    return refuse('operator_requests_exceeded', byFigure('at_most', countFigure(this.#max)));
  }
}

function isOver({ timeMs: sinceMs }: OperatorRequest, timeMs: number): boolean {
  return timeMs - sinceMs >= LIMITS.operatorOidHoldMs;
}

/** Money of an insurance fund is in no account. */
function keyOf(command: MoneyCommand): string {
  const accountId = command.kind === 'fund_insurance' ? 0 : command.accountId;
  return `${command.kind} ${accountId} ${command.operatorOid}`;
}

/** What a command asks for beside its kind, account and id. */
function contentOf(command: MoneyCommand): number {
  const { assetId, amount } = command;
  return fingerprint(JSON.stringify([placeOf(command), assetId, String(amount)]));
}

function placeOf(command: MoneyCommand): readonly string[] {
  if (command.kind === 'fund_insurance') return [];
  return command.kind === 'transfer' ? [command.from, command.to] : [command.wallet];
}
