/** A spot order in words: its name, and what is shown of it before it is sent. */
import { formatTrimmed } from '#kernel';
import { fixed, grouped } from '../../model/numbers.ts';
import type { TradedPair } from '../../model/pair.ts';
import type { Texts } from '../../texts/en.ts';
import { exactMoney } from './draft.ts';
import { marketName } from './formats.ts';
import type { Summary } from './order-question.tsx';
import { type ReadSpotDraft, type SpotDraft, spentCoin, unitOf } from './spot-draft.ts';

interface Ordered {
  readonly pair: TradedPair;
  readonly draft: SpotDraft;
  readonly read: ReadSpotDraft;
}

/** Its name is what it is called once it is accepted. */
export function spotSummary(
  { pair, draft, read }: Ordered,
  trade: Texts['trade'],
): Summary & { readonly name: string } {
  const { side, type } = draft;
  const { estimate, sizeLots, boundTicks } = read;
  const paid = spentCoin(pair, side);
  const got = spentCoin(pair, side === 'buy' ? 'sell' : 'buy');
  const { priceScale, quantityScale, baseCode, quoteCode } = pair;
  const price = (text: string) => `${grouped(fixed(text, priceScale))} ${quoteCode}`;
  const bound = boundTicks === 0 ? undefined : price(formatTrimmed(boundTicks, priceScale));
  const limit = read.request === undefined ? undefined : `${draft.price} ${quoteCode}`;
  const size = `${grouped(formatTrimmed(sizeLots, quantityScale))} ${baseCode}`;
  return {
    name: nameOf({ pair, draft, read }, size, trade),
    title: `${trade.actions[side]} ${marketName(pair.symbol, trade)}`,
    tone: side === 'buy' ? 'up' : 'down',
    lines: [
      [trade.orderType, trade.types[type]],
      [trade.price, type === 'market' ? trade.marketPrice : limit],
      [trade.worstPrice, bound],
      [trade.quantity, sizeLots === 0 ? undefined : size],
      [trade.cost, estimate && exactMoney(estimate.paid, paid.scale, paid.code)],
      [trade.fee, estimate && exactMoney(estimate.fee, got.scale, got.code)],
      [trade.received, estimate && exactMoney(estimate.received, got.scale, got.code)],
    ],
  };
}

/** "buy BTC for 777 USDT" where the money was named, else "buy 0.5 BTC". */
function nameOf({ pair, draft, read }: Ordered, size: string, trade: Texts['trade']): string {
  const action = trade.actions[draft.side];
  if (unitOf(draft) === 'base') return trade.orderOf(action, size);
  const amount = `${read.sizeText} ${pair.quoteCode}`;
  return trade.orderFor(action, pair.baseCode, amount);
}
