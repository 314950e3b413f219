/**
 * Suspension: a pair or contract whose commands made the engine fail is left alone until the
 * operator resumes it. Nothing of its owners moves and no tick touches it; everything else trades.
 */
import {
  type Contract,
  MARKET_STATUSES,
  refuse,
  type SpotInstrument,
  type SuspendInstrument,
} from '#domain';
import { endHaltedOrder } from './halt.ts';
import type { Refusal, State } from './state.ts';

export function suspendInstrument(state: State, command: SuspendInstrument): Refusal {
  const { instrumentId, reason } = command;
  const pair = state.market(instrumentId);
  const contract = state.swap(instrumentId);
  const suspension = { status: 'suspended', suspendedReason: reason } as const;
  if (pair !== undefined) {
    state.list({ kind: 'spot_updated', instrument: { ...pair.instrument, ...suspension } });
  } else if (contract !== undefined) {
    state.list({ kind: 'contract_updated', contract: { ...contract.contract, ...suspension } });
  } else return refuse('symbol_unknown');
  endHaltedOrder(state, { instrumentId, ...suspension });
  return undefined;
}

type Terms = Pick<SpotInstrument | Contract, 'status' | 'suspendedReason'>;

/** What is left of a suspension after a change of terms: a status the operator gives ends it. */
export function suspensionLeft({ status, suspendedReason }: Terms): Pick<Terms, 'suspendedReason'> {
  return status === 'suspended' && suspendedReason !== undefined ? { suspendedReason } : {};
}

/** Whether there is such a status; only a fault suspends, which is checked where it is set. */
export function isStatus(status: string): boolean {
  return status === 'suspended' || MARKET_STATUSES.some((known) => known === status);
}
