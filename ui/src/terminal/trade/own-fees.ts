/**
 * The fee rates of the account: its own where the operator has set any, else those listed. The
 * venue answers with what is paid; an account's own rate shows as one that is not the listed one.
 */
import { useMemo } from 'react';
import { native } from '#client';
import type { FeeRates, TradedContract } from '../../model/contract.ts';
import { scaledNumber } from '../../model/numbers.ts';
import type { TradedPair } from '../../model/pair.ts';
import { session } from '../../session/session.ts';
import { createStore, type Store, useStore } from '../../store/store.ts';
import { terms } from './terms.ts';

interface OwnFees {
  readonly takerPpm: number | undefined;
  readonly makerPpm: number | undefined;
}

const NONE: OwnFees = { takerPpm: undefined, makerPpm: undefined };
const own: Store<OwnFees> = createStore<OwnFees>(NONE);

const PPM_SCALE = 6;
const ppm = (rate: string): number => scaledNumber(rate, PPM_SCALE);

/** Reads them anew, as after signing in; a key that may not read them leaves the listed ones. */
export async function learnFees(): Promise<void> {
  own.set(NONE);
  const { pairs, contracts } = terms.get();
  const pair = pairs.values().next().value;
  const contract = [...contracts.values()].find(({ kind }) => kind === 'linear');
  const asked = session.state.get();
  const rows = await session.ask(native.fees, {});
  // Another key may have signed in meanwhile.
  if (session.state.get() !== asked) return;
  const paid = new Map(rows.map((row) => [row.symbol, ratesOf(row)]));
  const differences = [
    [pair?.symbol, pair && { takerPpm: pair.takerFeePpm, makerPpm: pair.makerFeePpm }],
    [contract?.symbol, contract?.feeRates],
  ] as const;
  const found = differences.map(([symbol = '', listed]) => {
    const rates = paid.get(symbol);
    return rates && listed && differing(rates, listed);
  });
  own.set({
    takerPpm: found.find((rates) => rates?.takerPpm !== undefined)?.takerPpm,
    makerPpm: found.find((rates) => rates?.makerPpm !== undefined)?.makerPpm,
  });
}

function ratesOf({ takerFee, makerFee }: native.FeesRow): FeeRates {
  return { takerPpm: ppm(takerFee), makerPpm: ppm(makerFee) };
}

/** Where what is paid is not what is listed. */
function differing(paid: FeeRates, listed: FeeRates): OwnFees {
  return {
    takerPpm: paid.takerPpm === listed.takerPpm ? undefined : paid.takerPpm,
    makerPpm: paid.makerPpm === listed.makerPpm ? undefined : paid.makerPpm,
  };
}

/** A contract with the rates that the account pays. */
export function useContractWithFees<Of extends TradedContract | undefined>(contract: Of): Of {
  const { takerPpm, makerPpm } = useStore(own);
  return useMemo(() => {
    if (contract === undefined) return contract;
    const { feeRates } = contract;
    const paid = {
      takerPpm: takerPpm ?? feeRates.takerPpm,
      makerPpm: makerPpm ?? feeRates.makerPpm,
    };
    return { ...contract, feeRates: paid };
  }, [contract, takerPpm, makerPpm]);
}

/** A pair with the rates that the account pays. */
export function usePairWithFees<Of extends TradedPair | undefined>(pair: Of): Of {
  const { takerPpm, makerPpm } = useStore(own);
  return useMemo(() => {
    if (pair === undefined) return pair;
    const takerFeePpm = takerPpm ?? pair.takerFeePpm;
    return { ...pair, takerFeePpm, makerFeePpm: makerPpm ?? pair.makerFeePpm };
  }, [pair, takerPpm, makerPpm]);
}
