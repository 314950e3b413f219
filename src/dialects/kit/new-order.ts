/**
 * How every dialect reads a new order: the shape of each field first, then the market, then what
 * depends on it. That is the order of the table of refusals.
 */
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Force,
  isRefused,
  type Listings,
  type OrderType,
  type PlaceSpotOrder,
  type Refused,
  type Side,
  type SpotInstrument,
  type SpotOrderTerms,
} from '#domain';
import { Fields } from './fields.ts';
import type { Field, Named } from './request.ts';

/** What a kind of order is read by. */
interface OrderReading<Wish, Market, Made> {
  readonly symbol: Named<string, Market>;
  /** The other fields, each one well-formed or its fault noted. */
  readonly wish: (fields: Fields) => Wish;
  readonly command: (
    fields: Fields,
    wish: Wish,
    market: Market,
    accountId: AccountId,
  ) => Made | Refused;
}

type Reader<Read> = (body: JsonObject, listings: Listings, accountId: AccountId) => Read | Refused;

/** Reads one order. No schema runs: every order goes this way, and it is measured. */
export function orderReader<Wish, Market, Made>({
  symbol,
  wish,
  command,
}: OrderReading<Wish, Market, Made>): Reader<Made> {
  return (body, listings, accountId) => {
    const fields = new Fields(body);
    const name = symbol.read(fields, 'symbol');
    const wished = wish(fields);
    if (fields.fault !== undefined) return fields.fault;
    const market = symbol.find(name, listings);
    return isRefused(market) ? market : command(fields, wished, market, accountId);
  };
}

export interface OrderBatch<Market, Made> {
  readonly market: Market;
  /** One per item, in request order: a bad item does not spoil the others. */
  readonly items: readonly (Made | Refused)[];
  /** What each item calls itself, for the answer. */
  readonly clientOrderIds: readonly string[];
}

/** Reads a batch of orders in one market; `idNames` are those of the id that a client chose. */
export function orderBatchReader<Wish, Market, Made>(
  { symbol, wish, command }: OrderReading<Wish, Market, Made>,
  orderList: Field<readonly unknown[]>,
  ...idNames: readonly string[]
): Reader<OrderBatch<Market, Made>> {
  return (body, listings, accountId) => {
    const fields = new Fields(body);
    const name = symbol.read(fields, 'symbol');
    const list = orderList.read(fields, 'orderList');
    if (fields.fault !== undefined) return fields.fault;
    const market = symbol.find(name, listings);
    if (isRefused(market)) return market;
    const sources = list.map((item) => Fields.ofItem(item, 'orderList'));
    return {
      market,
      items: sources.map((item) => command(item, wish(item), market, accountId)),
      clientOrderIds: sources.map((item) => item.text(...idNames)),
    };
  };
}

/** The fields of a new spot order, each one well-formed. */
export interface SpotWish {
  readonly side: Side;
  readonly type: OrderType;
  readonly force: Force;
  readonly price: string;
  readonly quantity: string;
  readonly clientOrderId: string | undefined;
}

/** What a dialect's spot orders are read by, once it has a reader of price and quantity. */
export function spotReading(
  symbol: Named<string, SpotInstrument>,
  wish: (fields: Fields) => SpotWish,
  readTerms: (fields: Fields, wish: SpotWish, pair: SpotInstrument) => SpotOrderTerms,
): OrderReading<SpotWish, SpotInstrument, PlaceSpotOrder> {
  return {
    symbol,
    wish,
    command: (fields, wished, pair, accountId) => {
      if (fields.fault !== undefined) return fields.fault;
      const terms = readTerms(fields, wished, pair);
      if (fields.fault !== undefined) return fields.fault;
      const { clientOrderId } = wished;
      const { instrumentId } = pair;
      return { kind: 'place_spot_order', accountId, instrumentId, ...terms, clientOrderId };
    },
  };
}
