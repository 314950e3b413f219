/** What an account holds and has set in contracts, and its balances. */
import type { ContractSettings, native } from '#client';
import type { HoldSide } from '#domain';
import { formatDecimal } from '#kernel';
import { exact } from './numbers.ts';

export type Balance = native.BalancesRow;
export type Position = native.PositionsRow;
export type Settings = ContractSettings;

/** The wallet that all linear contracts of a coin can stand on. */
export const SHARED = 'margin';

/** An account in one contract. */
export interface Standing {
  readonly settings: Settings;
  /** Undefined while nothing of that side is held. */
  readonly long: Position | undefined;
  readonly short: Position | undefined;
}

export function standingOf(settings: Settings, positions: readonly Position[]): Standing {
  const held = (wanted: HoldSide) =>
    positions.find(({ symbol, side }) => symbol === settings.symbol && side === wanted);
  return { settings, long: held('long'), short: held('short') };
}

/** The wallet behind a contract; undefined while it was never used. */
export function walletOf(
  { wallet, coin }: Pick<Settings, 'wallet' | 'coin'>,
  balances: readonly Balance[],
): Balance | undefined {
  return balances.find((row) => row.wallet === wallet && row.coin === coin);
}

/** At which a side is or would be opened. */
export function leverageOf({ settings, ...held }: Standing, side: HoldSide): number {
  const position = held[side];
  if (position !== undefined) return position.leverage;
  if (settings.marginMode === 'cross') return settings.crossLeverage;
  return side === 'long' ? settings.longLeverage : settings.shortLeverage;
}

const RETURN_SCALE = 6;

/** Unrealised profit as a share of the margin in use; undefined while there is none. */
export function returnOf({ unrealizedPnl, margin }: Position): string | undefined {
  const [gained, used] = [exact(unrealizedPnl), exact(margin)];
  if (used.value <= 0n) return undefined;
  const scale = BigInt(RETURN_SCALE + used.scale);
  const share = (gained.value * 10n ** scale) / (used.value * 10n ** BigInt(gained.scale));
  return formatDecimal(share, RETURN_SCALE);
}
