/** The latest own fills of a market, for the chart: read once, newer ones from the stream. */
import { useEffect, useMemo, useState } from 'react';
import { native } from '#client';
import { type FillLine, fillLine } from '../../model/fills.ts';
import { chartNumber } from '../../model/numbers.ts';
import { session, useWho } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import type { Instrument } from '../context.ts';
import { account } from '../trade/account-state.ts';
import { toneOf } from '../trade/formats.ts';
import { mergedRows } from '../trade/use-pages.ts';
import { hiddenOverlays } from './chart-settings.ts';

export interface FillMark {
  readonly timeMs: number;
  readonly price: number;
  readonly isBuy: boolean;
}

const ROWS = 100;
const NONE: readonly FillLine[] = [];

export function useOwnFills({ symbol }: Instrument): readonly FillMark[] {
  const who = useWho();
  const gaps = useStore(account.gaps);
  const isShown = !useStore(hiddenOverlays).includes('fills') && who !== undefined;
  const wanted = isShown ? `${who} ${symbol} ${gaps}` : '';
  const [{ of, fills }, setFills] = useState({ of: '', fills: NONE });
  useEffect(() => {
    let isOver = false;
    if (wanted !== '') {
      readFills(symbol).then(
        (rows) => (isOver ? undefined : setFills({ of: wanted, fills: rows })),
        // Those of the stream are there.
        () => undefined,
      );
    }
    return () => {
      isOver = true;
    };
  }, [wanted, symbol]);
  const heard = useStore(account.fills);
  const read = of === wanted ? fills : NONE;
  return useMemo(() => {
    if (wanted === '') return [];
    const fresh = heard.filter((fill) => fill.symbol === symbol);
    return (mergedRows(read, fresh) ?? []).slice(0, ROWS).map(markOf);
  }, [wanted, symbol, read, heard]);
}

function markOf({ timeMs, price, action }: FillLine): FillMark {
  return { timeMs, price: chartNumber(price), isBuy: toneOf(action) === 'up' };
}

async function readFills(symbol: string): Promise<readonly FillLine[]> {
  const { rows } = await session.ask(native.fills, { symbol, limit: ROWS });
  return rows.map(fillLine);
}
