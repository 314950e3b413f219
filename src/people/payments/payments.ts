/** Payments of a venue: who moves their money, who tells of them, and how one is waited for. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Refused, refuse } from '#domain';
import { PaymentClerk } from './clerk.ts';
import type { PaymentParts } from './parts.ts';
import type { Payment } from './port.ts';
import { PaymentWatch } from './watch.ts';
import { Webhooks } from './webhooks.ts';

/** How long a caller waits for money to move; it moves all the same. */
const WAIT_MAX_MS = 10_000;
const LOOK_EVERY_MS = 100;
const SAME_FAULT_EVERY_MS = 60_000;

export class Payments {
  readonly parts: PaymentParts;
  readonly clerk: PaymentClerk;
  readonly webhooks: Webhooks;
  readonly watch: PaymentWatch;

  constructor(given: PaymentParts) {
    const onFault = seldom(given.onFault);
    this.parts = { ...given, onFault };
    this.clerk = new PaymentClerk(this.parts);
    this.webhooks = new Webhooks(this.parts);
    this.watch = new PaymentWatch(this.parts);
  }

  /** From here on this process does, whenever it leads, what one process does for all. */
  start(): void {
    this.clerk.start();
    this.webhooks.start();
    this.watch.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.clerk.stop(), this.webhooks.stop(), this.watch.stop()]);
  }

  /** The payment once its money has moved, or as it is after a while. */
  async settled(paymentId: string): Promise<Payment | Refused> {
    const store = await this.parts.people.get();
    const untilMs = performance.now() + WAIT_MAX_MS;
    for (;;) {
      await this.clerk.nudge();
      const payment = await store.payment(paymentId);
      if (payment === undefined) return refuse('payment_unknown');
      if (payment.isSettled || this.clerk.waitsWith(paymentId) || performance.now() > untilMs) {
        void this.webhooks.nudge();
        return payment;
      }
      await wait(LOOK_EVERY_MS);
    }
  }
}

/** What fails again and again is reported once a minute. */
function seldom(report: (error: unknown) => void): (error: unknown) => void {
  const reportedMs = new Map<string, number>();
  return (error) => {
    const what = error instanceof Error ? error.message : String(error);
    const nowMs = performance.now();
    if (nowMs - (reportedMs.get(what) ?? Number.NEGATIVE_INFINITY) < SAME_FAULT_EVERY_MS) return;
    if (reportedMs.size >= 100) reportedMs.clear();
    reportedMs.set(what, nowMs);
    report(error);
  };
}
