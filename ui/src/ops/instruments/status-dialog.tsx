/** Halts, resumes or takes offline a pair or a contract, after asking once. */
import { admin, type Endpoint } from '#client';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';

type Status = 'online' | 'halt' | 'offline';

export interface StatusOrder {
  readonly kind: 'spot' | 'contract';
  readonly symbol: string;
  readonly to: Status;
}

const STATUSES: readonly Status[] = ['online', 'halt', 'offline'];
interface Change {
  readonly symbol: string;
  readonly status: Status;
}

const CHANGES: Readonly<Record<StatusOrder['kind'], Endpoint<Change, unknown>>> = {
  spot: admin.updateSpot,
  contract: admin.updateContract,
};

/** What a market in this state can be changed to. */
export function statusOrders(status: string): readonly Status[] {
  return STATUSES.filter((to) => to !== status);
}

interface StatusDialogProps {
  readonly order: StatusOrder;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function StatusDialog({ order, onDone, onClose }: StatusDialogProps) {
  const { instruments } = useOpsTexts();
  const { kind, symbol, to } = order;
  const run = async (): Promise<string> => {
    await operator.call(CHANGES[kind], { symbol, status: to });
    onDone();
    return `${symbol}: ${instruments.status(to)}`;
  };
  // A halt keeps owners from closing, and the venue from nothing.
  const isTold = kind === 'contract' && to !== 'online';
  const asked = instruments.orderQuestions[to](symbol);
  return (
    <ActionDialog
      title={`${instruments.orders[to]}: ${symbol}`}
      action={instruments.orders[to]}
      question={isTold ? `${asked} ${instruments.positionsStay}` : asked}
      isMild={to === 'online'}
      {...{ run, onClose }}
    />
  );
}
