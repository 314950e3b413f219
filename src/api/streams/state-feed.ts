/** Something of a market that is shown whole whenever it has changed, as a stream. */
import type { InstrumentId } from '#domain';
import type { Clock } from '#kernel';
import type { PublicFeed } from './dialect.ts';

/** `content` is what decides whether it has changed. */
export interface StateChoices {
  /** Undefined while there is nothing to show. */
  content(): string | undefined;
  /** The `data` of a push. */
  write(content: string, nowMs: number): string;
}

export class StateFeed implements PublicFeed {
  readonly instrumentId: InstrumentId;
  readonly isPrompt = false;
  readonly #clock: Clock;
  readonly #choices: StateChoices;
  #content: string | undefined;
  #data: string | undefined;

  constructor(clock: Clock, instrumentId: InstrumentId, choices: StateChoices) {
    this.instrumentId = instrumentId;
    this.#clock = clock;
    this.#choices = choices;
    this.update();
  }

  snapshot(): string | undefined {
    return this.#data;
  }

  update() {
    const content = this.#choices.content();
    if (content === undefined || content === this.#content) return undefined;
    this.#content = content;
    const data = this.#choices.write(content, this.#clock.nowMs());
    this.#data = data;
    return { action: 'snapshot', data } as const;
  }
}
