/**
 * Contract accounts, positions and their settings. Account values are trimmed; a position shows its
 * money with a fixed least number of decimals, as clients know it.
 */
import Type from 'typebox';
import type { DataJson, Services } from '#api';
import {
  type AccountId,
  type Amount,
  type Contract,
  type HoldSide,
  isRefused,
  type MarginAccountView,
  type MarginMode,
  type PositionView,
  type Refused,
  type StateReader,
} from '#domain';
import { present } from '#kernel';
import { submit } from '../kit/carry-out.ts';
import {
  formatAverage,
  formatPnl,
  formatPositionMargin,
  formatRate,
  formatRatio,
} from '../kit/contract-figures.ts';
import { readDecimal } from '../kit/decimals.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { formatId } from '../kit/ids.ts';
import { type Field, readByAnother, requiredChoice } from '../kit/request.ts';
import {
  type Column,
  decimal,
  encoded,
  id,
  jsonList,
  listOf,
  oneOf,
  orNull,
  type Row,
  row,
  timeMs,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { perSecond } from './spot-terms.ts';
import {
  BASE,
  CHANGING,
  CONTRACT,
  FORWARD,
  HOLD_SIDES,
  MARGIN_MODE_WORDS,
  money,
  NAME,
  type OfContract,
  ONLY_SYMBOL,
  price,
  READING,
  SYMBOL,
  size,
} from './swap-terms.ts';

/** An account's side of a contract. `createdTimeMs` is that of the account itself. */
interface ContractAccount extends OfContract {
  readonly account: MarginAccountView;
  readonly createdTimeMs: number;
}

/** A ratio that one of the two margin modes has. */
function ratio(
  description: string,
  example: string | null,
  of: (account: MarginAccountView) => bigint | null,
): Column<ContractAccount, string | null> {
  const digits = Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' });
  return orNull(digits, description, example, ({ account }) => formatRatio(of(account)));
}

function marginMode<V>(of: (value: V) => MarginMode) {
  const word = (value: V) => MARGIN_MODE_WORDS[of(value)];
  return oneOf(['crossed', 'fixed'], 'Margin mode', 'fixed', word);
}

export const CONTRACT_ACCOUNT = row<ContractAccount>()({
  symbol: NAME,
  equity: money(
    'Balance and unrealised profit and loss',
    '999.971994',
    ({ account }) => account.equity,
  ),
  fixed_balance: decimal('Obsolete, always 0', '0', () => '0'),
  total_avail_balance: money(
    'What can open positions or be moved out',
    '996.980994',
    ({ account }) => account.available,
  ),
  margin: money('Margin of the positions', '3.001', ({ account }) => account.margin),
  realized_pnl: money(
    'Realised profit and loss of the positions held',
    '0',
    ({ account }) => account.realizedPnl,
  ),
  unrealized_pnl: money(
    'Profit and loss at the mark price',
    '-0.01',
    ({ account }) => account.unrealizedPnl,
  ),
  longMarginRatio: ratio(
    'Margin and profit over value of the long side; null when crossed',
    '0.0997',
    ({ long }) => long.marginRatio,
  ),
  shortMarginRatio: ratio(
    'Margin and profit over value of the short side; null when crossed',
    '0',
    ({ short }) => short.marginRatio,
  ),
  marginRatio: ratio(
    'Equity over value of the larger side; null when fixed',
    null,
    (account) => account.marginRatio,
  ),
  margin_frozen: money(
    'Margin and fees set aside for open orders',
    '0',
    ({ account }) => account.marginFrozen,
  ),
  timestamp: timeMs('When the account was created', TIME_MS, ({ createdTimeMs }) => createdTimeMs),
  margin_mode: marginMode(({ account }) => account.marginMode),
  forwardContractFlag: FORWARD,
});

interface Settings extends OfContract {
  readonly longLeverage: number;
  readonly shortLeverage: number;
  readonly marginMode: MarginMode;
}

const SETTINGS = row<Settings>()({
  symbol: NAME,
  long_leverage: decimal('Leverage of the long side', '10', (settings) => settings.longLeverage),
  short_leverage: decimal('Leverage of the short side', '20', (settings) => settings.shortLeverage),
  margin_mode: marginMode((settings) => settings.marginMode),
  forwardContractFlag: FORWARD,
});

interface Holding extends OfContract {
  readonly position: PositionView;
  readonly createdTimeMs: number;
}

const HOLDING = row<Holding>()({
  symbol: NAME,
  liquidation_price: price(
    'Estimate; 0 when no price liquidates',
    '27161.2',
    ({ position }) => position.liquidationTicks,
  ),
  position: size('Contracts held', '1', ({ position }) => position.lots),
  avail_position: size(
    'Contracts that no close order is waiting to close',
    '1',
    ({ position }) => position.availableLots,
  ),
  avg_cost: decimal('Average entry price', '30010.00', ({ contract, position }) =>
    formatAverage(contract, position.averageEntry),
  ),
  leverage: decimal('Leverage', '10', ({ position }) => position.leverage),
  realized_pnl: decimal(
    'Realised profit and loss since the position was opened',
    '0.00000000',
    ({ contract, position }) => formatPnl(contract, position.realizedPnl),
  ),
  keepMarginRate: decimal('Maintenance margin rate', '0.005', ({ position }) =>
    formatRate(position.maintenanceRatePpm),
  ),
  side: oneOf(['long', 'short'], 'Direction; obsolete', 'long', ({ position }) => position.side),
  holdSide: oneOf(['1', '2'], '1 long, 2 short', '1', ({ position }) =>
    position.side === 'long' ? '1' : '2',
  ),
  timestamp: timeMs('When it last changed', TIME_MS, ({ position, createdTimeMs }) =>
    Math.max(position.updatedTimeMs, createdTimeMs),
  ),
  margin: decimal('Margin of the position', '3.001000000000', ({ contract, position }) =>
    formatPositionMargin(contract, position.margin),
  ),
  unrealized_pnl: decimal(
    'Profit and loss at the mark price',
    '-0.01000000',
    ({ contract, position }) => formatPnl(contract, position.unrealizedPnl),
  ),
  append_type: oneOf(['0', '1'], 'Automatic margin: 0 manual, 1 automatic', '0', ({ position }) =>
    position.autoAppend ? '1' : '0',
  ),
});

const NOT_HELD = {
  ...HOLDING.example,
  liquidation_price: '0.0',
  position: '0',
  avail_position: '0',
  avg_cost: '0.00',
  leverage: '20',
  side: 'short',
  holdSide: '2',
  margin: '0.000000000000',
  unrealized_pnl: '0.00000000',
};

/** Both sides of a contract, held or not: clients count on two rows. */
export const POSITION = row<ContractAccount>()({
  margin_mode: marginMode(({ account }) => account.marginMode),
  holding: encoded(
    {
      schema: Type.Tuple([HOLDING.schema, HOLDING.schema], {
        description: 'Always the long side, then the short side',
      }),
      example: [HOLDING.example, NOT_HELD],
    },
    ({ contract, account: { long, short }, createdTimeMs }) =>
      jsonList([long, short], (position) => HOLDING.write({ contract, position, createdTimeMs })),
  ),
});

const DONE = encoded({ schema: Type.Boolean(), example: true }, () => 'true');

const MARGIN_ADJUSTED = row<number>()({
  result: DONE,
  orderNo: id('Number of the adjustment', formatId(43), formatId),
});

const AUTO_MARGIN = row<boolean>()({
  result: DONE,
  append_type: encoded(
    { schema: Type.Integer({ description: '0 manual, 1 automatic' }), example: 0 },
    (automatic) => (automatic ? '1' : '0'),
  ),
});

const HOLD_MODELS: ReadonlyMap<string, MarginMode> = new Map([
  ['1', 'isolated'],
  ['2', 'cross'],
]);

const HOLD_MODEL = row<OfContract & { readonly mode: MarginMode }>()({
  symbol: NAME,
  resultHoldMode: encoded(
    {
      schema: Type.Integer({ description: '1 position by position, 2 full position' }),
      example: 1,
    },
    ({ mode }) => (mode === 'isolated' ? '1' : '2'),
  ),
  switchSuccess: DONE,
});

/** The side, under either of its names; undefined when none is given. */
const HOLD_SIDE: Field<HoldSide | undefined> = {
  schema: schema.optional('1 long, 2 short', schema.choices(...HOLD_SIDES.keys())),
  read: (fields, name) =>
    fields.choice(fields.text(name) === '' ? 'side' : name, HOLD_SIDES, undefined),
};

const ONE_SIDE: Field<HoldSide> = {
  schema: HOLD_SIDE.schema,
  read: (fields, name) => {
    const side = HOLD_SIDE.read(fields, name);
    if (side === undefined) fields.missing(name);
    return side ?? 'long';
  },
};

const OLDER_SIDE = readByAnother(
  schema.optional('Same as holdSide; deprecated, read when there is no holdSide'),
);

const LEVERAGE: Field<number> = {
  schema: schema.required('Whole number', schema.whole(1)),
  read: (fields, name) => {
    fields.requiredText(name);
    return fields.wholeNumber(name) ?? 1;
  },
};

/** Read with the contract, whose coin says how many decimals it may have. */
const MARGIN_AMOUNT: Field<string> = {
  schema: schema.required('Margin coin, above zero'),
  read: (fields, name) => fields.text(name),
};

function readAmount(given: string, { margin }: Contract): Amount | Refused {
  return readDecimal(given, { scale: margin.scale, reject: 'margin_amount_invalid' });
}

const POSITION_TYPES: ReadonlyMap<string, HoldSide> = new Map([
  ['0', 'long'],
  ['1', 'short'],
]);
const SIGNS: ReadonlyMap<string, 1n | -1n> = new Map([
  ['1', 1n],
  ['2', -1n],
]);
const APPEND_TYPES: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['1', true],
]);

type Write = (account: ContractAccount) => DataJson;

function written(
  state: StateReader,
  accountId: AccountId,
  contract: Contract,
  write: Write,
): DataJson {
  const { createdTimeMs } = present(state.account(accountId), 'account of a key');
  const account = state.marginAccount(accountId, contract.instrumentId);
  return write({ contract, account: present(account, 'contract account'), createdTimeMs });
}

/** An endpoint that shows all contracts as of one moment, in the order of their listing. */
function ofEvery(path: string, calls: number, summary: string, response: Row<ContractAccount>) {
  return signedEndpoint({
    ...READING,
    path: `${BASE}/${path}`,
    rate: perSecond(calls),
    summary,
    request: {},
    response: listOf(response),
    answer: ({ venue }: Services, _values, { accountId }) =>
      venue.read((state) => {
        const contracts = [...state.listings.contracts.values()];
        return jsonList(contracts, (contract) =>
          written(state, accountId, contract, response.write),
        );
      }, accountId),
  });
}

/** An endpoint that shows one contract. */
function ofOne(
  path: string,
  calls: number,
  summary: string,
  response: Pick<Row<never>, 'schema' | 'example'>,
  write: Write,
) {
  return signedEndpoint({
    ...READING,
    path: `${BASE}/${path}`,
    rate: perSecond(calls),
    summary,
    request: { symbol: CONTRACT },
    response,
    example: { request: ONLY_SYMBOL },
    answer: ({ venue }: Services, { symbol }, { accountId }) =>
      venue.read((state) => written(state, accountId, symbol, write), accountId),
  });
}

function settingsOf({ contract, account: { marginMode, long, short } }: ContractAccount): DataJson {
  const { leverage: longLeverage } = long;
  const { leverage: shortLeverage } = short;
  return SETTINGS.write({ contract, marginMode, longLeverage, shortLeverage });
}

export const SWAP_ACCOUNT = {
  accounts: ofEvery('account/accounts', 1, 'Accounts of every contract', CONTRACT_ACCOUNT),
  account: ofOne(
    'account/account',
    5,
    'Account of one contract',
    CONTRACT_ACCOUNT,
    CONTRACT_ACCOUNT.write,
  ),
  settings: ofOne(
    'account/settings',
    5,
    'Leverage and margin mode of one contract',
    SETTINGS,
    settingsOf,
  ),
  leverage: signedEndpoint({
    ...CHANGING,
    path: `${BASE}/account/leverage`,
    rate: perSecond(5),
    summary: 'Set the leverage of one side, or of both when none is given or the mode is crossed',
    request: { symbol: CONTRACT, leverage: LEVERAGE, holdSide: HOLD_SIDE, side: OLDER_SIDE },
    response: SETTINGS,
    example: { request: { symbol: SYMBOL, leverage: 10, holdSide: 1 } },
    answer: async ({ venue }: Services, asked, { accountId }) => {
      const { symbol: contract, leverage, holdSide: side = 'both' } = asked;
      const { instrumentId } = contract;
      const command = { kind: 'set_leverage', accountId, instrumentId, side, leverage } as const;
      const settings = await submit(venue, 'contract_settings_changed', command);
      return isRefused(settings) ? settings : SETTINGS.write({ contract, ...settings });
    },
  }),
  adjustMargin: signedEndpoint({
    ...CHANGING,
    path: `${BASE}/account/adjustMargin`,
    rate: { limit: 20, windowMs: 2_000 },
    summary: 'Add margin to a fixed position or take it out',
    request: {
      symbol: CONTRACT,
      amount: MARGIN_AMOUNT,
      positionType: requiredChoice('0 long, 1 short', POSITION_TYPES, 'long'),
      type: requiredChoice('1 increase, 2 reduce', SIGNS, 1n),
    },
    response: MARGIN_ADJUSTED,
    example: { request: { symbol: SYMBOL, amount: '10', positionType: 0, type: 1 } },
    answer: async ({ venue }: Services, asked, { accountId }) => {
      const { symbol: contract, positionType: side, type: sign } = asked;
      const amount = readAmount(asked.amount, contract);
      if (isRefused(amount)) return amount;
      const { instrumentId } = contract;
      const command = {
        kind: 'adjust_margin',
        accountId,
        instrumentId,
        side,
        delta: sign * amount,
      } as const;
      const adjusted = await submit(venue, 'margin_adjusted', command);
      return isRefused(adjusted) ? adjusted : MARGIN_ADJUSTED.write(adjusted.adjustmentId);
    },
  }),
  autoMargin: signedEndpoint({
    ...CHANGING,
    path: `${BASE}/account/modifyAutoAppendMargin`,
    rate: perSecond(5),
    summary: 'Whether margin is added by itself before a fixed position is liquidated',
    request: {
      symbol: CONTRACT,
      holdSide: ONE_SIDE,
      side: OLDER_SIDE,
      append_type: requiredChoice('0 manual, 1 automatic', APPEND_TYPES, false),
    },
    response: AUTO_MARGIN,
    example: { request: { symbol: SYMBOL, holdSide: 1, append_type: 0 } },
    answer: async ({ venue }: Services, asked, { accountId }) => {
      const { symbol, holdSide: side, append_type: automatic } = asked;
      const { instrumentId } = symbol;
      const command = {
        kind: 'set_auto_margin',
        instrumentId,
        accountId,
        side,
        automatic,
      } as const;
      const settings = await submit(venue, 'contract_settings_changed', command);
      return isRefused(settings) ? settings : AUTO_MARGIN.write(automatic);
    },
  }),
  positions: ofEvery('position/allPosition', 5, 'Both sides of every contract', POSITION),
  position: ofOne(
    'position/singlePosition',
    10,
    'Both sides of one contract',
    POSITION,
    POSITION.write,
  ),
  holdModel: signedEndpoint({
    ...CHANGING,
    path: `${BASE}/position/changeHoldModel`,
    rate: perSecond(20),
    summary: 'Switch between fixed and crossed margin',
    request: {
      symbol: CONTRACT,
      holdModel: requiredChoice(
        '1 position by position (fixed), 2 full position (crossed)',
        HOLD_MODELS,
        'isolated',
      ),
    },
    response: HOLD_MODEL,
    example: { request: { symbol: SYMBOL, holdModel: 1 } },
    answer: async ({ venue }: Services, { symbol: contract, holdModel: mode }, { accountId }) => {
      const { instrumentId } = contract;
      const order = { accountId, instrumentId, mode, leverages: 'stored' } as const;
      const command = { kind: 'set_margin_mode', ...order } as const;
      const settings = await submit(venue, 'contract_settings_changed', command);
      return isRefused(settings)
        ? settings
        : HOLD_MODEL.write({ contract, mode: settings.marginMode });
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
