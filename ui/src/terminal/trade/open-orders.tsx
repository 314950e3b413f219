/** Open orders of pairs and contracts, with their cancelling. */
import { useState } from 'react';
import { Check, Table } from '../../look/mod.ts';
import type { OrderLine } from '../../model/orders.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { useInstrument } from '../context.ts';
import { account } from './account-state.ts';
import { cancelOrder, cancelOrders } from './calls.ts';
import { CancelAll, CancelButton } from './cancel-buttons.tsx';
import { orderName, toneOf } from './formats.ts';
import { MoveButton } from './move-dialog.tsx';
import { orderColumns } from './order-columns.tsx';
import { Pane } from './pane.tsx';

/** All, or those of one side: what buys, and what sells. */
function CancelChoices({ orders }: { readonly orders: readonly OrderLine[] }) {
  const { trade } = useTexts();
  const of = (tone: 'up' | 'down') => orders.filter(({ action }) => toneOf(action) === tone);
  const common = { text: trade.cancelAllText, cancelAll: cancelOrders };
  return (
    <>
      <CancelAll {...common} lines={of('up')} label={trade.cancelBuys} />
      <CancelAll {...common} lines={of('down')} label={trade.cancelSells} />
      <CancelAll {...common} lines={orders} />
    </>
  );
}

/** A list that is longer is for a program to read. */
const SHOWN_MAX = 200;

export function OpenOrders() {
  const { layout, trade } = useTexts();
  const symbol = useInstrument()?.symbol;
  const [isOfMarket, setOfMarket] = useState(false);
  const all = useStore(account.openOrders);
  const orders = isOfMarket ? all?.filter((order) => order.symbol === symbol) : all;
  const hidden = Math.max(0, (orders?.length ?? 0) - SHOWN_MAX);
  const columns = [
    ...orderColumns(trade),
    {
      name: 'cancel',
      title: <span className="only-read-out">{trade.cancel}</span>,
      cell: (order: OrderLine) => (
        <>
          {order.type === 'limit' ? (
            <MoveButton moving={{ kind: 'order', order }} name={orderName(order)} />
          ) : null}
          <CancelButton name={orderName(order)} cancel={() => cancelOrder(order)} />
        </>
      ),
    },
  ];
  return (
    <Pane
      controls={<Check label={trade.thisMarketOnly} value={isOfMarket} onValue={setOfMarket} />}
      aside={<CancelChoices orders={orders ?? []} />}
    >
      <Table
        label={layout.openOrders}
        columns={columns}
        rows={orders?.slice(0, SHOWN_MAX)}
        keyOf={({ id }) => id}
        empty={trade.noOpenOrders}
      />
      {hidden === 0 ? null : <p className="pane-remark">{trade.moreOrders(String(hidden))}</p>}
    </Pane>
  );
}
