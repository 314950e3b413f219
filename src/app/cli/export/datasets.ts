/**
 * What can be exported: for each kind of row its columns, which are those of the views of the
 * history in PostgreSQL, and which tables they come from.
 */
import type { ExportRecords } from '#history';
import { type Catalogue, idText } from './catalogue.ts';
import { amount, type Row, text, time } from './columns.ts';
import { type Dataset, source, type Wanted } from './source.ts';
import { BALANCES, CANDLES, EQUITY, FUNDING } from './standing.ts';

const ORDERS: Dataset = {
  columns: [
    ...['order_id', 'account', 'symbol', 'client_order_id', 'side', 'type', 'force'].map(text),
    ...['price', 'size', 'filled'].map(amount),
    text('reason'),
    ...['created_at', 'closed_at'].map(time),
  ],
  sources: [
    source('orders', (order, names) => [orderRow(order, order.side, names)]),
    source('contract_orders', (order, names) => [orderRow(order, order.action, names)]),
  ],
};

type AnyOrder = ExportRecords['orders'] | ExportRecords['contract_orders'];

/** An order at the market has no price, and one for a sum of money no size. */
function orderRow(order: AnyOrder, side: string, names: Catalogue): Row {
  const { instrumentId, priceTicks, sizeLots } = order;
  return [
    idText(order.orderId),
    names.account(order.accountId),
    names.symbol(instrumentId),
    order.clientOrderId || null,
    side,
    order.type,
    order.force,
    priceTicks === 0 ? null : names.price(instrumentId, priceTicks),
    sizeLots === 0 ? null : names.size(instrumentId, sizeLots),
    names.size(instrumentId, order.filledLots),
    order.reason,
    order.createdTimeMs,
    order.closedTimeMs,
  ];
}

const FILLS: Dataset = {
  columns: [
    ...['trade_id', 'order_id', 'account', 'symbol', 'side', 'role'].map(text),
    ...['price', 'size', 'value'].map(amount),
    text('value_coin'),
    amount('fee'),
    text('fee_coin'),
    amount('realized_pnl'),
    time('traded_at'),
  ],
  sources: [source('trades', spotFills), source('contract_trades', contractFills)],
};

function spotFills(trade: ExportRecords['trades'], names: Catalogue, isWanted: Wanted): Row[] {
  const { instrumentId, takerSide, quoteAmount } = trade;
  const { base, quote } = names.pair(instrumentId);
  const sides = [
    { side: 'buy', orderId: trade.buyerOrderId, account: trade.buyerAccountId, coin: base },
    { side: 'sell', orderId: trade.sellerOrderId, account: trade.sellerAccountId, coin: quote },
  ] as const;
  return sides
    .filter(({ account }) => isWanted(account))
    .map(({ side, orderId, account, coin }) => [
      idText(trade.tradeId),
      idText(orderId),
      names.account(account),
      names.symbol(instrumentId),
      side,
      side === takerSide ? 'taker' : 'maker',
      names.price(instrumentId, trade.priceTicks),
      names.size(instrumentId, trade.sizeLots),
      names.amount(quote, quoteAmount),
      names.coin(quote),
      names.amount(coin, side === 'buy' ? trade.buyerFee : trade.sellerFee),
      names.coin(coin),
      null,
      trade.timeMs,
    ]);
}

function contractFills(
  trade: ExportRecords['contract_trades'],
  names: Catalogue,
  isWanted: Wanted,
): Row[] {
  const { instrumentId } = trade;
  const coin = names.margin(instrumentId);
  const taker = {
    role: 'taker',
    orderId: trade.takerOrderId,
    account: trade.takerAccountId,
    action: trade.takerAction,
    fee: trade.takerFee,
    pnl: trade.takerRealizedPnl,
  };
  const maker = {
    role: 'maker',
    orderId: trade.makerOrderId,
    account: trade.makerAccountId,
    action: trade.makerAction,
    fee: trade.makerFee,
    pnl: trade.makerRealizedPnl,
  };
  return [taker, maker]
    .filter(({ account }) => isWanted(account))
    .map(({ role, orderId, account, action, fee, pnl }) => [
      idText(trade.tradeId),
      idText(orderId),
      names.account(account),
      names.symbol(instrumentId),
      action,
      role,
      names.price(instrumentId, trade.priceTicks),
      names.size(instrumentId, trade.sizeLots),
      names.amount(coin, trade.quoteAmount),
      names.coin(coin),
      names.amount(coin, fee),
      names.coin(coin),
      names.amount(coin, pnl),
      trade.timeMs,
    ]);
}

const LEDGER: Dataset = {
  columns: [
    ...['entry_id', 'account', 'wallet', 'coin', 'kind', 'symbol'].map(text),
    ...['change', 'fee', 'balance'].map(amount),
    time('booked_at'),
  ],
  sources: [
    source('balance_changes', balanceChange),
    source('trades', tradeEntries),
    source('contract_ledger', contractEntry),
  ],
};

/** Changes of contract wallets are in the ledger of contracts, with their funding and fees. */
function balanceChange(change: ExportRecords['balance_changes'], names: Catalogue): Row[] {
  const { wallet, assetId, delta, balanceBefore } = change;
  if (wallet !== 'spot') return [];
  const entry = [idText(change.billId), names.account(change.accountId), wallet];
  return [
    [
      ...entry,
      names.coin(assetId),
      change.biz,
      null,
      names.amount(assetId, delta),
      names.amount(assetId, 0n),
      names.amount(assetId, balanceBefore + delta),
      change.timeMs,
    ],
  ];
}

/** Two for each party, numbered from the trade as the bills of the API are. */
function tradeEntries(trade: ExportRecords['trades'], names: Catalogue, isWanted: Wanted): Row[] {
  const { tradeId, instrumentId, quoteAmount, timeMs } = trade;
  const { base, quote, baseUnitsPerLot } = names.pair(instrumentId);
  const size = BigInt(trade.sizeLots) * baseUnitsPerLot;
  const { buyerAccountId: buyer, sellerAccountId: seller, buyerFee, sellerFee } = trade;
  const entries = [
    {
      at: 1,
      of: buyer,
      kind: 'buy',
      coin: base,
      delta: size,
      fee: buyerFee,
      before: trade.buyerBaseBefore,
    },
    {
      at: 2,
      of: buyer,
      kind: 'buy',
      coin: quote,
      delta: -quoteAmount,
      fee: 0n,
      before: trade.buyerQuoteBefore,
    },
    {
      at: 3,
      of: seller,
      kind: 'sell',
      coin: base,
      delta: -size,
      fee: 0n,
      before: trade.sellerBaseBefore,
    },
    {
      at: 4,
      of: seller,
      kind: 'sell',
      coin: quote,
      delta: quoteAmount,
      fee: sellerFee,
      before: trade.sellerQuoteBefore,
    },
  ];
  return entries
    .filter(({ of }) => isWanted(of))
    .map(({ at, of, kind, coin, delta, fee, before }) => [
      idText(tradeId + at),
      names.account(of),
      'spot',
      names.coin(coin),
      kind,
      names.symbol(instrumentId),
      names.amount(coin, delta - fee),
      names.amount(coin, fee),
      names.amount(coin, before + delta - fee),
      timeMs,
    ]);
}

function contractEntry(entry: ExportRecords['contract_ledger'], names: Catalogue): Row[] {
  const { assetId, instrumentId } = entry;
  return [
    [
      String(entry.entryId),
      names.account(entry.accountId),
      entry.wallet,
      names.coin(assetId),
      entry.kind,
      instrumentId === undefined ? null : names.symbol(instrumentId),
      names.amount(assetId, entry.delta),
      names.amount(assetId, entry.fee),
      names.amount(assetId, entry.balance),
      entry.timeMs,
    ],
  ];
}

const TRANSFERS: Dataset = {
  columns: [
    ...['transfer_id', 'account', 'coin'].map(text),
    amount('amount'),
    ...['from_wallet', 'to_wallet', 'client_id'].map(text),
    time('transferred_at'),
  ],
  sources: [
    source('transfers', (transfer, names) => [
      [
        idText(transfer.transferId),
        names.account(transfer.accountId),
        names.coin(transfer.assetId),
        names.amount(transfer.assetId, transfer.amount),
        transfer.fromWallet,
        transfer.toWallet,
        transfer.clientOid ?? null,
        transfer.timeMs,
      ],
    ]),
  ],
};

const LIQUIDATIONS: Dataset = {
  columns: [
    ...['account', 'symbol', 'mode', 'side'].map(text),
    ...['mark_price', 'bankruptcy_price', 'size', 'deleveraged', 'fund_change'].map(amount),
    text('coin'),
    time('liquidated_at'),
  ],
  sources: [
    source('liquidations', (one, names) => {
      const { instrumentId: market } = one;
      const coin = names.margin(market);
      return [
        [
          names.account(one.accountId),
          names.symbol(market),
          one.mode,
          one.side,
          names.price(market, one.markTicks),
          names.price(market, one.bankruptcyTicks),
          names.size(market, one.sizeLots),
          names.size(market, one.deleveragedLots),
          names.amount(coin, one.fundDelta),
          names.coin(coin),
          one.timeMs,
        ],
      ];
    }),
  ],
};

export const DATASETS: ReadonlyMap<string, Dataset> = new Map([
  ['orders', ORDERS],
  ['fills', FILLS],
  ['ledger', LEDGER],
  ['transfers', TRANSFERS],
  ['liquidations', LIQUIDATIONS],
  ['funding', FUNDING],
  ['candles', CANDLES],
  ['equity', EQUITY],
  ['balances', BALANCES],
]);
