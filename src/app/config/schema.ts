/**
 * The shape of a configuration file. Money, rates and prices are decimal text in quotes; what the
 * words mean together (scales, references) is checked in content.ts.
 */
import Type, { type Static } from 'typebox';
import { KEY_EXPIRES_DAYS_MAX } from '#dialects';
import {
  CONTRACT_KINDS,
  type ContractKind,
  LIMITS,
  MARKET_STATUSES,
  type MarketStatus,
  PERMISSIONS,
  type Permission,
  SELF_TRADE_PREVENTIONS,
  type SelfTradePrevention,
  WALLET_SCOPES,
  type WalletScope,
} from '#domain';
import { DEPOSITS_SCHEMA } from './deposits.ts';
import { FEE_LEVELS_SCHEMA } from './fee-levels.ts';
import { OPERATORS_SCHEMA } from './operators.ts';
import { PAYMENTS_SCHEMA } from './payments.ts';
import { PEOPLE_SCHEMA } from './people.ts';
import { SERVER_SCHEMA } from './server.ts';

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const TRADER_STYLES = ['noise', 'momentum', 'reversion'] as const;
export type TraderStyle = (typeof TRADER_STYLES)[number];

const PATH_KINDS = ['constant', 'random', 'recorded'] as const;
type PathKind = (typeof PATH_KINDS)[number];

/** A trader decides four times a second. */
const TRADER_ORDERS_PER_MINUTE_MAX = 240;
/** Levels per side of one ladder. */
const LADDER_LEVELS_MAX = 200;
/** Settlements of one day: every half hour. */
const FUNDING_TIMES_MAX = 48;
const INDEX_WEIGHT_MAX = 1_000_000;
const DAY_SECONDS = 86_400;
const LIST_MAX = 1_000;
/** Minutes of the past are kept in memory. */
const PAST_DAYS_MAX = 60;
/** A hundred years. */
const KEEP_DAYS_MAX = 36_525;
/** Live views and rounds of competitions look back a day. */
const HISTORY_DAYS_MIN = 2;

const strict = { additionalProperties: false } as const;
const decimalText = Type.String({ minLength: 1, maxLength: 64 });
const shownAmount = Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$', maxLength: 40 });
const coinCode = Type.String({ pattern: '^[A-Z0-9]{2,16}$' });
const scale = Type.Integer({ minimum: 0, maximum: LIMITS.assetScaleMax });
const name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  maxLength: LIMITS.nameLengthMax,
});

const chain = Type.Object(
  {
    chain: Type.String({ minLength: 1, maxLength: LIMITS.nameLengthMax }),
    needTag: Type.Optional(Type.Boolean()),
    withdrawable: Type.Optional(Type.Boolean()),
    rechargeable: Type.Optional(Type.Boolean()),
    withdrawFee: Type.Optional(shownAmount),
    depositConfirm: Type.Optional(Type.Integer({ minimum: 0 })),
    withdrawConfirm: Type.Optional(Type.Integer({ minimum: 0 })),
    minDepositAmount: Type.Optional(shownAmount),
    minWithdrawAmount: Type.Optional(shownAmount),
    browserUrl: Type.Optional(Type.String({ maxLength: 255 })),
  },
  strict,
);

const asset = Type.Object(
  {
    code: coinCode,
    coinId: Type.Integer({ minimum: 0 }),
    scale,
    transferable: Type.Optional(Type.Boolean()),
    insuranceBudgetHour: Type.Optional(decimalText),
    insuranceBudgetDay: Type.Optional(decimalText),
    chains: Type.Optional(Type.Array(chain, { maxItems: 50 })),
  },
  strict,
);

const spot = Type.Object(
  {
    symbol: Type.String({ minLength: 1, maxLength: LIMITS.nameLengthMax }),
    base: Type.String(),
    quote: Type.String(),
    priceScale: scale,
    quantityScale: scale,
    minQuantity: decimalText,
    maxQuantity: decimalText,
    minNotional: Type.Optional(decimalText),
    takerFee: decimalText,
    makerFee: decimalText,
    referencePrice: Type.Optional(decimalText),
    priceBand: Type.Optional(decimalText),
    status: Type.Optional(Type.Enum<MarketStatus[]>([...MARKET_STATUSES])),
  },
  strict,
);

const weight = Type.Optional(Type.Integer({ minimum: 1, maximum: INDEX_WEIGHT_MAX }));
const leverage = Type.Integer({ minimum: 1, maximum: LIMITS.leverageMax });

/** Names a pair of this venue or a feed: which one is checked with the names. */
const indexSource = Type.Object(
  { spot: Type.Optional(Type.String()), feed: Type.Optional(name), weight },
  strict,
);

const contract = Type.Object(
  {
    symbol: Type.String({ pattern: '^[A-Z0-9-]{2,32}-PERP$' }),
    kind: Type.Enum<ContractKind[]>([...CONTRACT_KINDS]),
    base: coinCode,
    quote: coinCode,
    contractValue: decimalText,
    priceScale: scale,
    priceStep: Type.Optional(decimalText),
    quantityScale: Type.Optional(scale),
    minQuantity: Type.Optional(decimalText),
    maxQuantity: Type.Optional(decimalText),
    takerFee: Type.Optional(decimalText),
    makerFee: Type.Optional(decimalText),
    minLeverage: Type.Optional(leverage),
    maxLeverage: Type.Optional(leverage),
    tiers: Type.Array(
      Type.Object(
        { contracts: decimalText, maintenanceRate: decimalText, maxLeverage: leverage },
        strict,
      ),
      { minItems: 1, maxItems: LIMITS.riskTiersMax },
    ),
    priceBand: Type.Optional(decimalText),
    markClamp: Type.Optional(decimalText),
    openOrdersMax: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.openOrdersMax })),
    planOrdersMax: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.triggerOrdersMax })),
    presetsMax: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.triggerOrdersMax })),
    fundingTimes: Type.Optional(
      Type.Array(Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }), {
        minItems: 1,
        maxItems: FUNDING_TIMES_MAX,
      }),
    ),
    fundingInterest: Type.Optional(decimalText),
    fundingClamp: Type.Optional(decimalText),
    fundingCap: Type.Optional(decimalText),
    impactQuantity: Type.Optional(decimalText),
    index: Type.Optional(
      Type.Object(
        {
          sources: Type.Optional(Type.Array(indexSource, { maxItems: LIMITS.indexSourcesMax })),
          staleSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: DAY_SECONDS })),
          outlier: Type.Optional(decimalText),
          impactNotional: Type.Optional(decimalText),
          maxMove: Type.Optional(decimalText),
        },
        strict,
      ),
    ),
    referencePrice: decimalText,
    status: Type.Optional(Type.Enum<MarketStatus[]>([...MARKET_STATUSES])),
  },
  strict,
);

const key = Type.Object(
  {
    key: Type.String({ pattern: '^[A-Za-z0-9_-]{4,64}$' }),
    secret: Type.Optional(Type.String()),
    publicKey: Type.Optional(Type.String()),
    passphrase: Type.String({ pattern: '^[\\x21-\\x7e]{8,128}$' }),
    expiresDays: Type.Optional(Type.Integer({ minimum: 1, maximum: KEY_EXPIRES_DAYS_MAX })),
    permissions: Type.Optional(
      Type.Array(Type.Enum<Permission[]>([...PERMISSIONS]), { uniqueItems: true }),
    ),
    strictReplay: Type.Optional(Type.Boolean()),
  },
  strict,
);

const account = Type.Object(
  {
    name,
    frozen: Type.Optional(Type.Boolean()),
    selfTradePrevention: Type.Optional(
      Type.Enum<SelfTradePrevention[]>([...SELF_TRADE_PREVENTIONS]),
    ),
    openOrdersMax: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.openOrdersMax })),
    takerFee: Type.Optional(decimalText),
    makerFee: Type.Optional(decimalText),
    wallets: Type.Optional(Type.Enum<WalletScope[]>([...WALLET_SCOPES])),
    keys: Type.Optional(Type.Array(key, { maxItems: LIMITS.keysPerAccountMax })),
    deposits: Type.Optional(DEPOSITS_SCHEMA),
  },
  strict,
);

/** What an account wants to hold, in base coin or contracts, and how far from it it may get. */
const inventoryBounds = { home: Type.Optional(decimalText), limit: decimalText };

const liquidity = Type.Object(
  {
    account: name,
    ladders: Type.Array(
      Type.Object(
        {
          symbol: Type.String(),
          levels: Type.Integer({ minimum: 1, maximum: LADDER_LEVELS_MAX }),
          spacing: decimalText,
          quantity: decimalText,
          variation: Type.Optional(decimalText),
          inventory: Type.Optional(Type.Object({ ...inventoryBounds, skew: decimalText }, strict)),
        },
        strict,
      ),
      { maxItems: LIST_MAX },
    ),
  },
  strict,
);

const seed = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));

const traderMarket = Type.Object(
  {
    symbol: Type.String(),
    quantity: decimalText,
    ...inventoryBounds,
    perMinute: Type.Integer({ minimum: 1, maximum: TRADER_ORDERS_PER_MINUTE_MAX }),
  },
  strict,
);

const participants = Type.Object(
  {
    seed,
    traders: Type.Array(
      Type.Object(
        {
          style: Type.Enum<TraderStyle[]>([...TRADER_STYLES]),
          account: name,
          markets: Type.Array(traderMarket, { maxItems: LIST_MAX }),
        },
        strict,
      ),
      { maxItems: LIST_MAX },
    ),
  },
  strict,
);

const coinPath = Type.Object(
  {
    coin: coinCode,
    kind: Type.Enum<PathKind[]>([...PATH_KINDS]),
    price: Type.Optional(decimalText),
    volatility: Type.Optional(decimalText),
    correlation: Type.Optional(decimalText),
    jumpsPerDay: Type.Optional(Type.Integer({ minimum: 0, maximum: DAY_SECONDS })),
    jump: Type.Optional(decimalText),
    file: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
    speed: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })),
  },
  strict,
);

const paths = Type.Object(
  {
    seed,
    feed: Type.Optional(name),
    pastDays: Type.Optional(Type.Integer({ minimum: 0, maximum: PAST_DAYS_MAX })),
    coins: Type.Array(coinPath, { maxItems: LIST_MAX }),
  },
  strict,
);

export const FILE_SCHEMA = Type.Object(
  {
    server: Type.Optional(SERVER_SCHEMA),
    people: Type.Optional(PEOPLE_SCHEMA),
    payments: Type.Optional(PAYMENTS_SCHEMA),
    operators: Type.Optional(OPERATORS_SCHEMA),
    feeLevels: Type.Optional(FEE_LEVELS_SCHEMA),
    dataDirectory: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
    history: Type.Optional(
      Type.Union([
        Type.String({ maxLength: 4_096 }),
        Type.Object(
          {
            url: Type.Optional(Type.String({ maxLength: 4_096 })),
            keepDays: Type.Optional(
              Type.Integer({ minimum: HISTORY_DAYS_MIN, maximum: KEEP_DAYS_MAX }),
            ),
          },
          strict,
        ),
      ]),
    ),
    logLevel: Type.Optional(Type.Enum<LogLevel[]>([...LOG_LEVELS])),
    rateLimits: Type.Optional(Type.Boolean()),
    compatibility: Type.Optional(
      Type.Object(
        {
          fillFees: Type.Optional(Type.Enum(['positive', 'negative'])),
          planLists: Type.Optional(Type.Enum(['array', 'page'])),
          openCount: Type.Optional(Type.Enum(['object', 'scalar'])),
        },
        strict,
      ),
    ),
    sandbox: Type.Optional(Type.Boolean()),
    snapshotIntervalCommands: Type.Optional(Type.Integer({ minimum: 1_000 })),
    scrub: Type.Optional(Type.Boolean()),
    tracing: Type.Optional(
      Type.Object(
        {
          url: Type.String({ pattern: '^https?://[^\\s@]+$', maxLength: 2_048 }),
          sampleRatio: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
        },
        strict,
      ),
    ),
    journal: Type.Optional(
      Type.Object({ keepDays: Type.Integer({ minimum: 1, maximum: KEEP_DAYS_MAX }) }, strict),
    ),
    assets: Type.Optional(Type.Array(asset, { maxItems: LIMITS.assetsMax })),
    spot: Type.Optional(Type.Array(spot, { maxItems: LIST_MAX })),
    contracts: Type.Optional(Type.Array(contract, { maxItems: LIST_MAX })),
    accounts: Type.Optional(Type.Array(account, { maxItems: LIST_MAX })),
    liquidity: Type.Optional(liquidity),
    participants: Type.Optional(participants),
    paths: Type.Optional(paths),
  },
  strict,
);

export type FileContent = Static<typeof FILE_SCHEMA>;
export type SpotContent = NonNullable<FileContent['spot']>[number];
export type ContractContent = NonNullable<FileContent['contracts']>[number];
export type AssetContent = NonNullable<FileContent['assets']>[number];
export type CoinPathContent = NonNullable<FileContent['paths']>['coins'][number];
export type AccountContent = NonNullable<FileContent['accounts']>[number];
