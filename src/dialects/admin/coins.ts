/** Coins: listed with the networks they come by, which may change. */
import { refuseSaying } from '#api';
import {
  type AssetSpec,
  type Chain,
  type FundBudget,
  isRefused,
  LIMITS,
  type Refused,
  USUAL_FUND_BUDGET,
} from '#domain';
import { parseDecimal } from '#kernel';
import { submit } from '../kit/carry-out.ts';
import { formatRate } from '../kit/contract-figures.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { shown } from '../kit/fields.ts';
import { type Field, optionalText, requiredText, type Values } from '../kit/request.ts';
import { decimal, row, rows, text, truth, whole } from '../kit/row.ts';
import { type AdminContext, BASE } from './context.ts';
import * as fields from './fields.ts';

const CHAINS_MAX = 50;
const URL_LENGTH_MAX = 255;

const CHAIN = row<Chain>()({
  chain: text('Network', 'SOL', ({ chain }) => chain),
  needTag: truth('Whether addresses need a tag', false, ({ needTag }) => needTag),
  withdrawable: truth('Whether it takes money out', true, ({ withdrawable }) => withdrawable),
  rechargeable: truth('Whether it brings money in', true, ({ rechargeable }) => rechargeable),
  withdrawFee: decimal('Of a withdrawal by request', '0', ({ withdrawFee }) => withdrawFee),
  depositConfirm: whole('Shown', 1, ({ depositConfirm }) => depositConfirm),
  withdrawConfirm: whole('Shown', 1, ({ withdrawConfirm }) => withdrawConfirm),
  minDepositAmount: decimal('By request', '0', ({ minDepositAmount }) => minDepositAmount),
  minWithdrawAmount: decimal('By request', '0', ({ minWithdrawAmount }) => minWithdrawAmount),
  browserUrl: text('Prefix of a block explorer page', '', ({ browserUrl }) => browserUrl),
});

export const COIN = row<AssetSpec>()({
  code: text('Coin', 'SOL', ({ code }) => code),
  coinId: whole('Number clients know it by', 4, ({ coinId }) => coinId),
  scale: whole('Decimal places of its smallest unit', 8, ({ scale }) => scale),
  transferable: truth('Between wallets', true, ({ transferable }) => transferable),
  insuranceBudgetHour: decimal(
    'Part of its fund that liquidations may cost in an hour',
    '0.05',
    (coin) => formatRate(coin.fundBudget.hourPpm),
  ),
  insuranceBudgetDay: decimal(
    'Part of its fund that liquidations may cost in a day',
    '0.1',
    (coin) => formatRate(coin.fundBudget.dayPpm),
  ),
  chains: rows(CHAIN, ({ chains }: AssetSpec) => chains),
});

const BUDGET_FIELDS = {
  insuranceBudgetHour: fields.optional(
    fields.RATE,
    'Part of its insurance fund that liquidations may cost in an hour; 0 for nothing',
  ),
  insuranceBudgetDay: fields.optional(
    fields.RATE,
    'Part of its insurance fund that liquidations may cost in a day; 0 for nothing',
  ),
};

/** A budget whose parts change one by one. */
function budgetOf(
  { insuranceBudgetHour: hour, insuranceBudgetDay: day }: Values<typeof BUDGET_FIELDS>,
  { hourPpm, dayPpm }: FundBudget,
): FundBudget {
  return { hourPpm: hour ?? hourPpm, dayPpm: day ?? dayPpm };
}

const CHAIN_FIELDS = {
  chain: requiredText('Network'),
  needTag: fields.flag('false if absent'),
  withdrawable: fields.flag('true if absent'),
  rechargeable: fields.flag('true if absent'),
  withdrawFee: fields.optional(fields.SHOWN_DECIMAL, 'Of a withdrawal by request'),
  depositConfirm: fields.optional(fields.WHOLE, 'Shown; 1 if absent'),
  withdrawConfirm: fields.optional(fields.WHOLE, 'Shown; 1 if absent'),
  minDepositAmount: fields.optional(fields.SHOWN_DECIMAL, 'Least deposit by request'),
  minWithdrawAmount: fields.optional(fields.SHOWN_DECIMAL, 'Least withdrawal by request'),
  browserUrl: optionalText('Prefix of a block explorer page'),
};

function chainOf(asked: Values<typeof CHAIN_FIELDS>): Chain {
  return {
    chain: asked.chain.slice(0, LIMITS.nameLengthMax),
    needTag: asked.needTag ?? false,
    withdrawable: asked.withdrawable ?? true,
    rechargeable: asked.rechargeable ?? true,
    withdrawFee: asked.withdrawFee ?? '0',
    depositConfirm: asked.depositConfirm ?? 1,
    withdrawConfirm: asked.withdrawConfirm ?? 1,
    minDepositAmount: asked.minDepositAmount ?? '0',
    minWithdrawAmount: asked.minWithdrawAmount ?? '0',
    browserUrl: asked.browserUrl.slice(0, URL_LENGTH_MAX),
  };
}

const CHAINS: Field<readonly Chain[] | undefined> = fields.rows(
  'Networks, as in the configuration file',
  CHAINS_MAX,
  CHAIN_FIELDS,
  chainOf,
);

const AMOUNTS = ['withdrawFee', 'minDepositAmount', 'minWithdrawAmount'] as const;

/** Requests are held to what is shown: nothing finer than the coin, and no name twice. */
function refuseChains(scale: number, chains: readonly Chain[]): Refused | undefined {
  const names = new Set<string>();
  for (const one of chains) {
    const name = one.chain.toLowerCase();
    if (names.has(name)) {
      return refuseSaying('parameter_invalid', `chains: ${shown(one.chain)} stands twice`);
    }
    names.add(name);
    const finer = AMOUNTS.find((field) => typeof parseDecimal(one[field], scale) !== 'bigint');
    if (finer !== undefined) {
      return refuseSaying('parameter_invalid', `chains: ${finer} is finer than the coin`);
    }
  }
  return undefined;
}

const TRANSFERABLE = fields.flag('Between wallets; true if absent');

export const COIN_ENDPOINTS = {
  listAsset: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/assets`,
    duty: 'run',
    summary: 'List a coin',
    request: {
      code: requiredText('Upper case, as in SOL'),
      coinId: fields.required(fields.WHOLE, 'Number clients know it by'),
      scale: fields.required(fields.SCALE, 'Decimal places of its smallest unit, up to 18'),
      transferable: TRANSFERABLE,
      ...BUDGET_FIELDS,
      chains: CHAINS,
    },
    response: COIN,
    example: { request: { code: 'SOL', coinId: 4, scale: 8 } },
    answer: async ({ venue }: AdminContext, { code, coinId, scale, ...asked }) => {
      const { transferable = true, chains = [] } = asked;
      const refused = refuseChains(scale, chains);
      if (refused !== undefined) return refused;
      const fundBudget = budgetOf(asked, USUAL_FUND_BUDGET);
      const spec = { code, coinId, scale, transferable, chains, fundBudget };
      const event = await submit(venue, 'asset_listed', { kind: 'list_asset', spec });
      return isRefused(event) ? event : COIN.write(event.asset);
    },
  }),
  changeAsset: operatorEndpoint({
    method: 'PATCH',
    path: `${BASE}/assets/:coin`,
    duty: 'run',
    summary:
      'Change all networks of a coin, its insurance budgets, or whether it moves between wallets',
    request: { transferable: fields.flag('Between wallets'), ...BUDGET_FIELDS, chains: CHAINS },
    response: COIN,
    example: { request: { transferable: true, chains: [{ chain: 'SOL', withdrawFee: '0.01' }] } },
    answer: async ({ venue, live }: AdminContext, asked, { path }) => {
      const { transferable, chains } = asked;
      const code = (path.coin ?? '').toUpperCase();
      const coin = live.listings.assetByCode(code);
      if (coin === undefined) return refuseSaying('coin_unknown', shown(code));
      const refused = refuseChains(coin.scale, chains ?? []);
      if (refused !== undefined) return refused;
      const changes = {
        ...(transferable === undefined ? {} : { transferable }),
        ...(chains === undefined ? {} : { chains }),
        fundBudget: budgetOf(asked, coin.fundBudget),
      };
      const { assetId } = coin;
      const event = await submit(venue, 'asset_updated', {
        kind: 'update_asset',
        assetId,
        changes,
      });
      return isRefused(event) ? event : COIN.write(event.asset);
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;
