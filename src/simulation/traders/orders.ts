/**
 * From a wish to an order: immediate-or-cancel at a price a little beyond the best one, so that a
 * trader takes what is there and never sweeps a book. It sends nothing.
 */
import {
  type AccountView,
  baseAmount,
  type Command,
  type Contract,
  type Lots,
  lots,
  type MarginAccountView,
  notional,
  PPM,
  type SpotInstrument,
  type Ticks,
  ticks,
} from '#domain';
import { ContractMeans } from '../contract-means.ts';
import type { Wish } from './styles.ts';

/** How far beyond the best price an order may go. */
const REACH_PPM = 500;

export interface Touch {
  readonly bidTicks: number;
  readonly askTicks: number;
}

/** Undefined when it is too small for the pair or more than the account can pay. */
export function spotOrder(
  account: AccountView,
  pair: SpotInstrument,
  { side, sizeLots: wanted }: Wish,
  touch: Touch,
): Command | undefined {
  const priceTicks = reach(side, touch, 1);
  const sizeLots = sized(wanted, pair);
  const coin = side === 'buy' ? pair.quote : pair.base;
  const cost = side === 'buy' ? notional(pair, priceTicks, sizeLots) : baseAmount(pair, sizeLots);
  if (cost > (account.balance('spot', coin.assetId)?.available ?? 0n)) return undefined;
  if (notional(pair, priceTicks, sizeLots) < pair.minNotional) return undefined;
  return {
    kind: 'place_spot_order',
    accountId: account.accountId,
    instrumentId: pair.instrumentId,
    side,
    type: 'limit',
    force: 'ioc',
    priceTicks,
    sizeLots,
    clientOrderId: undefined,
  };
}

/** It closes what can be closed and opens otherwise; undefined when the account can do neither. */
export function contractOrder(
  account: AccountView,
  contract: Contract,
  margin: MarginAccountView,
  { side, sizeLots: wanted }: Wish,
  touch: Touch,
): Command | undefined {
  const priceTicks = reach(side, touch, contract.priceStepTicks);
  const sizeLots = sized(wanted, contract);
  const means = new ContractMeans(contract, account, margin, []);
  const action = means.spend(side, priceTicks, sizeLots);
  if (action === undefined) return undefined;
  return {
    kind: 'place_contract_order',
    accountId: account.accountId,
    instrumentId: contract.instrumentId,
    action,
    type: 'limit',
    force: 'ioc',
    priceTicks,
    sizeLots,
    clientOrderId: undefined,
  };
}

function sized(wanted: number, terms: { readonly minLots: Lots; readonly maxLots: Lots }): Lots {
  return lots(Math.min(Math.max(wanted, terms.minLots), terms.maxLots));
}

/** In whole price steps, never short of the best price nor beyond what can be counted. */
function reach(side: Wish['side'], { bidTicks, askTicks }: Touch, stepTicks: number): Ticks {
  const best = side === 'buy' ? askTicks : bidTicks;
  const away = Math.floor((best * REACH_PPM) / PPM / stepTicks) * stepTicks;
  if (side === 'sell') return ticks(Math.max(stepTicks, best - away));
  return ticks(Number.isSafeInteger(best + away) ? best + away : best);
}
