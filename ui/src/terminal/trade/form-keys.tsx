/** What the trading keys do in an order form; ? shows them. */
import { type ReactNode, type RefObject, useState } from 'react';
import { Question } from '../../look/mod.ts';
import type { OrderLine } from '../../model/orders.ts';
import { useTexts } from '../../texts/texts.ts';
import { account } from './account-state.ts';
import { cancelOrders } from './calls.ts';
import { marketName } from './formats.ts';
import { type TradingKey, useTradingKeys } from './keys.ts';
import { OrderSettingsDialog } from './order-settings.tsx';
import { usePermissions } from './permissions.ts';
import { useAction } from './use-action.ts';

interface FormActions {
  buy(): void;
  sell(): void;
  type(type: 'limit' | 'market'): void;
  part(percent: number): void;
  send(): void;
}

const PARTS: Partial<Record<TradingKey, number>> = {
  quarter: 25,
  half: 50,
  threeQuarters: 75,
  all: 100,
};

/** Follows the keys while the form is shown. Returns the help when it is open. */
export function useFormKeys(
  frame: RefObject<HTMLElement | null>,
  symbol: string,
  actions: FormActions,
): ReactNode {
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const [open, setOpen] = useState<'help' | 'cancel' | undefined>();
  const { isBusy, run } = useAction();
  const focus = (label: string): void => {
    const labels = [...(frame.current?.querySelectorAll('label') ?? [])];
    const found = labels.find(({ textContent }) => textContent === label);
    const input = found && document.getElementById(found.htmlFor);
    if (input instanceof HTMLInputElement) input.select();
  };
  useTradingKeys((does) => {
    const percent = PARTS[does];
    if (percent !== undefined) actions.part(percent);
    else if (does === 'buy' || does === 'sell') actions[does]();
    else if (does === 'limit' || does === 'market') actions.type(does);
    else if (does === 'price') focus(trade.price);
    else if (does === 'quantity') focus(trade.quantity);
    else if (does === 'send') actions.send();
    else if (does === 'help') setOpen('help');
    else if (does === 'cancelMarket' && mayTrade && ordersOf(symbol).length > 0) setOpen('cancel');
  });
  const shut = (): void => setOpen(undefined);
  if (open === 'help') return <OrderSettingsDialog onClose={shut} />;
  if (open === undefined) return null;
  const count = String(ordersOf(symbol).length);
  return (
    <Question
      title={trade.cancelAllTitle}
      text={trade.cancelMarketText(count, marketName(symbol, trade))}
      action={trade.cancelCount(count)}
      isDanger
      isBusy={isBusy}
      onConfirm={() => void run(() => cancelOrders(ordersOf(symbol))).then(shut)}
      onClose={shut}
    />
  );
}

function ordersOf(symbol: string): readonly OrderLine[] {
  return account.openOrders.get()?.filter((order) => order.symbol === symbol) ?? [];
}
