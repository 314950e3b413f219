/**
 * One match turned into money. The maker's price holds for both sides, fees come out of the coin
 * received, rounded up once for all fills of an order, and a resting order pays from what it holds.
 */
import {
  type Amount,
  baseAmount,
  type Lots,
  notional,
  type OrderFilled,
  type Side,
  type SpotInstrument,
  spotPieceFee,
  type Ticks,
  type Trade,
  tradeId,
} from '#domain';
import type { Account } from '../ledger/account.ts';
import type { State } from '../state.ts';
import type { SpotOrder } from './order.ts';

/** A trade takes five numbers: its own and those of its four bills. */
const IDS_PER_TRADE = 5;

/** Settles a match of the incoming order with a resting one and returns its event. */
export function settleTrade(state: State, taker: SpotOrder, maker: SpotOrder, size: Lots): Trade {
  const { instrument } = taker.market;
  const quote = notional(instrument, maker.priceTicks, size);
  taker.addFill(size, quote, state.timeMs);
  maker.addFill(size, quote, state.timeMs);
  return taker.side === 'buy'
    ? exchange(state, taker, maker, taker, maker, size, quote)
    : exchange(state, taker, maker, maker, taker, size, quote);
}

/** What a limit order of this size keeps reserved: quote for a buy, base for a sell. */
export function reservation(
  instrument: SpotInstrument,
  order: Pick<SpotOrder, 'side' | 'priceTicks'>,
  size: Lots,
): Amount {
  return order.side === 'buy'
    ? notional(instrument, order.priceTicks, size)
    : baseAmount(instrument, size);
}

/** What a limit order keeps reserved at another price and size, less what it does now. */
export function moreReserved(
  instrument: SpotInstrument,
  side: Side,
  fromTicks: Ticks,
  fromLots: Lots,
  toTicks: Ticks,
  toLots: Lots,
): Amount {
  if (side === 'sell') {
    return fromLots === toLots ? 0n : baseAmount(instrument, toLots - fromLots);
  }
  return notional(instrument, toTicks, toLots) - notional(instrument, fromTicks, fromLots);
}

function exchange(
  state: State,
  taker: SpotOrder,
  maker: SpotOrder,
  buyer: SpotOrder,
  seller: SpotOrder,
  size: Lots,
  quote: Amount,
): Trade {
  const { instrument } = taker.market;
  const base = baseAmount(instrument, size);
  const buyerFee = charge(buyer, base, feePpm(state.ownerOf(buyer), instrument, buyer === taker));
  const sellerFee = charge(
    seller,
    quote,
    feePpm(state.ownerOf(seller), instrument, seller === taker),
  );
  const { baseBalances, quoteBalances } = taker.market;
  const buyerBaseBefore = baseBalances.balance(buyer.accountId);
  const buyerQuoteBefore = quoteBalances.balance(buyer.accountId);
  // An account that trades with itself books its own sale after its purchase.
  const alone = buyer.accountId === seller.accountId;
  const sellerBaseBefore = alone
    ? buyerBaseBefore + base - buyerFee
    : baseBalances.balance(seller.accountId);
  const sellerQuoteBefore = alone
    ? buyerQuoteBefore - quote
    : quoteBalances.balance(seller.accountId);
  const { ledger, timeMs } = state;
  const sellerHolds = seller === maker;
  const { accountId: buyerId } = buyer;
  const { accountId: sellerId } = seller;
  ledger.pay(baseBalances, sellerId, sellerHolds, buyerId, base, buyerFee, timeMs);
  ledger.pay(quoteBalances, buyerId, !sellerHolds, sellerId, quote, sellerFee, timeMs);
  return {
    kind: 'trade',
    tradeId: tradeId(state.takeIds(IDS_PER_TRADE)),
    instrumentId: instrument.instrumentId,
    priceTicks: maker.priceTicks,
    sizeLots: size,
    quoteAmount: quote,
    takerSide: taker.side,
    takerOrderId: taker.orderId,
    makerOrderId: maker.orderId,
    takerAccountId: taker.accountId,
    makerAccountId: maker.accountId,
    takerIsMarket: taker.type === 'market',
    takerFilled: filledOf(taker),
    makerFilled: filledOf(maker),
    buyerFee,
    sellerFee,
    buyerBaseBefore,
    buyerQuoteBefore,
    sellerBaseBefore,
    sellerQuoteBefore,
  };
}

/** The fee of a fill: those of all fills of an order are rounded up once. */
function charge(order: SpotOrder, received: Amount, ratePpm: number): Amount {
  const { fee, feeAhead } = spotPieceFee(received, ratePpm, order.feeAhead);
  order.setFeeAhead(feeAhead);
  return fee;
}

function filledOf({ filledLots, filledQuote }: SpotOrder): OrderFilled {
  return { filledLots, filledQuote };
}

function feePpm(account: Account, instrument: SpotInstrument, isTaker: boolean): number {
  if (isTaker) return account.terms.takerFeePpm ?? instrument.takerFeePpm;
  return account.terms.makerFeePpm ?? instrument.makerFeePpm;
}
