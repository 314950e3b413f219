/** What goes wrong with a call, as one class: the venue refuses it, or no answer comes. */

/** The code of a call without an answer: nobody knows what became of it. */
export const NO_ANSWER = 'no_answer';

export interface RefusalDetails extends ErrorOptions {
  readonly figures?: Readonly<Record<string, string>>;
  readonly hint?: string;
  readonly retryAfterMs?: number | undefined;
}

export class VenueError extends Error {
  override readonly name = 'VenueError';
  /** Of /v1 the kind, as in order_unknown; of the others digits, as in 60801; or NO_ANSWER. */
  readonly code: string;
  /** Of HTTP; 0 without an answer. */
  readonly status: number;
  /** Exact figures by name: needed, has, min, max, field. Empty where the API gives none. */
  readonly figures: Readonly<Record<string, string>>;
  /** What to do about it; may be empty. */
  readonly hint: string;
  /** When it may be tried again, where the venue says so. */
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, status: number, details: RefusalDetails = {}) {
    super(message, details);
    this.code = code;
    this.status = status;
    this.figures = details.figures ?? {};
    this.hint = details.hint ?? '';
    this.retryAfterMs = details.retryAfterMs;
  }
}
