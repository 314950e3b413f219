/** How long payments have waited, stage by stage: what stands still is seen before it is asked. */

import type { PaymentParts } from './parts.ts';
import { PAYMENT_STAGES, type PaymentStage, type WaitingSince } from './port.ts';

const EVERY_MS = 15_000;

/** Of the process that moves the money; others, and it before the first look, say none. */
export class PaymentWatch {
  readonly #parts: PaymentParts;
  #since: WaitingSince = {};
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;

  constructor(parts: PaymentParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#look;
  }

  /** Seconds that the oldest of each stage has waited; 0 for none. */
  get waitingSeconds(): readonly (readonly [PaymentStage, number])[] {
    const nowMs = this.#parts.nowMs();
    return PAYMENT_STAGES.map((stage) => {
      const sinceMs = this.#since[stage] ?? nowMs;
      return [stage, Math.max(0, nowMs - sinceMs) / 1_000] as const;
    });
  }

  look(): Promise<void> {
    this.#look ??= this.#read()
      .catch(this.#parts.onFault)
      .finally(() => {
        this.#look = undefined;
      });
    return this.#look;
  }

  async #read(): Promise<void> {
    const { people, leads } = this.#parts;
    const isOurs = leads() && people.mayHold;
    this.#since = isOurs ? await (await people.get()).paymentsWaiting() : {};
  }
}
