/** What properties draw orders, positions and accounts from. */
import fc from 'fast-check';
import {
  type ContractSpec,
  type ContractTerms,
  type HoldSide,
  lots,
  type MarginMode,
  SELF_TRADE_PREVENTIONS,
  type Side,
} from '#domain';
import { INVERSE, LINEAR } from './contracts.ts';

export const TIERS = [
  { contractsMax: lots(20), maintenanceRatePpm: 5_000, leverageMax: 100 },
  { contractsMax: lots(60), maintenanceRatePpm: 10_000, leverageMax: 50 },
  { contractsMax: lots(200), maintenanceRatePpm: 25_000, leverageMax: 20 },
  { contractsMax: lots(900), maintenanceRatePpm: 50_000, leverageMax: 10 },
] as const;

/** A contract whose tiers are small, so that sizes of a few lots already reach the higher ones. */
export const SMALL_TIERS: Partial<ContractTerms> = {
  tiers: TIERS,
  maxLots: lots(600),
  impactLots: lots(20),
  openOrdersMax: 20,
  triggerOrdersMax: 4,
  tpSlMax: 6,
};

/** Of either kind. */
export const smallContract = fc.constantFrom<ContractSpec>(
  { ...LINEAR, ...SMALL_TIERS },
  { ...INVERSE, ...SMALL_TIERS },
);

export const side = fc.constantFrom<Side>('buy', 'sell');
export const holdSide = fc.constantFrom<HoldSide>('long', 'short');
export const marginMode = fc.constantFrom<MarginMode>('isolated', 'cross');
export const prevention = fc.constantFrom(...SELF_TRADE_PREVENTIONS);
