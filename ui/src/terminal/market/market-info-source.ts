/** What a contract tells of itself beside its prices: funding, the insurance fund, liquidations. */
import { useEffect, useState } from 'react';
import { describeFailure } from '../../wire/failure.ts';
import { publicGet } from '../../wire/rest.ts';
import type { ContractInstrument } from '../context.ts';

export interface SettledRow {
  readonly funding_rate: string;
  readonly funding_time: string;
}

export interface FundRow {
  readonly coin: string;
  readonly fund: string;
  readonly timestamp: string;
}

export interface LiquidationRow {
  readonly side: 'long' | 'short';
  readonly size: string;
  readonly deleveraged: string;
  readonly bankruptcy_price: string;
  readonly mark_price: string;
  readonly timestamp: string;
}

export interface MarketInfo {
  readonly rates: readonly SettledRow[];
  readonly fund: FundRow | undefined;
  readonly fundPast: readonly FundRow[];
  readonly liquidations: readonly LiquidationRow[];
}

const MARKET = '/api/swap/v3/market';
const RATES = 30;
const LIQUIDATIONS = 50;
/** While it is looked at. */
const READ_EVERY_MS = 5_000;

interface InfoState {
  /** Undefined until it has come. */
  readonly info: MarketInfo | undefined;
  readonly fault: string | undefined;
}

const NOTHING: InfoState = { info: undefined, fault: undefined };

export function useMarketInfo(instrument: ContractInstrument): InfoState {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    let isOver = false;
    const read = (): void => {
      if (document.visibilityState !== 'visible') return;
      readInfo(instrument).then(
        (info) => (isOver ? undefined : setState({ info, fault: undefined })),
        (error: unknown) => {
          const { code, text } = describeFailure(error);
          if (!isOver) setState((now) => ({ ...now, fault: `${code} ${text}` }));
        },
      );
    };
    read();
    const timer = setInterval(read, READ_EVERY_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [instrument]);
  return state;
}

async function readInfo({ symbol, marginCoin: coin }: ContractInstrument): Promise<MarketInfo> {
  const [rates, funds, fundPast, liquidations] = await Promise.all([
    publicGet<readonly SettledRow[]>(`${MARKET}/historyFundRate`, {
      ...{ symbol, pageIndex: 1, pageSize: RATES },
    }),
    publicGet<readonly FundRow[]>(`${MARKET}/insurance`),
    publicGet<readonly FundRow[]>(`${MARKET}/historyInsurance`, { coin }),
    publicGet<readonly LiquidationRow[]>(`${MARKET}/liquidations`, { symbol, limit: LIQUIDATIONS }),
  ]);
  return { rates, fund: funds.find((row) => row.coin === coin), fundPast, liquidations };
}
