/** Schemas of contract accounts, settings and positions, field by field. */
import Type, { type TSchema } from 'typebox';
import { decimal, id, oneOf, text, timeMs } from '../schema.ts';

const closed = { additionalProperties: false };

const symbol = text('Contract name');
const forward = Type.Boolean({ description: 'True for a contract with margin in the quote coin' });
const marginMode = oneOf(['crossed', 'fixed'], 'Margin mode');

/** A ratio that one of the two margin modes has. */
function ratioOf(description: string): TSchema {
  return Type.Union([Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' }), Type.Null()], {
    description,
  });
}

export const ContractAccountSchema = Type.Object(
  {
    symbol,
    equity: decimal('Balance and unrealised profit and loss'),
    fixed_balance: decimal('Obsolete, always 0'),
    total_avail_balance: decimal('What can open positions or be moved out'),
    margin: decimal('Margin of the positions'),
    realized_pnl: decimal('Realised profit and loss of the positions held'),
    unrealized_pnl: decimal('Profit and loss at the mark price'),
    longMarginRatio: ratioOf('Margin and profit over value of the long side; null when crossed'),
    shortMarginRatio: ratioOf('Margin and profit over value of the short side; null when crossed'),
    marginRatio: ratioOf('Equity over value of the larger side; null when fixed'),
    margin_frozen: decimal('Margin and fees set aside for open orders'),
    timestamp: timeMs('When the account was created'),
    margin_mode: marginMode,
    forwardContractFlag: forward,
  },
  closed,
);

export const SettingsSchema = Type.Object(
  {
    symbol,
    long_leverage: decimal('Leverage of the long side'),
    short_leverage: decimal('Leverage of the short side'),
    margin_mode: marginMode,
    forwardContractFlag: forward,
  },
  closed,
);

const HoldingSchema = Type.Object(
  {
    symbol,
    liquidation_price: decimal('Estimate; 0 when no price liquidates'),
    position: decimal('Contracts held'),
    avail_position: decimal('Contracts that no close order is waiting to close'),
    avg_cost: decimal('Average entry price'),
    leverage: decimal('Leverage'),
    realized_pnl: decimal('Realised profit and loss since the position was opened'),
    keepMarginRate: decimal('Maintenance margin rate'),
    side: oneOf(['long', 'short'], 'Direction; obsolete'),
    holdSide: oneOf(['1', '2'], '1 long, 2 short'),
    timestamp: timeMs('When it last changed'),
    margin: decimal('Margin of the position'),
    unrealized_pnl: decimal('Profit and loss at the mark price'),
    append_type: oneOf(['0', '1'], 'Automatic margin: 0 manual, 1 automatic'),
  },
  closed,
);

export const PositionSchema = Type.Object(
  {
    margin_mode: marginMode,
    holding: Type.Tuple([HoldingSchema, HoldingSchema], {
      description: 'Always the long side, then the short side',
    }),
  },
  closed,
);

export const MarginAdjustedSchema = Type.Object(
  { result: Type.Boolean(), orderNo: id('Number of the adjustment') },
  closed,
);

export const AutoMarginSchema = Type.Object(
  { result: Type.Boolean(), append_type: Type.Integer({ description: '0 manual, 1 automatic' }) },
  closed,
);

export const HoldModelSchema = Type.Object(
  {
    symbol,
    resultHoldMode: Type.Integer({ description: '1 position by position, 2 full position' }),
    switchSuccess: Type.Boolean(),
  },
  closed,
);
