/** What a campaign of some hundred seeds has to have seen: a zero is a failure of the workload. */

const EVENTS =
  'account_created account_updated asset_listed asset_updated balance_changed ' +
  'checkpoint_dropped ' +
  'checkpoint_saved clock_set contract_listed contract_order_accepted contract_order_closed ' +
  'contract_order_moved contract_priced contract_settings_changed contract_trade ' +
  'contract_updated fault_added faults_removed funding_settled index_reported ' +
  'insurance_funded insurance_moved key_created key_revoked liquidated lock_set ' +
  'margin_adjusted money_held order_accepted order_closed order_moved order_rested ' +
  'orders_cancelled refused reversal_refused spot_listed spot_updated ticked trade transferred ' +
  'trigger_order_accepted ' +
  'trigger_order_closed trigger_order_grown trigger_order_modified venue_reset work_continued';

/** Of the refusals of the engine, those that a workload of this kind leads to. */
const REFUSALS =
  'account_frozen account_name_in_use account_unknown adjust_margin_in_cross amount_invalid ' +
  'auto_margin_in_cross balance_insufficient checkpoint_unknown client_order_id_in_use ' +
  'clock_invalid close_exceeds_position close_long_beyond_liquidation ' +
  'close_short_beyond_liquidation contract_client_id_in_use contract_halted ' +
  'contract_suspended fault_unknown index_source_unknown key_in_use key_not_found ' +
  'leverage_locked leverage_out_of_range listing_invalid margin_insufficient ' +
  'margin_mode_locked margin_removal_exceeded market_halted market_suspended ' +
  'money_held no_opposite_depth notional_below_minimum open_orders_exceeded openable_exceeded ' +
  'operator_request_differs operator_request_repeated ' +
  'opens_into_liquidation order_unknown price_above_band price_above_ceiling ' +
  'price_below_band price_below_floor price_invalid quantity_above_maximum ' +
  'quantity_below_minimum quantity_invalid settings_invalid stop_loss_above_order ' +
  'stop_loss_above_price stop_loss_below_order stop_loss_below_price ' +
  'take_profit_above_order take_profit_above_price take_profit_below_order ' +
  'take_profit_below_price tp_sl_exceeded transfer_route_invalid ' +
  'trigger_direction_mismatch trigger_orders_exceeded';

const BRANCHES: readonly string[] = [
  'command transfer_between_accounts',
  'judged: reversal that opens',
  'judged: reversal that opens nothing',
  'contract order ended filled',
  'contract order ended self_trade',
  'contract order ended margin_insufficient',
  'contract order ended liquidation',
  'contract order ended closing_trigger_fired',
  'contract order ended fok_not_fillable',
  'contract order ended beyond_price_band',
  'spot order ended filled',
  'spot order ended self_trade',
  'spot order ended fok_not_fillable',
  'spot order ended beyond_price_band',
  'liquidated isolated long',
  'liquidated isolated short',
  'liquidated cross long',
  'liquidated cross short',
  'liquidation that pays the fund',
  'liquidation that the fund pays for',
  'liquidation that deleverages',
  'trade off the book by netting',
  'trade off the book by deleveraging',
  'margin adjusted automatic',
  'funding collected',
  'funding not collected in full',
  'trigger triggered',
  'trigger failed',
  'take_profit triggered',
  'stop_loss triggered',
  'judged: order of a trigger foretold',
  'judged: failed trigger foretold',
  'judged: close that goes for one whose trigger was met',
  'judged: closing trigger cut to what is held',
  'judged: trigger order with presets',
  'judged: trigger order moved',
  'judged: trigger order changed in its place',
  'judged: trigger fired at the last price',
  'judged: trigger fired at the mark price',
  'judged: trigger fired at the index price',
  'judged: fill far from the mark',
  'judged: index with a pair',
  'judged: index of one pair alone',
  'judged: index source left out',
  'judged: price of a liquidation worked out',
  'judged: price of a reduction worked out',
  'judged: loss split over contracts',
  'judged: worst loss first of several',
  'judged: gain taken over first',
  'judged: deleveraged of several',
  'judged: cost of a liquidation within the budget',
  'judged: budget smaller than the fund',
  'judged: fill that the fund pays for',
  'judged: contract listed while orders rest',
  'judged: TP/SL armed',
  'judged: TP/SL that fails when it is armed',
  'judged: TP/SL that goes with its partner',
  'judged: fills protected',
  'judged: book too thin for the fund to pay',
  'judged: fill that both sides stand',
  'judged: fill that cannot be carried',
  'judged: order of a contract goes on',
  'judged: order of a pair goes on',
  'judged: command held back',
  'machine crash',
  'machine crash_within',
  'machine snapshot',
  'machine malformed',
];

/** What comes up too rarely to be missed in a short campaign. */
export const RARE: readonly string[] = [
  'reduction ended filled',
  'refused contract_delisted',
  'judged: rest that cannot be paid for',
];

export function expectedCounts(): readonly string[] {
  const events = EVENTS.split(' ').map((kind) => `event ${kind}`);
  const refusals = REFUSALS.split(' ').map((reject) => `refused ${reject}`);
  return [...events, ...refusals, ...BRANCHES];
}
