/** The prices that matter to the reader: own orders, trigger orders, positions, mark and index. */

import { useMemo } from 'react';
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
  /** Made when it is shown: of a thousand orders a few are. */
  readonly text: () => string;
  readonly tone: LevelTone;
  /** Undefined for what has a line alone. */
  readonly movable: Moving | undefined;
  readonly isDashed: boolean;
}

/** The highest price first; the same list until something of it changes. */
export function useLevels(instrument: Instrument): readonly Level[] {
  const hidden = useStore(hiddenOverlays);
  const orders = useOrderLevels(instrument);
  const positions = usePositionLevels(instrument);
  const prices = useMarketLevels(instrument);
  const alerts = useAlertLevels(instrument);
  return useMemo(() => {
    const isShown = (name: Overlay): boolean => !hidden.includes(name);
    const all = [
      ...(isShown('orders') ? orders : []),
      ...(isShown('positions') ? positions : []),
      ...(isShown('alerts') ? alerts : []),
      ...prices.filter(({ id }) => isShown(id === 'mark' ? 'mark' : 'index')),
    ];
    return all.sort((one, other) => other.price - one.price);
  }, [hidden, orders, positions, prices, alerts]);
}

function level(id: string, price: string, text: () => string, tone: LevelTone): Level {
  return { id, price: chartNumber(price), text, tone, movable: undefined, isDashed: true };
}

function useOrderLevels({ symbol }: Instrument): readonly Level[] {
  const { trade } = useTexts();
  const open = useStore(account.openOrders);
  const plans = useStore(account.waitingPlans);
  const ofOrders = useMemo(
    () =>
      (open ?? []).flatMap((order) => {
        if (order.symbol !== symbol || order.price === undefined) return [];
        const text = () => `${trade.actions[order.action]} ${orderSize(order, trade)}`;
        const made = level(order.id, order.price, text, toneOf(order.action));
        return [{ ...made, isDashed: false, movable: { kind: 'order', order } as const }];
      }),
    [open, symbol, trade],
  );
  const ofPlans = useMemo(
    () =>
      (plans ?? []).flatMap((plan) => {
        if (plan.symbol !== symbol) return [];
        const what = () => `${trade.actions[plan.action]} ${planSize(plan, trade)}`;
        const text = () => `${trade.purposes[plan.purpose]}: ${what()}`;
        const made = level(plan.id, plan.trigger, text, toneOf(plan.action));
        return [{ ...made, movable: { kind: 'plan', plan } as const }];
      }),
    [plans, symbol, trade],
  );
  return useMemo(() => [...ofOrders, ...ofPlans], [ofOrders, ofPlans]);
}

function usePositionLevels(instrument: Instrument): readonly Level[] {
  const { trade } = useTexts();
  const positions = useStore(account.positions);
  return useMemo(() => {
    if (instrument.kind !== 'contract') return [];
    const coin = instrument.marginCoin;
    const held = (positions ?? []).filter(({ symbol }) => symbol === instrument.symbol);
    return held.flatMap(({ symbol, side, size, entry, unrealizedPnl, liquidation }) => {
      const what = `${trade[side]} ${sizeOf(size, symbol)} ${trade.contractsUnit}`;
      const text = () => `${what} · ${moneyOf(unrealizedPnl, coin)} ${coin}`;
      const opened = level(`entry.${side}`, entry, text, side === 'long' ? 'up' : 'down');
      if (compare(liquidation, '0') <= 0) return [opened];
      const words = () => `${trade.liquidation} ${trade[side]}`;
      return [opened, level(`liquidation.${side}`, liquidation, words, 'warning')];
    });
  }, [positions, instrument, trade]);
}

function useMarketLevels(instrument: Instrument): readonly Level[] {
  const { market } = useTexts();
  const { mark, index } = useTicker(instrument)?.ticker ?? {};
  return useMemo(
    () => [
      ...(mark ? [level('mark', mark, () => market.mark, 'soft')] : []),
      ...(index ? [level('index', index, () => market.index, 'soft')] : []),
    ],
    [mark, index, market],
  );
}

function useAlertLevels({ symbol }: Instrument): readonly Level[] {
  const { alerts } = useTexts();
  const all = useStore(priceAlerts);
  return useMemo(() => {
    const ofMarket = all.filter((alert) => alert.symbol === symbol);
    return ofMarket.map(({ id, price, source }) =>
      level(`alert.${id}`, price, () => alerts.onChart[source], 'warning'),
    );
  }, [all, symbol, alerts]);
}
