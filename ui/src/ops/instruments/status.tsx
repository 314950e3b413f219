/** Whether a market trades, as a mark, and the buttons that change it. */

import { Mark } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { type StatusOrder, statusOrders } from './status-dialog.tsx';

export function Status({ status }: { readonly status: string }) {
  const { instruments } = useOpsTexts();
  const tone = status === 'online' ? 'good' : status === 'halt' ? 'warning' : 'fault';
  return <Mark tone={tone}>{instruments.status(status)}</Mark>;
}

interface StatusButtonsProps {
  readonly onOrder: (order: StatusOrder) => void;
  readonly kind: StatusOrder['kind'];
  readonly symbol: string;
  readonly status: string;
}

/** The ways out of the state it is in. */
export function StatusButtons({ kind, symbol, status, onOrder }: StatusButtonsProps) {
  const { instruments } = useOpsTexts();
  return statusOrders(status).map((to) => (
    <Act
      key={to}
      aria-label={`${instruments.orders[to]}: ${symbol}`}
      onClick={() => onOrder({ kind, symbol, to })}
    >
      {instruments.orders[to]}
    </Act>
  ));
}
