/**
 * The English of what a refusal is about, and of why a market is suspended: the one place that
 * words them. A dialect gives the spelling of its symbols; it may also word a detail its own way.
 */
import type {
  Detail,
  EngineFailure,
  Figure,
  FigureRole,
  Obstacle,
  RangeField,
  TermField,
} from '#domain';
import { formatTrimmed } from '#kernel';

/** How a dialect writes the symbol of a pair or contract. */
export type Spelling = (symbol: string) => string;

/** What a refusal is about; empty for nothing. */
export function detailText(detail: Detail, spelled: Spelling = (symbol) => symbol): string {
  switch (detail.is) {
    case 'nothing':
      return '';
    case 'figure':
      return ROLES[detail.role](figureText(detail.figure));
    case 'needs':
      return `needs ${figureText(detail.needed)}, has ${numberText(detail.has)}`;
    case 'range':
      return rangeText(detail);
    case 'tier':
      return `${numberText(detail.size)} contracts allow a leverage of ${detail.leverageMax}`;
    case 'field':
      return FIELDS[detail.field];
    case 'obstacle':
      return OBSTACLES[detail.obstacle];
    case 'market':
      return spelled(detail.symbol);
    case 'wallet_coin':
      return `${spelled(detail.wallet)} takes ${detail.code}`;
    case 'coin':
      return detail.code;
    case 'id':
      return detail.id;
    case 'missing':
      return `${detail.parameter} is required`;
    case 'text':
      return detail.text;
  }
}

/** Why a market is suspended. */
export function failureText({ command, failuresCount, message }: EngineFailure): string {
  return `${command} has failed, ${failuresCount} failures here in all: ${message}`;
}

function numberText({ value, scale }: Figure): string {
  return formatTrimmed(value, scale);
}

function figureText(figure: Figure): string {
  const number = numberText(figure);
  return figure.of === 'coin' ? `${number} ${figure.code}` : number;
}

function rangeText({ field, min, max, scale }: Extract<Detail, { is: 'range' }>): string {
  return RANGES[field](formatTrimmed(min, scale), formatTrimmed(max, scale));
}

export const ROLES: Readonly<Record<FigureRole, (figure: string) => string>> = {
  at_most: (figure) => `at most ${figure}`,
  at_least: (figure) => `at least ${figure}`,
  at_most_of_account: (figure) => `at most ${figure} for this account`,
  at_most_of_position: (figure) => `the position allows at most ${figure}`,
  at_least_at_best_price: (figure) => `at least ${figure} at this price`,
  at: (figure) => `at ${figure}`,
  against: (figure) => figure,
  price_step: (figure) => `prices go in steps of ${figure}`,
  closable: (figure) => `${figure} can be closed`,
  checkpoints_kept: (figure) => `a venue keeps ${figure}`,
  checkpoint_rows: (figure) => `more than ${figure} rows of state`,
  fault_rules_kept: (figure) => `a venue keeps ${figure} rules`,
};

export const RANGES: Readonly<Record<RangeField, (min: string, max: string) => string>> = {
  account_open_orders: (min, max) => `openOrdersMax goes from ${min} to ${max}`,
  clock_speed: (min, max) => `speed must be from ${min} to ${max}`,
  coin_scale: (_, max) => `scale up to ${max}`,
  fault_hits: (min, max) => `count must be from ${min} to ${max}`,
  fault_key: (_, max) => `key over ${max} characters`,
  fault_label: (_, max) => `label over ${max} characters`,
  fault_probability: (min, max) => `probability must be from ${min} to ${max}`,
  fault_skip: (min, max) => `skip must be from ${min} to ${max}`,
  fault_target: (_, max) => `target over ${max} characters`,
  fault_times: (_, max) => `times are whole milliseconds, up to ${max}`,
  leverage: (min, max) => `from ${min} to ${max}`,
  leverage_terms: (min, max) => `leverage from ${min} to ${max}`,
  order_quantity: (_, max) => `maximum quantity of an order up to ${max}`,
  tier_quantity: (_, max) => `contracts of a tier up to ${max}`,
};

export const FIELDS: Readonly<Record<TermField, string>> = {
  base_coin: 'base coin',
  coin_code: 'coin code',
  coin_id: 'coinId',
  contract_symbol: 'contract symbol',
  contract_value: 'contractValue',
  fee_rate: 'fee rate',
  funding_cap: 'fundingCap',
  funding_clamp: 'fundingClamp',
  funding_interest: 'fundingInterest',
  funding_times: 'fundingTimes',
  impact_quantity: 'impactQuantity',
  index_impact: 'index impactNotional',
  index_move: 'index maxMove',
  index_outlier: 'index outlier',
  index_source_name: 'name of an index source',
  index_source_weight: 'weight of an index source',
  index_sources: 'index sources',
  index_staleness: 'index staleness',
  insurance_budget: 'insuranceBudgetHour or insuranceBudgetDay',
  ip_allow_list: 'ipAllowList',
  kind: 'kind',
  label: 'label',
  mark_clamp: 'markClamp',
  min_notional: 'minimum order value',
  open_orders_max: 'openOrdersMax',
  permissions: 'permissions',
  price_band: 'priceBand',
  price_scale: 'priceScale',
  price_step: 'priceStep',
  quantity_bounds: 'minimum and maximum quantity',
  quantity_scale: 'quantityScale',
  quote_currency: 'quote currency',
  reference_price: 'referencePrice',
  self_trade_prevention: 'selfTradePrevention',
  status: 'status',
  symbol: 'symbol',
  tiers: 'tiers',
  tp_sl_max: 'presetsMax',
  wallets: 'wallets',
  trigger_orders_max: 'planOrdersMax',
};

export const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  account_name_form: 'name takes letters, digits, dot, dash and underscore',
  best_price_outside_band: 'the best price is outside the band',
  checkpoint_name_form: 'name: 1 to 64 of A-Z a-z 0-9 . _ -',
  coins_same: 'base and quote are the same coin',
  currencies_same: 'base and quote are one',
  fault_seed_form: 'seed must be a whole number below 2^32',
  fault_texts_form: 'texts are plain',
  funding_times_order: 'fundingTimes must rise within the day',
  grows_with_order: 'its size follows the fills of its order',
  index_not_above_zero: 'an index price is above zero',
  index_source_not_listed: 'an index source is not a listed pair',
  index_stale: 'the index price is stale: positions can only be closed',
  index_too_large: 'too large for an index',
  key_form: 'key takes 4 to 64 letters and digits',
  leverage_in_no_tier: 'no tier allows the highest leverage',
  log_full: 'the log of the cluster has no room: nothing was carried out',
  margin_left_at_threshold: 'the margin left would be at the threshold',
  no_margin_coin: 'no linear contract has its margin in this coin',
  no_position: 'no position to close',
  no_room_at_price: 'no room at this price',
  quantity_finer_than_base: 'quantityScale above base scale',
  tick_of_lot_not_whole: 'a tick of a lot is not a whole unit',
  tier_leverage_above_rate: 'a tier allows more leverage than its rate',
  tiers_contracts_order: 'tiers must grow in contracts',
  tiers_leverage_order: 'tiers must fall in leverage',
  tiers_rate_order: 'tiers must grow in maintenance rate',
  tp_sl_between_steps: 'preset between two steps',
  tp_sl_on_closing: 'presets belong to orders that open',
  value_finer_than_quote: 'priceScale + quantityScale above the quote coin scale',
  wallet_per_contract: 'each contract of the account has a wallet of its own',
  wallets_fixed: 'wallets is chosen when an account is opened',
  venue_full: 'venue full',
};
