/**
 * How each refusal looks on the wire: codes and statuses are those of the house, which clients
 * already map to an error class, and some have words that these clients know.
 */
import type { Refused, RejectKind } from '#domain';
import { detailText } from '../kit/english.ts';
import { houseMeaningOf } from '../kit/house-rejects.ts';
import { symbolName } from './symbols.ts';

/** Where the core's meaning has other words than clients know. */
const TEXTS: Partial<Record<RejectKind, string>> = {
  key_missing: 'Header ACCESS-KEY is missing',
  signature_missing: 'Header ACCESS-SIGN is missing',
  timestamp_missing: 'Header ACCESS-TIMESTAMP is missing',
  passphrase_missing: 'Header ACCESS-PASSPHRASE is missing',
  timestamp_malformed: 'ACCESS-TIMESTAMP is not a valid number',
  trigger_direction_mismatch:
    'Plan order directions contradict each other, or the price is there already',
  contract_client_id_in_use: 'client_oid is already in use',
  trigger_orders_exceeded: 'Too many plan orders in this contract',
  leverage_locked: 'Leverage cannot change while orders or plan orders are open',
  margin_mode_locked: 'Mode cannot change while there are positions, orders or plan orders',
  auto_margin_in_cross: 'No automatic margin in full-position mode',
  adjust_margin_in_cross: 'No margin adjustment in full-position mode',
};

/** What a refusal means, in the words of this wire. */
export function meaningOf(reject: RejectKind): string {
  return TEXTS[reject] ?? houseMeaningOf(reject);
}

/** The text of a refusal: its meaning and what it was about. */
export function rejectText({ reject, detail }: Refused): string {
  const about = detailText(detail, symbolName);
  return about === '' ? meaningOf(reject) : `${meaningOf(reject)}: ${about}`;
}
