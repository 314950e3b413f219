/** The contracts that random scenarios are played in. */
import { type ContractSpec, ticks } from '#domain';
import { SMALL_TIERS } from '../support/arbitraries.ts';
import { INVERSE, LINEAR } from '../support/contracts.ts';

const ETHER = {
  ...LINEAR,
  ...SMALL_TIERS,
  symbol: 'ETH-USDT-PERP',
  baseCode: 'ETH',
  contractValue: '0.07',
  priceScale: 2,
  priceStepTicks: ticks(1),
  referencePriceTicks: ticks(180_000),
  takerFeePpm: 37,
  makerFeePpm: 0,
  fundingMinutes: [0, 480, 960],
} as const satisfies ContractSpec;

/** What a floor trades: one contract, or several that share an insurance fund. */
export const FLOORS = {
  linear: [{ ...LINEAR, ...SMALL_TIERS }],
  inverse: [{ ...INVERSE, ...SMALL_TIERS }],
  shared: [{ ...LINEAR, ...SMALL_TIERS }, ETHER],
  several: [
    { ...LINEAR, ...SMALL_TIERS },
    { ...INVERSE, ...SMALL_TIERS },
    ETHER,
    {
      ...LINEAR,
      ...SMALL_TIERS,
      symbol: 'LTC-USDT-PERP',
      baseCode: 'LTC',
      contractValue: '1',
      priceScale: 2,
      priceStepTicks: ticks(1),
      referencePriceTicks: ticks(6_000),
      markClampPpm: 500_000,
    },
  ],
} as const satisfies Record<string, readonly ContractSpec[]>;

export type FloorKind = keyof typeof FLOORS;

/** Floors where a step of the price, or a unit of money, is more than the margin of a lot. */
export const COARSE_FLOORS = {
  steps: [
    {
      ...LINEAR,
      ...SMALL_TIERS,
      contractValue: '0.00000001',
      priceScale: 0,
      priceStepTicks: ticks(50),
      referencePriceTicks: ticks(400),
    },
  ],
  units: [{ ...INVERSE, ...SMALL_TIERS, contractValue: '0.0003', takerFeePpm: 0, makerFeePpm: 0 }],
} as const satisfies Record<string, readonly ContractSpec[]>;
