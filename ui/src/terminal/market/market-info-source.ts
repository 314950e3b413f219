/** What a contract tells of itself beside its prices: funding, the insurance fund, liquidations. */
import { useEffect, useState } from 'react';
import { native } from '#client';
import { ask } from '../../wire/ask.ts';
import { describeFailure } from '../../wire/failure.ts';
import type { ContractInstrument } from '../context.ts';

export interface MarketInfo {
  readonly rates: readonly native.FundingRow[];
  readonly fund: native.InsuranceRow | undefined;
  readonly fundPast: readonly native.InsuranceDaysRow[];
  readonly liquidations: readonly native.LiquidationsRow[];
}

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
  const [rates, funds, days, liquidations] = await Promise.all([
    ask(native.funding, { symbol, limit: RATES }),
    ask(native.insurance, {}),
    ask(native.insuranceDays, { coin }),
    ask(native.liquidations, { symbol, limit: LIQUIDATIONS }),
  ]);
  return {
    rates: rates.rows,
    fund: funds.find((row) => row.coin === coin),
    fundPast: days.rows,
    liquidations: liquidations.rows,
  };
}
