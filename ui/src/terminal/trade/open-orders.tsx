/** Open orders of pairs and contracts, with their cancelling. */
import { useState } from 'react';
import { Button, Check, Question, Table } from '../../look/mod.ts';
import type { OrderLine } from '../../model/orders.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { useInstrument } from '../context.ts';
import { account } from './account-state.ts';
import { cancelOrder, cancelOrders } from './calls.ts';
import { orderName } from './formats.ts';
import { orderColumns } from './order-columns.tsx';
import { Pane } from './pane.tsx';
import { usePermissions } from './permissions.ts';
import { useAction } from './use-action.ts';

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
      cell: (order: OrderLine) => <CancelButton order={order} />,
    },
  ];
  return (
    <Pane
      controls={<Check label={trade.thisMarketOnly} value={isOfMarket} onValue={setOfMarket} />}
      aside={<CancelAll orders={orders ?? []} />}
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

function CancelButton({ order }: { readonly order: OrderLine }) {
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const { isBusy, run } = useAction();
  return (
    <Button
      tone="quiet"
      isBusy={isBusy}
      disabled={!mayTrade}
      aria-label={trade.cancelOrder(orderName(order))}
      onClick={() => void run(() => cancelOrder(order))}
    >
      {trade.cancel}
    </Button>
  );
}

function CancelAll({ orders }: { readonly orders: readonly OrderLine[] }) {
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const { isBusy, run } = useAction();
  const [asked, setAsked] = useState<readonly OrderLine[] | undefined>();
  const confirm = async (): Promise<void> => {
    await run(() => cancelOrders(asked ?? []));
    setAsked(undefined);
  };
  const count = String(asked?.length ?? 0);
  return (
    <>
      <Button
        tone="quiet"
        disabled={!mayTrade || orders.length === 0}
        onClick={() => setAsked(orders)}
      >
        {trade.cancelAll}
      </Button>
      {asked === undefined ? null : (
        <Question
          title={trade.cancelAllTitle}
          text={trade.cancelAllText(count)}
          action={trade.cancelCount(count)}
          isDanger
          isBusy={isBusy}
          onConfirm={() => void confirm()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
