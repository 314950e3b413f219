/** The prices that matter to the reader: own orders, trigger orders, positions, mark and index. */

import { chartNumber, compare, signOf } from '../../model/numbers.ts';
import type { HoldingRow } from '../../model/positions.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { alerts as priceAlerts } from '../alerts/alert-store.ts';
import type { Instrument } from '../context.ts';
import { useTicker } from '../market/ticker-feed.ts';
import { account } from '../trade/account-state.ts';
import { moneyOf, orderSize, sizeOf, sizeUnit, toneOf } from '../trade/formats.ts';
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
    const size =
      signOf(plan.size) === 0
        ? trade.wholePosition
        : `${sizeOf(plan.size, symbol)} ${sizeUnit(symbol, trade)}`;
    const text = `${trade.purposes[plan.purpose]}: ${trade.actions[plan.action]} ${size}`;
    const made = level(plan.id, plan.trigger, text, toneOf(plan.action));
    return [{ ...made, movable: { kind: 'plan', plan } as const }];
  });
  return [...ofOrders, ...ofPlans];
}

function usePositionLevels(instrument: Instrument): readonly Level[] {
  const { trade } = useTexts();
  const pairs = useStore(account.positions) ?? [];
  if (instrument.kind !== 'contract') return [];
  const pair = pairs.find((each) => each.symbol === instrument.symbol);
  if (pair === undefined) return [];
  const levelsOf = ({ side, position, avg_cost, ...row }: HoldingRow): readonly Level[] => {
    if (compare(position, '0') <= 0) return [];
    const size = `${sizeOf(position, instrument.symbol)} ${trade.contractsUnit}`;
    const coin = instrument.marginCoin;
    const profit = `${moneyOf(row.unrealized_pnl, coin)} ${coin}`;
    const tone = side === 'long' ? 'up' : 'down';
    const entry = level(`entry.${side}`, avg_cost, `${trade[side]} ${size} · ${profit}`, tone);
    if (compare(row.liquidation_price, '0') <= 0) return [entry];
    const words = `${trade.liquidation} ${trade[side]}`;
    return [entry, level(`liquidation.${side}`, row.liquidation_price, words, 'warning')];
  };
  return [...levelsOf(pair.long), ...levelsOf(pair.short)];
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
