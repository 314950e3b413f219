/** What a refusal of a pair, of a wallet or of a transfer is about beside its kind. */
import type { Coin, Command, Detail, Figure, MoveSpotOrder, PlaceSpotOrder } from '#domain';
import { coin, count, figure, NOTHING, obstacle } from './detail-words.ts';
import { heldIn } from './margin.ts';
import type { Model, PairBook } from './model.ts';
import { contractNamed } from './money.ts';
import { availableInSpot, neededOf, queue, quoteOf, setAside, worstOf } from './spot-checks.ts';

export function spotDetail(model: Model, command: Command, reject: string): Detail | undefined {
  switch (command.kind) {
    case 'place_spot_order':
    case 'move_spot_order':
    case 'cancel_spot_order': {
      if (/_unknown$|^account_frozen$/.test(reject)) return NOTHING;
      const pair = model.pairs.get(command.instrumentId);
      if (pair === undefined) return undefined;
      if (/^market_/.test(reject)) return { is: 'market', symbol: pair.terms.symbol };
      if (command.kind === 'cancel_spot_order') return undefined;
      return orderDetail(model, pair, command, reject);
    }
    case 'transfer':
    case 'deposit':
    case 'withdraw':
    case 'set_lock':
      return moneyDetail(model, command, reject);
    case 'hold_money':
      return NOTHING;
    case 'transfer_between_accounts':
      if (reject !== 'balance_insufficient') return NOTHING;
      return { is: 'coin', code: model.assets[command.assetId]?.code ?? '' };
    default:
      return undefined;
  }
}

/** A size of a pair is one of its base coin. */
function sizeOf({ terms }: PairBook, value: number): Figure {
  const { code } = terms.base;
  return { of: 'coin', code, value: BigInt(value), scale: terms.quantityScale };
}

function orderDetail(
  model: Model,
  pair: PairBook,
  command: PlaceSpotOrder | MoveSpotOrder,
  reject: string,
): Detail | undefined {
  const { terms } = pair;
  const size = 'sizeLots' in command ? command.sizeLots : Number.POSITIVE_INFINITY;
  const bound = (side: 'buy' | 'sell'): Figure => {
    return { of: 'price', value: worstOf(pair, side), scale: terms.priceScale };
  };
  switch (reject) {
    case 'price_invalid':
    case 'quantity_invalid':
      return NOTHING;
    case 'quantity_below_minimum':
      return figure('at_least', sizeOf(pair, terms.minLots));
    case 'quantity_above_maximum':
      if (size <= terms.maxLots) return obstacle('no_room_at_price');
      return figure('at_most', sizeOf(pair, terms.maxLots));
    case 'notional_below_minimum':
      return notionalDetail(pair, command);
    case 'price_above_ceiling':
      return figure('at_most', bound('buy'));
    case 'price_below_floor':
      return figure('at_least', bound('sell'));
    case 'client_order_id_in_use':
      return { is: 'id', id: ('clientOrderId' in command ? command.clientOrderId : '') ?? '' };
    case 'open_orders_exceeded': {
      const most = model.accounts.get(command.accountId)?.openOrdersMax ?? 0;
      return figure('at_most_of_account', count(most));
    }
    case 'balance_insufficient':
      return needsDetail(model, pair, command);
    default:
      return undefined;
  }
}

function notionalDetail(pair: PairBook, command: PlaceSpotOrder | MoveSpotOrder): Detail {
  const { quote, minNotional, minLots } = pair.terms;
  const best = queue(pair, 'sell')[0]?.priceTicks;
  const isBudget = 'quoteBudget' in command && command.quoteBudget >= minNotional;
  if (!isBudget || best === undefined) return figure('at_least', coin(quote, minNotional));
  return figure('at_least_at_best_price', coin(quote, quoteOf(pair, best, minLots)));
}

function needsDetail(
  model: Model,
  pair: PairBook,
  command: PlaceSpotOrder | MoveSpotOrder,
): Detail | undefined {
  const { accountId } = command;
  if (command.kind === 'place_spot_order') {
    const asset = command.side === 'buy' ? pair.terms.quote : pair.terms.base;
    const has = availableInSpot(model, accountId, asset.assetId);
    return needs(asset, neededOf(pair, command), has);
  }
  const order = pair.orders.find(({ orderId }) => orderId === command.orderId);
  if (order === undefined) return undefined;
  const asset = order.side === 'buy' ? pair.terms.quote : pair.terms.base;
  const { priceTicks, sizeLots } = command;
  const openLots = sizeLots - order.filledLots;
  const has = availableInSpot(model, accountId, asset.assetId) + setAside(pair, order);
  return needs(asset, setAside(pair, { ...order, priceTicks, openLots }), has);
}

function needs(asset: Coin, needed: bigint, has: bigint): Detail {
  return { is: 'needs', needed: coin(asset, needed), has: coin(asset, has) };
}

type Money = Extract<Command, { kind: 'transfer' | 'deposit' | 'withdraw' | 'set_lock' }>;

function moneyDetail(model: Model, command: Money, reject: string): Detail | undefined {
  switch (reject) {
    case 'balance_insufficient':
      if (command.kind === 'set_lock') return NOTHING;
      return { is: 'coin', code: model.assets[command.assetId]?.code ?? '' };
    case 'client_order_id_in_use':
      return { is: 'id', id: (command.kind === 'transfer' ? command.clientOid : '') ?? '' };
    case 'operator_request_repeated':
    case 'operator_request_differs':
      return { is: 'id', id: ('operatorOid' in command ? command.operatorOid : '') ?? '' };
    case 'contract_unknown':
    case 'transfer_route_invalid':
      return routeDetail(model, command, reject);
    case 'contract_suspended':
      return command.kind === 'transfer' ? suspendedDetail(model, command) : undefined;
    default:
      return NOTHING;
  }
}

/** The first of the named wallets that there is not, or that is of another coin. */
function routeDetail(model: Model, command: Money, reject: string): Detail | undefined {
  if (command.kind === 'set_lock') return undefined;
  const named = command.kind === 'transfer' ? [command.from, command.to] : [command.wallet];
  const account = model.accounts.get(command.accountId);
  if (command.kind === 'transfer' && command.from === command.to) {
    const own = wrongWallet(model, account?.wallets, command.from, command.assetId);
    return own ?? NOTHING;
  }
  for (const wallet of named) {
    const wrong = wrongWallet(model, account?.wallets, wallet, command.assetId);
    if (wrong !== undefined) return wrong;
  }
  return reject === 'transfer_route_invalid' ? NOTHING : undefined;
}

function wrongWallet(
  model: Model,
  wallets: string | undefined,
  named: Extract<Detail, { is: 'wallet_coin' }>['wallet'],
  assetId: number,
): Detail | undefined {
  if (named === 'spot') return undefined;
  if (named === 'margin') {
    if (wallets !== 'coin') return obstacle('wallet_per_contract');
    const isOfAny = [...model.contracts.values()].some(
      ({ terms }) => terms.kind === 'linear' && terms.margin.assetId === assetId,
    );
    return isOfAny ? undefined : obstacle('no_margin_coin');
  }
  const contract = contractNamed(model, named);
  if (contract === undefined) return { is: 'market', symbol: named };
  if (contract.margin.assetId === assetId) return undefined;
  return { is: 'wallet_coin', wallet: named, code: contract.margin.code };
}

/** The contract whose prices stand still: the one that is named, or one of the wallet. */
function suspendedDetail(
  model: Model,
  command: Extract<Command, { kind: 'transfer' }>,
): Detail | undefined {
  const { accountId, from, assetId } = command;
  if (contractNamed(model, from)?.status === 'suspended') return { is: 'market', symbol: from };
  const found = heldIn(model, accountId, 'margin', assetId).find(
    ({ book, seat }) => book.terms.status === 'suspended' && seat.long.lots + seat.short.lots > 0,
  );
  return found && { is: 'market', symbol: found.book.terms.symbol };
}
