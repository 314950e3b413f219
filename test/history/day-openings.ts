/** Days that begin while a venue goes on, for tests in which something else happens, too. */
import { accountId } from '#domain';
import type { ProjectedStep } from '#history';
import { USDT } from './floor.ts';

const DAY_MS = 86_400_000;

/** Every tenth step is the first one of a day. */
export function withDays(steps: readonly ProjectedStep[]): ProjectedStep[] {
  return steps.map((step) => {
    if (step.seq % 10 !== 0) return step;
    const [assetId, equity] = [USDT, BigInt(step.seq)];
    const owned = { assetId, equity };
    const equities = [1, 2].map((account) => ({ accountId: accountId(account), ...owned }));
    const dayMs = (step.seq / 10) * DAY_MS;
    return { ...step, dayOpening: { dayMs, equities, funds: [{ assetId, fund: equity }] } };
  });
}
