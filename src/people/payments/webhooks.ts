/**
 * Tells a payment system outside what happens to payments: each event is posted until it is taken,
 * at least once and in order as long as all is well. Its address is the configuration's, so no
 * person chooses where the venue calls; a redirect would, and is not followed.
 */
import { createHmac } from 'node:crypto';
import type { PaymentParts } from './parts.ts';
import type { PaymentEvent } from './port.ts';
import type { WebhookSettings } from './rules.ts';

const EVERY_MS = 1_000;
const BATCH = 50;
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 5_000;
const WAIT_MAX_MS = 3_600_000;
/** About three days. */
const TRIES_MAX = 80;
const KEEP_MS = 30 * 86_400_000;
const PRUNE_EVERY_MS = 3_600_000;
const FAULT_LENGTH_MAX = 200;

/** What the receiver makes again: of the time in the header, a point, and the body. */
function signatureOf(secret: string, time: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

/** How long to wait after so many tries that failed. */
function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 30), WAIT_MAX_MS);
}

export class Webhooks {
  readonly #parts: PaymentParts;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #run: Promise<void> | undefined;
  #prunedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: PaymentParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#parts.settings.webhook === undefined || this.#timer !== undefined) return;
    this.#timer = setInterval(() => void this.nudge(), EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort();
    await this.#run;
  }

  /** Resolves once what is due was tried. */
  nudge(): Promise<void> {
    const { webhook } = this.#parts.settings;
    const isOff = this.#stopped.signal.aborted || !this.#parts.leads();
    if (webhook === undefined || isOff) return Promise.resolve();
    this.#run ??= this.#deliver(webhook)
      .catch(this.#parts.onFault)
      .finally(() => {
        this.#run = undefined;
      });
    return this.#run;
  }

  async #deliver(webhook: WebhookSettings): Promise<void> {
    const { people, nowMs } = this.#parts;
    const store = await people.get();
    if (nowMs() - this.#prunedMs >= PRUNE_EVERY_MS) {
      this.#prunedMs = nowMs();
      await store.prunePaymentEvents(nowMs() - KEEP_MS);
    }
    for (const event of await store.dueEvents(nowMs(), BATCH)) {
      if (this.#stopped.signal.aborted) return;
      const fault = await this.#post(webhook, event);
      const tries = event.tries + 1;
      const state = stateAfter(fault, tries);
      const nextMs = nowMs() + waitAfter(tries);
      await store.changeEvent(event.eventId, { state, tries, nextMs, fault: fault ?? '' });
      // Those behind it wait, too: a receiver that is away is not asked for each of them.
      if (fault !== undefined) return;
    }
  }

  /** What went wrong; undefined when it was taken. What it answers besides is not read. */
  async #post({ url, secret }: WebhookSettings, event: PaymentEvent): Promise<string | undefined> {
    const body = `{"eventId":"${event.eventId}",${event.body.slice(1)}`;
    const time = String(this.#parts.nowMs());
    try {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#stopped.signal]),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'outcry',
          'x-outcry-event': String(event.eventId),
          'x-outcry-timestamp': time,
          'x-outcry-signature': signatureOf(secret, time, body),
        },
        body,
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : `answered ${answer.status}`;
    } catch (error) {
      return reasonOf(error).slice(0, FAULT_LENGTH_MAX);
    }
  }
}

function stateAfter(fault: string | undefined, tries: number): PaymentEvent['state'] {
  if (fault === undefined) return 'delivered';
  return tries >= TRIES_MAX ? 'given_up' : 'waiting';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
