/**
 * A floor of three contracts, two of them linear, whose accounts have a wallet per coin (open them
 * with COIN). 10 contracts of BTC are 0.01 BTC, one of ETH is 1 ETH.
 */
import { type ContractSpec, ticks } from '#domain';
import { INVERSE, LINEAR } from './contracts.ts';
import { Floor } from './floor.ts';

export const COIN = { wallets: 'coin' } as const;

/** The mark price is the index price and nobody owes funding. */
const QUIET = { fundingInterestPpm: 0, markClampPpm: 1 };
export const BTC: ContractSpec = { ...LINEAR, ...QUIET };
export const ETH: ContractSpec = {
  ...BTC,
  symbol: 'ETH-USDT-PERP',
  baseCode: 'ETH',
  contractValue: '1',
  referencePriceTicks: ticks(20_000),
};
export const COINS: ContractSpec = { ...INVERSE, ...QUIET };

export function coinFloor(): Floor {
  const floor = new Floor().listCoins();
  for (const spec of [BTC, ETH, COINS]) floor.listContract(spec);
  floor.index('30000');
  floor.index('2000', ETH.symbol);
  return floor;
}
