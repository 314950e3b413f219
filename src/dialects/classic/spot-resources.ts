/** Schemas of the things that the spot endpoints answer with, field by field. */

import Type from 'typebox';
import { CANCEL_REASONS, MARKET_STATUSES } from '#domain';
import { decimal, flag, id, oneOf, text, timeMs } from '../schema.ts';

const closed = { additionalProperties: false };

const ChainSchema = Type.Object(
  {
    chain: Type.Union([Type.String(), Type.Null()], { description: 'Chain name' }),
    needTag: flag('Whether a tag is needed'),
    withdrawAble: flag('Whether the coin can be withdrawn over this chain'),
    rechargeAble: flag('Whether the coin can be deposited over this chain'),
    withdrawable: flag('Same as withdrawAble, as some clients spell it'),
    rechargeable: flag('Same as rechargeAble, as some clients spell it'),
    withdrawFee: decimal('Withdrawal fee in coins'),
    depositConfirm: decimal('Blocks that confirm a deposit'),
    withdrawConfirm: decimal('Blocks that confirm a withdrawal'),
    minDepositAmount: decimal('Smallest deposit in coins'),
    minWithdrawAmount: decimal('Smallest withdrawal in coins'),
    browserUrl: text('Address prefix of a block explorer'),
  },
  closed,
);

export const CoinSchema = Type.Object(
  {
    coinId: decimal('Number of the coin'),
    coinName: text('Code of the coin'),
    transfer: flag('Whether the coin moves between wallets'),
    chains: Type.Array(ChainSchema),
  },
  closed,
);

export const ProductSchema = Type.Object(
  {
    symbol: text('Pair identifier, used to trade'),
    symbolName: text('Pair name'),
    baseCoin: text('Coin that is bought and sold'),
    quoteCoin: text('Coin that prices are in'),
    minTradeAmount: decimal('Smallest quantity, in base coin'),
    maxTradeAmount: decimal('Largest quantity, in base coin'),
    minTradeUSDT: decimal('Smallest order value in USDT; 0 for none or another quote coin'),
    takerFeeRate: decimal('Fee rate of the order that takes, 0.001 is 0.1 %'),
    makerFeeRate: decimal('Fee rate of the order that rests'),
    buyLimitPriceRatio: Type.Optional(
      decimal('Buys are taken up to so far above the last price; absent for any price'),
    ),
    sellLimitPriceRatio: Type.Optional(
      decimal('Sells are taken down to so far below the last price; absent for any price'),
    ),
    priceScale: decimal('Decimal places of a price'),
    quantityScale: decimal('Decimal places of a quantity'),
    status: oneOf(MARKET_STATUSES, 'online trades; halt and offline take cancels only'),
  },
  closed,
);

export const TickerSchema = Type.Object(
  {
    symbol: text('Pair name'),
    high24h: decimal('Highest price of 24 hours'),
    low24h: decimal('Lowest price of 24 hours'),
    close: decimal('Latest price'),
    quoteVol: decimal('Volume of 24 hours in quote coin'),
    baseVol: decimal('Volume of 24 hours in base coin'),
    usdtVol: decimal('Volume of 24 hours in USDT; 0 when there is no price to convert with'),
    ts: timeMs('Server time'),
    buyOne: decimal('Best bid; 0 for none'),
    sellOne: decimal('Best ask; 0 for none'),
    bidSz: decimal('Quantity at the best bid'),
    askSz: decimal('Quantity at the best ask'),
    openUtc0: decimal('Price at 00:00 UTC'),
    changeUtc: decimal('Change since 00:00 UTC, 0.01 is 1 %'),
    change: decimal('Change over 24 hours, 0.01 is 1 %'),
  },
  closed,
);

export const PublicTradeSchema = Type.Object(
  {
    symbol: text('Pair identifier'),
    tradeId: id('Trade id'),
    side: oneOf(['buy', 'sell'], 'What the taker did'),
    fillPrice: decimal('Price'),
    fillQuantity: decimal('Quantity in base coin'),
    fillTime: timeMs('When it traded'),
  },
  closed,
);

export const CandleSchema = Type.Object(
  {
    ts: timeMs('When the candle opened'),
    open: decimal('First price'),
    high: decimal('Highest price'),
    low: decimal('Lowest price'),
    close: decimal('Last price'),
    baseVol: decimal('Volume in base coin'),
    quoteVol: decimal('Volume in quote coin'),
    usdtVol: decimal('Volume in USDT; of another quote coin at its price at the end of the candle'),
  },
  closed,
);

const LevelsSchema = Type.Array(Type.Tuple([decimal('Price'), decimal('Quantity')]));

export const DepthSchema = Type.Object(
  { asks: LevelsSchema, bids: LevelsSchema, timestamp: timeMs('Server time') },
  closed,
);

export const OrderSchema = Type.Object(
  {
    accountId: decimal('Account id'),
    symbol: text('Pair identifier'),
    orderId: id('Order id'),
    clientOrderId: text('Id chosen by the client; the order id when it chose none'),
    price: decimal('Limit price; 0 for a market order'),
    quantity: decimal('Base coin; for a market buy the quote coin to spend'),
    orderType: oneOf(['limit', 'market'], 'Order type'),
    side: oneOf(['buy', 'sell'], 'Order direction'),
    status: oneOf(['new', 'partial_fill', 'full_fill', 'cancelled'], 'Order status'),
    fillPrice: decimal('Average price of what has filled; 0 for nothing'),
    fillQuantity: decimal('Filled quantity in base coin'),
    fillTotalAmount: decimal('Filled value in quote coin'),
    cTime: timeMs('When the order was placed'),
    cancelReason: oneOf(['', ...CANCEL_REASONS], 'Why it was cancelled; empty otherwise'),
  },
  closed,
);

export const FillSchema = Type.Object(
  {
    accountId: decimal('Account id'),
    symbol: text('Pair identifier'),
    orderId: id('Order id'),
    fillId: id('Fill id'),
    orderType: oneOf(['limit', 'market'], 'Order type'),
    side: oneOf(['buy', 'sell'], 'Order direction'),
    fillPrice: decimal('Price'),
    fillQuantity: decimal('Quantity in base coin'),
    fillTotalAmount: decimal('Value in quote coin'),
    cTime: timeMs('When it traded'),
    feeCcy: text('Coin of the fee: the coin received'),
    fees: decimal('Fee paid, positive'),
  },
  closed,
);

export const OrderIdsSchema = Type.Object(
  { orderId: id('Order id'), clientOrderId: text('Id chosen by the client, or the order id') },
  closed,
);

export const BatchResultSchema = Type.Object(
  {
    resultList: Type.Array(OrderIdsSchema, { description: 'Accepted orders, in request order' }),
    failure: Type.Array(
      Type.Object(
        {
          orderId: Type.Literal(''),
          clientOrderId: text('As the client sent it'),
          errorCode: decimal('Error code as for a single order'),
          errorMsg: text('Error text'),
        },
        closed,
      ),
      { description: 'Refused orders, in request order' },
    ),
  },
  closed,
);
