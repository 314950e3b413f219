/** What must be so before an order of a pair is taken, and what orders set aside. */
import type { PlaceSpotOrder, Side } from '#domain';
import { PPM, SAFE_MAX } from './figures.ts';
import { inPriority, type Model, type PairBook, type SpotRest, walletOf } from './model.ts';

export function quoteOf({ terms }: PairBook, priceTicks: number, sizeLots: number): bigint {
  const digits = terms.quote.scale - terms.priceScale - terms.quantityScale;
  return BigInt(priceTicks) * BigInt(sizeLots) * 10n ** BigInt(digits);
}

export function baseOf({ terms }: PairBook, sizeLots: number): bigint {
  return BigInt(sizeLots) * 10n ** BigInt(terms.base.scale - terms.quantityScale);
}

/** What an order has set aside: what it would pay if it filled now. */
export function setAside(pair: PairBook, order: SpotRest): bigint {
  return order.side === 'buy'
    ? quoteOf(pair, order.priceTicks, order.openLots)
    : baseOf(pair, order.openLots);
}

export function heldInSpot(model: Model, accountId: number, assetId: number): bigint {
  let held = 0n;
  for (const pair of model.pairs.values()) {
    const { working } = pair;
    for (const order of working === undefined ? pair.orders : [...pair.orders, working.order]) {
      const coin = order.side === 'buy' ? pair.terms.quote : pair.terms.base;
      if (order.accountId === accountId && coin.assetId === assetId) held += setAside(pair, order);
    }
  }
  return held;
}

export function availableInSpot(model: Model, accountId: number, assetId: number): bigint {
  const locked = model.locks.get(`${accountId} ${assetId}`) ?? 0n;
  const owned = walletOf(model, accountId, 'spot', assetId);
  return owned - heldInSpot(model, accountId, assetId) - locked;
}

export function checkTerms(pair: PairBook, command: PlaceSpotOrder): string | undefined {
  if (command.type === 'limit') return checkLimit(pair, command.priceTicks, command.sizeLots);
  const halted = checkStatus(pair);
  if (halted !== undefined) return halted;
  if (!('quoteBudget' in command)) return checkSize(pair, command.sizeLots);
  const { quoteBudget } = command;
  if (quoteBudget <= 0n) return 'quantity_invalid';
  if (quoteBudget < pair.terms.minNotional) return 'notional_below_minimum';
  const best = queue(pair, 'sell')[0]?.priceTicks;
  if (best === undefined) return undefined;
  if (quoteBudget < quoteOf(pair, best, pair.terms.minLots)) return 'notional_below_minimum';
  const beyond = quoteOf(pair, best, pair.terms.maxLots) + quoteOf(pair, best, 1);
  return quoteBudget < beyond ? undefined : 'quantity_above_maximum';
}

export function checkLimit(
  pair: PairBook,
  priceTicks: number,
  sizeLots: number,
): string | undefined {
  const halted = checkStatus(pair);
  if (halted !== undefined) return halted;
  if (priceTicks <= 0) return 'price_invalid';
  const refused = checkSize(pair, sizeLots);
  if (refused !== undefined) return refused;
  const isWorth = quoteOf(pair, priceTicks, sizeLots) >= pair.terms.minNotional;
  return isWorth ? undefined : 'notional_below_minimum';
}

function checkStatus({ terms: { status } }: PairBook): string | undefined {
  if (status === 'online') return undefined;
  return status === 'suspended' ? 'market_suspended' : 'market_halted';
}

function checkSize({ terms }: PairBook, sizeLots: number): string | undefined {
  if (sizeLots <= 0) return 'quantity_invalid';
  if (sizeLots < terms.minLots) return 'quantity_below_minimum';
  return sizeLots > terms.maxLots ? 'quantity_above_maximum' : undefined;
}

/** Around the last price, before one around what the operator says, else the middle of the book. */
function centreOf(pair: PairBook): number {
  if (pair.terms.priceBandPpm === 0) return 0;
  if (pair.lastTicks > 0) return pair.lastTicks;
  if (pair.terms.referencePriceTicks > 0) return pair.terms.referencePriceTicks;
  const bid = queue(pair, 'buy')[0]?.priceTicks;
  const ask = queue(pair, 'sell')[0]?.priceTicks;
  return bid === undefined || ask === undefined ? 0 : Math.floor((bid + ask) / 2);
}

export function worstOf(pair: PairBook, side: Side): number {
  const centre = centreOf(pair);
  if (centre === 0) return side === 'buy' ? SAFE_MAX : 0;
  const band = BigInt(pair.terms.priceBandPpm);
  const whole = BigInt(centre);
  if (side === 'buy') return Math.min(SAFE_MAX, Number((whole * (PPM + band)) / PPM));
  return Math.max(1, centre - Number((whole * band) / PPM));
}

export function checkBand(
  pair: PairBook,
  { side, priceTicks }: { side: Side; priceTicks: number },
): string | undefined {
  const worst = worstOf(pair, side);
  if (side === 'buy') return priceTicks > worst ? 'price_above_ceiling' : undefined;
  return priceTicks < worst ? 'price_below_floor' : undefined;
}

export function roomAt(pair: PairBook, side: Side, priceTicks: number): number {
  const resting = pair.orders.filter((one) => one.side === side && one.priceTicks === priceTicks);
  return SAFE_MAX - resting.reduce((total, { openLots }) => total + openLots, 0);
}

export function checkRoom(
  model: Model,
  pair: PairBook,
  command: PlaceSpotOrder,
  timeMs: number,
): string | undefined {
  const { accountId, clientOrderId, force } = command;
  if (clientOrderId !== undefined) {
    const freeMs = model.usedIds.get(`${accountId} spot ${clientOrderId}`) ?? 0;
    if (freeMs > timeMs || isOpenId(model, accountId, clientOrderId)) {
      return 'client_order_id_in_use';
    }
  }
  if (command.type === 'market' || force === 'ioc' || force === 'fok') return undefined;
  const most = model.accounts.get(accountId)?.openOrdersMax ?? 0;
  if (openCount(model, accountId) >= most) return 'open_orders_exceeded';
  const room = roomAt(pair, command.side, command.priceTicks);
  return room < command.sizeLots ? 'quantity_above_maximum' : undefined;
}

function isOpenId(model: Model, accountId: number, clientId: string): boolean {
  for (const { orders } of model.pairs.values()) {
    for (const order of orders) {
      if (order.accountId === accountId && order.clientOrderId === clientId) return true;
    }
  }
  return false;
}

function openCount(model: Model, accountId: number): number {
  let count = 0;
  for (const { orders } of model.pairs.values()) {
    for (const order of orders) if (order.accountId === accountId) count += 1;
  }
  return count;
}

export function checkMoney(
  model: Model,
  pair: PairBook,
  command: PlaceSpotOrder,
): string | undefined {
  const coin = command.side === 'buy' ? pair.terms.quote : pair.terms.base;
  const has = availableInSpot(model, command.accountId, coin.assetId);
  return has >= neededOf(pair, command) ? undefined : 'balance_insufficient';
}

/** The most that an order can spend of the coin it pays with. */
export function neededOf(pair: PairBook, command: PlaceSpotOrder): bigint {
  if (command.type === 'market' && 'quoteBudget' in command) return command.quoteBudget;
  if (command.side === 'sell') return baseOf(pair, command.sizeLots);
  if (command.type === 'limit') return quoteOf(pair, command.priceTicks, command.sizeLots);
  // A purchase of a size stops where the money does: it must pay for the least there is.
  const best = queue(pair, 'sell')[0]?.priceTicks;
  return best === undefined ? 0n : quoteOf(pair, best, pair.terms.minLots);
}

export function queue(pair: PairBook, side: Side): SpotRest[] {
  return inPriority(
    side,
    pair.orders.filter((order) => order.side === side),
  );
}
