/**
 * What this process asks whoever leads and that changes nothing in the venue. An answer that is
 * lost is not asked for again: whoever asks decides what it means not to know.
 */
import type { AnswerRow, QuestionRow } from './link-messages.ts';

export type SendQuestions = (rows: readonly QuestionRow[]) => void;

/** What a leader says to questions that change nothing in the venue. */
export interface Answering {
  /** The text of the answer; undefined when the question is not understood. */
  answer(asker: string, question: string): string | undefined;
  /** What is remembered of this asker is over. */
  left(asker: string): void;
  /** There is somebody to ask now, who remembers nothing of this process yet. */
  begun(): void;
}

type Resolve = (answer: string | undefined) => void;

interface OpenQuestion {
  readonly startMs: number;
  readonly resolve: Resolve;
}

/** How long an answer may take; a leader that is there has it at once. */
const ANSWER_MAX_MS = 500;
const SWEEP_EVERY_MS = 100;
/** Beyond so many under way none is asked. */
const QUESTIONS_MAX = 16_384;

export class OpenQuestions {
  /** In the order in which they were asked. */
  readonly #open = new Map<number, OpenQuestion>();
  readonly #timer: NodeJS.Timeout;
  #unsent: QuestionRow[] = [];
  #lastNumber = 0;
  #send: SendQuestions | undefined;

  constructor() {
    this.#timer = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  /** Resolves with what the leader says; undefined when nobody leads, or it is not known. */
  ask(question: string): Promise<string | undefined> {
    if (this.#send === undefined || this.#open.size >= QUESTIONS_MAX) {
      return Promise.resolve(undefined);
    }
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    return new Promise((resolve) => {
      this.#open.set(number, { startMs: performance.now(), resolve });
      if (this.#unsent.push([number, question]) === 1) setImmediate(() => this.#sendAll());
    });
  }

  /** There is a leader. */
  connect(send: SendQuestions): void {
    this.disconnect();
    this.#send = send;
  }

  /** There is none: what was asked is not known. */
  disconnect(): void {
    this.#send = undefined;
    this.#unsent = [];
    for (const number of this.#open.keys()) this.#settle(number, undefined);
  }

  answer(rows: readonly AnswerRow[]): void {
    for (const [number, text] of rows) this.#settle(number, text);
  }

  close(): void {
    clearInterval(this.#timer);
    this.disconnect();
  }

  #settle(number: number, answer: string | undefined): void {
    const open = this.#open.get(number);
    this.#open.delete(number);
    open?.resolve(answer);
  }

  /** Questions of one turn of the event loop go out together. */
  #sendAll(): void {
    const rows = this.#unsent;
    this.#unsent = [];
    if (rows.length > 0) this.#send?.(rows);
  }

  #sweep(): void {
    const oldestMs = performance.now() - ANSWER_MAX_MS;
    for (const [number, { startMs }] of this.#open) {
      if (startMs > oldestMs) return;
      this.#settle(number, undefined);
    }
  }
}
