/** Fee levels by volume: what they are, and which one an account has. */
import { type AccountId, accountId, isRefused, type Refused, refuse } from '#domain';
import { formatTrimmed } from '#kernel';
import {
  type AccountLevel,
  COUNTED_DAYS,
  type FeeLevel,
  type FeeLevelSettings,
  listFeeLevels,
  seeFeeLevel,
} from '#people';
import { ACCOUNT_PATH, BASE, onAccount } from '../admin/context.ts';
import { formatRate } from '../kit/contract-figures.ts';
import {
  type OperatorEndpoint,
  operatorEndpoint,
  type PersonEndpoint,
  personEndpoint,
} from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { pageLimit, wholeNumber } from '../kit/request.ts';
import { decimal, jsonList, listOf, nullOr, row, rows, text, timeMs, whole } from '../kit/row.ts';
import { accountIn, BASE as OWN_BASE, type PeopleDialectContext } from './context.ts';
import { READS } from './rates.ts';

const PAGE_MAX = 500;

interface Scaled<T> {
  readonly of: T;
  readonly settings: FeeLevelSettings;
}

const LEVEL = row<Scaled<FeeLevel>>()({
  volume: decimal('From this volume in 30 days on', '100000', ({ of, settings }) =>
    formatTrimmed(of.volume, settings.scale),
  ),
  takerFee: decimal('Taker fee, as a fraction', '0.0008', ({ of }) => formatRate(of.takerFeePpm)),
  makerFee: decimal('Maker fee, as a fraction', '0.0006', ({ of }) => formatRate(of.makerFeePpm)),
});

const SETTINGS = row<FeeLevelSettings>()({
  coin: text('Volumes are of markets quoted in it', 'USDT', (one: FeeLevelSettings) => one.coin),
  days: whole('Days (UTC) that count, those that are over', COUNTED_DAYS, () => COUNTED_DAYS),
  levels: rows(LEVEL, (settings: FeeLevelSettings) =>
    settings.levels.map((of) => ({ of, settings })),
  ),
});

interface SeenLevel {
  readonly accountId: AccountId;
  /** Undefined before it was counted for the first time. */
  readonly level: AccountLevel | undefined;
  readonly settings: FeeLevelSettings;
}

/** Null where the operator has set the rates by hand, or those of the markets hold. */
const FEE_LEVEL = row<SeenLevel>()({
  accountId: text('Account id', '1', (seen) => String(seen.accountId)),
  level: whole('0 below the first threshold', 1, ({ level }) => level?.level ?? 0),
  volume: decimal('Volume in 30 days', '125000.5', ({ level, settings }) =>
    formatTrimmed(level?.volume ?? 0n, settings.scale),
  ),
  coin: text('Coin of the volume', 'USDT', ({ settings }) => settings.coin),
  next: nullOr(
    'Threshold of the next level; null at the highest',
    decimal('Volume', '500000', (seen: SeenLevel) => nextOf(seen) ?? '0'),
    (seen) => nextOf(seen) === undefined,
  ),
  countedTime: nullOr(
    'When the days that count ended; null before the first count',
    timeMs('Time', TIME_MS, ({ level }: SeenLevel) => level?.countedMs ?? 0),
    ({ level }) => level === undefined,
  ),
});

function nextOf({ level, settings }: SeenLevel): string | undefined {
  const next = settings.levels[level?.level ?? 0];
  return next && formatTrimmed(next.volume, settings.scale);
}

/** Where nothing is configured there are no levels. */
const NO_LEVELS: FeeLevelSettings = { coin: '', scale: 0, levels: [] };

async function seen(
  { people, feeLevels = NO_LEVELS }: PeopleDialectContext,
  id: AccountId,
): Promise<string> {
  const level = await seeFeeLevel(people, id);
  return FEE_LEVEL.write({ accountId: id, level, settings: feeLevels });
}

export const FEE_LEVEL_OPERATOR_ENDPOINTS = {
  feeLevels: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/fee-levels`,
    summary: 'Fee levels by volume, as in the configuration',
    request: {},
    response: SETTINGS,
    answer: ({ feeLevels = NO_LEVELS }: PeopleDialectContext) => SETTINGS.write(feeLevels),
  }),
  accountFeeLevels: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/fee-levels/accounts`,
    summary: 'Volumes and levels of accounts that have traded, page by page',
    request: {
      after: wholeNumber('Account id: accounts behind it'),
      limit: pageLimit('Rows wanted (100, up to 500)', 100, PAGE_MAX),
    },
    response: listOf(FEE_LEVEL),
    answer: async (
      { people, feeLevels: settings = NO_LEVELS }: PeopleDialectContext,
      { after, limit },
    ) => {
      const behind = after === undefined || after === 0 ? undefined : accountId(after);
      const found = await listFeeLevels(people, behind, limit);
      return jsonList(found, (level) =>
        FEE_LEVEL.write({ accountId: level.accountId, level, settings }),
      );
    },
  }),
  accountFeeLevel: operatorEndpoint({
    method: 'GET',
    path: `${ACCOUNT_PATH}/fee-level`,
    summary: 'Volume and fee level of an account',
    request: {},
    response: FEE_LEVEL,
    answer: async (context: PeopleDialectContext, _asked, { path }): Promise<string | Refused> => {
      const account = await context.venue.read((state) =>
        onAccount(state, path.account, (one) => one),
      );
      return isRefused(account) ? account : seen(context, account.accountId);
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<PeopleDialectContext>>;

export const FEE_LEVEL_ENDPOINTS = {
  feeLevel: personEndpoint({
    method: 'GET',
    path: `${OWN_BASE}/accounts/:account/fee-level`,
    rate: READS,
    summary: 'Volume and fee level of an account',
    request: {},
    response: FEE_LEVEL,
    answer: async (context: PeopleDialectContext, _asked, call): Promise<string | Refused> => {
      const id = accountIn(call);
      if (isRefused(id)) return id;
      const isOwn = call.session.rightsOf(id)?.includes('read') === true;
      return isOwn ? seen(context, id) : refuse('account_unknown');
    },
  }),
} as const satisfies Record<string, PersonEndpoint<PeopleDialectContext>>;
