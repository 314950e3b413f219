/** The prices that matter to the reader: own orders, trigger orders, positions, mark and index. */

import { chartNumber, compare } from '../../model/numbers.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { alerts as priceAlerts } from '../alerts/alert-store.ts';
import type { Instrument } from '../context.ts';
import { useTicker } from '../market/ticker-feed.ts';
import { account } from '../trade/account-state.ts';
import { moneyOf, orderSize, planSize, sizeOf, toneOf } from '../trade/formats.ts';
import type { Moving } from '../trade/moves.ts';
import { hiddenOverlays, type Overlay } from './chart-settings.ts';

export type LevelTone = 'up' | 'down' | 'soft' | 'warning';

export interface Level {
  readonly id: string;
  readonly price: number;
  readonly priceText: string;
  readonly text: string;
  readonly tone: LevelTone;
  /** Undefined for what has a line alone. */
  readonly movable: Moving | undefined;
  readonly isDashed: boolean;
}

export function useLevels(instrument: Instrument): readonly Level[] {
  const hidden = useStore(hiddenOverlays);
  const orders = useOrderLevels(instrument);
  const positions = usePositionLevels(instrument);
  const prices = useMarketLevels(instrument);
  const alerts = useAlertLevels(instrument);
  const isShown = (name: Overlay): boolean => !hidden.includes(name);
  return [
    ...(isShown('orders') ? orders : []),
    ...(isShown('positions') ? positions : []),
    ...(isShown('alerts') ? alerts : []),
    ...prices.filter(({ id }) => isShown(id === 'mark' ? 'mark' : 'index')),
  ];
}

function level(id: string, priceText: string, text: string, tone: LevelTone): Level {
  const price = chartNumber(priceText);
  return { id, price, priceText, text, tone, movable: undefined, isDashed: true };
}

function useOrderLevels({ symbol }: Instrument): readonly Level[] {
  const { trade } = useTexts();
  const open = useStore(account.openOrders) ?? [];
  const plans = useStore(account.waitingPlans) ?? [];
  const ofOrders = open.flatMap((order) => {
    if (order.symbol !== symbol || order.price === undefined) return [];
    const text = `${trade.actions[order.action]} ${orderSize(order, trade)}`;
    const made = level(order.id, order.price, text, toneOf(order.action));
    return [{ ...made, isDashed: false, movable: { kind: 'order', order } as const }];
  });
  const ofPlans = plans.flatMap((plan) => {
    if (plan.symbol !== symbol) return [];
    const what = `${trade.actions[plan.action]} ${planSize(plan, trade)}`;
    const text = `${trade.purposes[plan.purpose]}: ${what}`;
    const made = level(plan.id, plan.trigger, text, toneOf(plan.action));
    return [{ ...made, movable: { kind: 'plan', plan } as const }];
  });
  return [...ofOrders, ...ofPlans];
}

function usePositionLevels(instrument: Instrument): readonly Level[] {
  const { trade } = useTexts();
  const positions = useStore(account.positions) ?? [];
  if (instrument.kind !== 'contract') return [];
  const coin = instrument.marginCoin;
  const held = positions.filter(({ symbol }) => symbol === instrument.symbol);
  return held.flatMap(({ symbol, side, size, entry, unrealizedPnl, liquidation }) => {
    const what = `${trade[side]} ${sizeOf(size, symbol)} ${trade.contractsUnit}`;
    const text = `${what} · ${moneyOf(unrealizedPnl, coin)} ${coin}`;
    const opened = level(`entry.${side}`, entry, text, side === 'long' ? 'up' : 'down');
    if (compare(liquidation, '0') <= 0) return [opened];
    const words = `${trade.liquidation} ${trade[side]}`;
    return [opened, level(`liquidation.${side}`, liquidation, words, 'warning')];
  });
}

function useMarketLevels(instrument: Instrument): readonly Level[] {
  const { market } = useTexts();
  const { mark, index } = useTicker(instrument)?.ticker ?? {};
  return [
    ...(mark ? [level('mark', mark, market.mark, 'soft')] : []),
    ...(index ? [level('index', index, market.index, 'soft')] : []),
  ];
}

function useAlertLevels({ symbol }: Instrument): readonly Level[] {
  const { alerts } = useTexts();
  const ofMarket = useStore(priceAlerts).filter((alert) => alert.symbol === symbol);
  return ofMarket.map(({ id, price, source }) =>
    level(`alert.${id}`, price, alerts.onChart[source], 'warning'),
  );
}
