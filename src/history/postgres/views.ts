/**
 * Views for operators: orders, fills, money and balances in words and decimals. Coins, markets and
 * accounts have the names they have now.
 */

const ACCOUNT = 'left join accounts as account on account.account_id =';
const MARKET = 'join markets as market on market.instrument_id =';
const COIN = 'join coins as coin on coin.asset_id =';

/** Exact: a multiplication by a power of ten that is written out. */
function decimal(amount: string, scale: string): string {
  return `trim_scale((${amount})::numeric * ('1e-' || ${scale})::numeric)`;
}

function price(ticks: string): string {
  return decimal(ticks, 'market.price_scale');
}

function size(lots: string): string {
  return decimal(lots, 'market.size_scale');
}

function time(timeMs: string): string {
  return `to_timestamp(${timeMs} / 1000.0)`;
}

/** Orders that are over, spot and contracts; the price of an order at the market is null. */
const CLOSED_ORDERS = `create view closed_orders as
  select order_id, account.name as account, market.symbol, client_order_id, side, type, force,
    nullif(${price('price_ticks')}, 0) as price, nullif(${size('size_lots')}, 0) as size,
    ${size('filled_lots')} as filled, reason,
    ${time('created_time_ms')} as created_at, ${time('closed_time_ms')} as closed_at
  from orders ${ACCOUNT} orders.account_id ${MARKET} orders.instrument_id
  union all
  select order_id, account.name, market.symbol, client_order_id, action, type, force,
    nullif(${price('price_ticks')}, 0), ${size('size_lots')}, ${size('filled_lots')}, reason,
    ${time('created_time_ms')}, ${time('closed_time_ms')}
  from contract_orders ${ACCOUNT} contract_orders.account_id
    ${MARKET} contract_orders.instrument_id`;

const PAIR_COINS = `join instruments as pair on pair.instrument_id = trades.instrument_id
  join coins as base on base.asset_id = pair.base_asset_id
  join coins as quote on quote.asset_id = pair.quote_asset_id`;

function spotFills(party: 'buyer' | 'seller'): string {
  const [side, paidIn] = party === 'buyer' ? ['buy', 'base'] : ['sell', 'quote'];
  return `select trade_id, ${party}_order_id as order_id, account.name as account, market.symbol,
    '${side}' as side, case taker_side when '${side}' then 'taker' else 'maker' end as role,
    ${price('price_ticks')} as price, ${size('size_lots')} as size,
    ${decimal('quote_amount', 'quote.scale')} as value, quote.code as value_coin,
    ${decimal(`${party}_fee`, `${paidIn}.scale`)} as fee, ${paidIn}.code as fee_coin,
    null::numeric as realized_pnl, ${time('time_ms')} as traded_at
  from trades ${ACCOUNT} trades.${party}_account_id ${MARKET} trades.instrument_id ${PAIR_COINS}`;
}

function contractFills(role: 'taker' | 'maker'): string {
  return `select trade_id, ${role}_order_id, account.name, market.symbol, ${role}_action,
    '${role}', ${price('price_ticks')}, ${size('size_lots')},
    ${decimal('quote_amount', 'coin.scale')}, coin.code,
    ${decimal(`${role}_fee`, 'coin.scale')}, coin.code,
    ${decimal(`${role}_realized_pnl`, 'coin.scale')}, ${time('time_ms')}
  from contract_trades ${ACCOUNT} contract_trades.${role}_account_id
    ${MARKET} contract_trades.instrument_id ${COIN} market.asset_id`;
}

/** Each trade once for either party. */
const FILLS = `create view fills as
  ${spotFills('buyer')} union all ${spotFills('seller')}
  union all ${contractFills('taker')} union all ${contractFills('maker')}`;

/** What one party of a spot trade got or gave of one coin; bills are numbered from the trade. */
function tradeEntry(party: 'buyer' | 'seller', coin: 'base' | 'quote', number: number): string {
  const receives = (party === 'buyer') === (coin === 'base');
  const amount = coin === 'base' ? 'size_lots * pair.base_units_per_lot' : 'quote_amount';
  const fee = receives ? `${party}_fee` : '0';
  const change = receives ? `${amount} - ${fee}` : `-(${amount})`;
  const before = `${party}_${coin}_before`;
  return `select trade_id + ${number}, account.name, 'spot', ${coin}.code,
    '${party === 'buyer' ? 'buy' : 'sell'}', market.symbol,
    ${decimal(change, `${coin}.scale`)}, ${decimal(fee, `${coin}.scale`)},
    ${decimal(`${before} + ${change}`, `${coin}.scale`)}, ${time('time_ms')}
  from trades ${ACCOUNT} trades.${party}_account_id ${MARKET} trades.instrument_id ${PAIR_COINS}`;
}

/**
 * Every change of a balance, its fee contained in it, and the balance after it. Entries of one
 * wallet are numbered in their order.
 */
const LEDGER = `create view ledger as
  select bill_id as entry_id, account.name as account, wallet, coin.code as coin, biz as kind,
    null::text as symbol, ${decimal('delta', 'coin.scale')} as change, 0::numeric as fee,
    ${decimal('balance_before + delta', 'coin.scale')} as balance, ${time('time_ms')} as booked_at
  from balance_changes ${ACCOUNT} balance_changes.account_id ${COIN} balance_changes.asset_id
  where wallet = 'spot'
  union all ${tradeEntry('buyer', 'base', 1)} union all ${tradeEntry('buyer', 'quote', 2)}
  union all ${tradeEntry('seller', 'base', 3)} union all ${tradeEntry('seller', 'quote', 4)}
  union all
  select entry_id, account.name, wallet, coin.code, contract_ledger.kind, market.symbol,
    ${decimal('delta', 'coin.scale')}, ${decimal('fee', 'coin.scale')},
    ${decimal('balance', 'coin.scale')}, ${time('time_ms')}
  from contract_ledger ${ACCOUNT} contract_ledger.account_id ${COIN} contract_ledger.asset_id
    left ${MARKET} contract_ledger.instrument_id`;

/** From when to when a wallet held what; the balance of today has no end. */
const BALANCES = `create view balances as
  select account, wallet, coin, balance, booked_at as since,
    lead(booked_at) over (
      partition by account, wallet, coin order by booked_at, entry_id) as until
  from ledger`;

const LIQUIDATED = `create view liquidated_positions as
  select account.name as account, market.symbol, mode, side,
    ${price('mark_ticks')} as mark_price, ${price('bankruptcy_ticks')} as bankruptcy_price,
    ${size('size_lots')} as size, ${size('deleveraged_lots')} as deleveraged,
    ${decimal('fund_delta', 'coin.scale')} as fund_change, coin.code as coin,
    ${time('time_ms')} as liquidated_at
  from liquidations ${ACCOUNT} liquidations.account_id ${MARKET} liquidations.instrument_id
    ${COIN} market.asset_id`;

/** In an order in which each finds those that it is made of. */
export const VIEWS: readonly string[] = [CLOSED_ORDERS, FILLS, LEDGER, BALANCES, LIQUIDATED];
