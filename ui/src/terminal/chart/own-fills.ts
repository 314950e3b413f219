/** The latest own fills of a market, for the chart: read again when an order has changed. */
import { useEffect, useState } from 'react';
import { native } from '#client';
import { chartNumber } from '../../model/numbers.ts';
import { session, useWho } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import type { Instrument } from '../context.ts';
import { account } from '../trade/account-state.ts';
import { hiddenOverlays } from './chart-settings.ts';

export interface FillMark {
  readonly timeMs: number;
  readonly price: number;
  readonly isBuy: boolean;
}

const ROWS = 100;
/** Orders change in bursts. */
const READ_AFTER_MS = 500;
const NONE: readonly FillMark[] = [];

export function useOwnFills(instrument: Instrument): readonly FillMark[] {
  const who = useWho();
  const [{ of, fills }, setFills] = useState({ of: who, fills: NONE });
  const isShown = !useStore(hiddenOverlays).includes('fills') && who !== undefined;
  const open = useStore(account.openOrders);
  const closed = useStore(account.closedOrders);
  useEffect(() => {
    let isOver = false;
    const read = (): void => {
      readFills(instrument).then(
        (rows) => (isOver ? undefined : setFills({ of: who, fills: rows })),
        // They are read again with the next order.
        () => undefined,
      );
    };
    // Each change of the orders may have been a fill.
    const isKnown = open !== undefined && closed !== undefined;
    const timer = isShown && isKnown ? setTimeout(read, READ_AFTER_MS) : undefined;
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [instrument, isShown, who, open, closed]);
  return isShown && of === who ? fills : NONE;
}

async function readFills({ symbol }: Instrument): Promise<readonly FillMark[]> {
  const { rows } = await session.ask(native.fills, { symbol, limit: ROWS });
  return rows.map(({ time, price, side }) => ({
    ...{ timeMs: time, price: chartNumber(price), isBuy: side === 'buy' },
  }));
}
