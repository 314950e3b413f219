/** Schemas of the public things that the contract endpoints answer with, field by field. */
import Type from 'typebox';
import { decimal, id, oneOf, text, timeMs } from '../schema.ts';

const closed = { additionalProperties: false };

const symbol = text('Contract name');
const forward = Type.Boolean({ description: 'True for a contract with margin in the quote coin' });

export const ServerTimeSchema = Type.Object(
  {
    epoch: decimal('Unix time in seconds, with three decimals'),
    iso: Type.String({ description: 'UTC time', pattern: 'Z$' }),
    timestamp: Type.Integer({ description: 'Unix time in milliseconds' }),
  },
  closed,
);

export const ContractSchema = Type.Object(
  {
    symbol,
    underlying_index: text('Coin whose price the contract follows'),
    quote_currency: text('What prices are in'),
    coin: text('Coin of margin, fees, profit and funding'),
    contract_val: decimal('One contract in underlying coin (forward) or in quote currency'),
    listing: Type.Null({ description: 'Always null' }),
    delivery: Type.Array(Type.String({ pattern: '^[0-9]{2}:[0-9]{2}:00$' }), {
      description: 'UTC times at which funding is settled',
    }),
    size_increment: decimal('Decimal places of a size'),
    tick_size: decimal('Decimal places of a price'),
    priceEndStep: decimal('Step of the last decimal place of an order price'),
    minLeverage: decimal('Lowest leverage'),
    maxLeverage: decimal('Highest leverage'),
    forwardContractFlag: forward,
  },
  closed,
);

export const ContractTickerSchema = Type.Object(
  {
    symbol,
    last: decimal('Last traded price; 0 for none'),
    best_ask: decimal('Best ask; 0 for none'),
    best_bid: decimal('Best bid; 0 for none'),
    high_24h: decimal('Highest price of 24 hours'),
    low_24h: decimal('Lowest price of 24 hours'),
    volume_24h: decimal('Contracts traded in 24 hours'),
    base_volume: decimal('The same in underlying coin'),
    priceChangePercent: decimal('Change over 24 hours in percent'),
    timestamp: timeMs('Server time'),
  },
  closed,
);

export const ContractTradeSchema = Type.Object(
  {
    symbol,
    trade_id: id('Trade id'),
    side: oneOf(['buy', 'sell'], 'What the taker did'),
    price: decimal('Price'),
    size: decimal('Contracts'),
    timestamp: timeMs('When it traded'),
  },
  closed,
);

export const ContractCandleSchema = Type.Tuple([
  timeMs('timestamp: when the candle opened'),
  decimal('open'),
  decimal('high'),
  decimal('low'),
  decimal('close'),
  decimal('volume: contracts'),
  decimal('currency_volume: the same in underlying coin'),
]);

const LevelsSchema = Type.Array(
  Type.Tuple([
    decimal('Price'),
    decimal('Contracts'),
    Type.Literal(1, { description: 'Obsolete' }),
  ]),
);

export const ContractDepthSchema = Type.Object(
  { asks: LevelsSchema, bids: LevelsSchema, timestamp: timeMs('Server time') },
  closed,
);

export const IndexSchema = Type.Object(
  { symbol, index: decimal('Index price'), timestamp: timeMs('Server time') },
  closed,
);

export const MarkPriceSchema = Type.Object(
  { symbol, mark_price: decimal('Mark price'), timestamp: timeMs('Server time') },
  closed,
);

export const OpenInterestSchema = Type.Object(
  {
    symbol,
    amount: decimal('Contracts held long, which are those held short'),
    base_volume: decimal('Their value in underlying coin'),
    target_volume: decimal('Their value in quote currency'),
    forwardContractFlag: forward,
    timestamp: timeMs('Server time'),
  },
  closed,
);

export const PriceLimitSchema = Type.Object(
  {
    symbol,
    highest: decimal('Highest price of a buy order'),
    lowest: decimal('Lowest price of a sell order'),
    forwardContractFlag: forward,
    timestamp: timeMs('Server time'),
  },
  closed,
);

export const FundingTimeSchema = Type.Object(
  { symbol, funding_time: timeMs('When funding is settled next'), forwardContractFlag: forward },
  closed,
);

export const FundingRateSchema = Type.Object(
  {
    symbol,
    funding_rate: decimal('Rate; above zero the long side paid'),
    funding_time: timeMs('When it was settled'),
  },
  closed,
);

export const OpenCountSchema = Type.Object(
  { openCount: decimal('Contracts that the amount can open') },
  closed,
);
