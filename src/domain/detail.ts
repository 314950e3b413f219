/**
 * What a refusal is about, as plain data: the value that was refused and the exact figures it was
 * held against. Who answers words it, in the language and the spelling of that API.
 */
import type { Wallet } from './symbols.ts';

/** An exact figure: `value` units of 10^-scale, of a coin, of contracts, of a price; or a count. */
export type Figure =
  | { readonly of: 'coin'; readonly code: string; readonly value: bigint; readonly scale: number }
  | {
      readonly of: 'contracts' | 'price' | 'count';
      readonly value: number;
      readonly scale: number;
    };

/** What a figure is to what was asked for. */
export type FigureRole =
  | 'at_most'
  | 'at_least'
  | 'at_most_of_account'
  | 'at_most_of_position'
  | 'at_least_at_best_price'
  /** Where it would have happened. */
  | 'at'
  /** The price it was held against. */
  | 'against'
  | 'price_step'
  | 'closable'
  | 'checkpoints_kept'
  | 'checkpoint_rows'
  | 'fault_rules_kept';

/** A term or setting whose value cannot be. */
export type TermField =
  | 'base_coin'
  | 'coin_code'
  | 'coin_id'
  | 'contract_symbol'
  | 'contract_value'
  | 'fee_rate'
  | 'funding_cap'
  | 'funding_clamp'
  | 'funding_interest'
  | 'funding_times'
  | 'impact_quantity'
  | 'index_impact'
  | 'index_move'
  | 'index_outlier'
  | 'index_source_name'
  | 'index_source_weight'
  | 'index_sources'
  | 'index_staleness'
  | 'insurance_budget'
  | 'ip_allow_list'
  | 'kind'
  | 'label'
  | 'mark_clamp'
  | 'min_notional'
  | 'open_orders_max'
  | 'permissions'
  | 'price_band'
  | 'price_scale'
  | 'price_step'
  | 'quantity_bounds'
  | 'quantity_scale'
  | 'quote_currency'
  | 'reference_price'
  | 'self_trade_prevention'
  | 'status'
  | 'symbol'
  | 'tiers'
  | 'tp_sl_max'
  | 'trigger_orders_max'
  | 'wallets';

/** A value that has to be within bounds; of a text its length. */
export type RangeField =
  | 'account_open_orders'
  | 'clock_speed'
  | 'coin_scale'
  | 'fault_hits'
  | 'fault_key'
  | 'fault_label'
  | 'fault_probability'
  | 'fault_skip'
  | 'fault_target'
  | 'fault_times'
  | 'leverage'
  | 'leverage_terms'
  | 'order_quantity'
  | 'tier_quantity';

/** What stands against it where no figure says more. */
export type Obstacle =
  | 'account_name_form'
  | 'best_price_outside_band'
  | 'checkpoint_name_form'
  | 'coins_same'
  | 'currencies_same'
  | 'fault_seed_form'
  | 'fault_texts_form'
  | 'funding_times_order'
  | 'grows_with_order'
  | 'index_not_above_zero'
  | 'index_source_not_listed'
  | 'index_stale'
  | 'index_too_large'
  | 'key_form'
  | 'leverage_in_no_tier'
  | 'log_full'
  | 'margin_left_at_threshold'
  | 'no_margin_coin'
  | 'no_position'
  | 'no_room_at_price'
  | 'quantity_finer_than_base'
  | 'tick_of_lot_not_whole'
  | 'tier_leverage_above_rate'
  | 'tiers_contracts_order'
  | 'tiers_leverage_order'
  | 'tiers_rate_order'
  | 'tp_sl_between_steps'
  | 'tp_sl_on_closing'
  | 'value_finer_than_quote'
  | 'venue_full'
  | 'wallet_per_contract'
  | 'wallets_fixed';

export type Detail =
  | { readonly is: 'nothing' }
  | { readonly is: 'figure'; readonly role: FigureRole; readonly figure: Figure }
  | { readonly is: 'needs'; readonly needed: Figure; readonly has: Figure }
  /** Bounds, both included, in units of 10^-scale. */
  | {
      readonly is: 'range';
      readonly field: RangeField;
      readonly min: number;
      readonly max: number;
      readonly scale: number;
    }
  /** The highest leverage that the tier of a size allows. */
  | { readonly is: 'tier'; readonly size: Figure; readonly leverageMax: number }
  | { readonly is: 'field'; readonly field: TermField }
  | { readonly is: 'obstacle'; readonly obstacle: Obstacle }
  /** The symbol of a pair or contract. */
  | { readonly is: 'market'; readonly symbol: string }
  /** A wallet that takes another coin, namely this. */
  | { readonly is: 'wallet_coin'; readonly wallet: Wallet; readonly code: string }
  | { readonly is: 'coin'; readonly code: string }
  /** An id or a name as it was sent. */
  | { readonly is: 'id'; readonly id: string }
  /** A parameter of a request that has to be given. */
  | { readonly is: 'missing'; readonly parameter: string }
  /** Worded by the reader of a request. The rooms below the API cannot make one. */
  | { readonly is: 'text'; readonly text: string };

export const NO_DETAIL: Detail = { is: 'nothing' };

interface CoinUnit {
  readonly code: string;
  readonly scale: number;
}

/** Of a coin in its own units, or in the coarser ones of an order's size. */
export function coinFigure({ code, scale }: CoinUnit, value: bigint | number): Figure {
  return { of: 'coin', code, value: BigInt(value), scale };
}

export function contractsFigure(
  { quantityScale }: { readonly quantityScale: number },
  value: number,
): Figure {
  return { of: 'contracts', value, scale: quantityScale };
}

export function priceFigure(
  { priceScale }: { readonly priceScale: number },
  value: number,
): Figure {
  return { of: 'price', value, scale: priceScale };
}

export function countFigure(value: number): Figure {
  return { of: 'count', value, scale: 0 };
}

export function byFigure(role: FigureRole, figure: Figure): Detail {
  return { is: 'figure', role, figure };
}

/** What an account lacks of a coin. */
export function needsCoin(coin: CoinUnit, needed: bigint, has: bigint): Detail {
  return { is: 'needs', needed: coinFigure(coin, needed), has: coinFigure(coin, has) };
}

export function inRange(field: RangeField, min: number, max: number, scale = 0): Detail {
  return { is: 'range', field, min, max, scale };
}

export function inField(field: TermField): Detail {
  return { is: 'field', field };
}

export function dueTo(obstacle: Obstacle): Detail {
  return { is: 'obstacle', obstacle };
}

export function ofMarket(symbol: string): Detail {
  return { is: 'market', symbol };
}

export function ofCoin(code: string): Detail {
  return { is: 'coin', code };
}

export function ofId(id: string): Detail {
  return { is: 'id', id };
}
