/** Own trades of pairs and contracts as one kind of row. */
import { isOpen, ORDER_CAUSES, sideOf } from '#domain';
import type { ContractFillRecord, Fill } from '#history';
import { formatTrimmed } from '#kernel';
import { priceText } from '../kit/amounts.ts';
import { TIME_MS } from '../kit/examples.ts';
import { formatId } from '../kit/ids.ts';
import { decimal, id, listedName, nullOr, oneOf, row, truth, whole } from '../kit/row.ts';
import { isPair, moneyOf, type OfMarket, SYMBOL, sizeText } from './terms.ts';

export interface ShownFill extends OfMarket {
  readonly fill: Fill | ContractFillRecord;
}

/** A buyer of a pair pays in what it receives; everybody else in the money of the market. */
function feeCoinOf({ market, fill }: ShownFill) {
  return isPair(market) && !isOfContract(fill) && fill.side === 'buy'
    ? market.base
    : moneyOf(market);
}

function isOfContract(fill: ShownFill['fill']): fill is ContractFillRecord {
  return 'action' in fill;
}

export function fillIdOf(fill: ShownFill['fill']): number {
  return isOfContract(fill) ? fill.tradeId : fill.fillId;
}

export const FILL = row<ShownFill>()({
  id: id('Trade, the same for both sides', formatId(31), ({ fill }) => formatId(fillIdOf(fill))),
  order: id('Order', formatId(28), ({ fill }) => formatId(fill.orderId)),
  symbol: SYMBOL,
  side: oneOf(['buy', 'sell'], 'Side', 'buy', ({ fill }) =>
    isOfContract(fill) ? sideOf(fill.action) : fill.side,
  ),
  reduceOnly: truth('Whether it closed', false, ({ fill }) =>
    isOfContract(fill) ? !isOpen(fill.action) : false,
  ),
  cause: oneOf(
    ORDER_CAUSES,
    'Who placed the order: owner, or a step of a liquidation',
    'owner',
    ({ fill }) => (isOfContract(fill) ? fill.cause : 'owner'),
  ),
  role: oneOf(['taker', 'maker'], 'Whether it took or rested', 'taker', ({ fill }) => fill.role),
  price: decimal('Price', '30010.00', ({ market, fill }) => priceText(fill.priceTicks, market)),
  size: decimal('Size', '0.0005', ({ market, fill }) => sizeText(fill.sizeLots, market)),
  value: decimal('In the money of the market', '15.005', ({ market, fill }) =>
    formatTrimmed(fill.quoteAmount, moneyOf(market).scale),
  ),
  fee: decimal('Fee paid', '0.0000005', (shown) =>
    formatTrimmed(
      isOfContract(shown.fill) ? shown.fill.fee : shown.fill.feeAmount,
      feeCoinOf(shown).scale,
    ),
  ),
  feeCoin: listedName('Coin of the fee', 'BTC', (shown) => feeCoinOf(shown).code),
  realizedPnl: nullOr(
    'Profit or loss that it realised, fee not included; null of a pair',
    decimal<ShownFill>('Profit', '0', ({ market, fill }) =>
      isOfContract(fill) ? formatTrimmed(fill.realizedPnl, moneyOf(market).scale) : '0',
    ),
    ({ fill }) => !isOfContract(fill),
  ),
  time: whole('When, in Unix milliseconds', TIME_MS, ({ fill }) => fill.timeMs),
});
