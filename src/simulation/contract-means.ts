/**
 * What an account can still quote in one contract: closing uses up its positions, opening its
 * available margin and the room its leverage leaves in the risk tiers. It is an estimate on the
 * safe side; the venue has the last word.
 */
import {
  type AccountView,
  type Amount,
  type Contract,
  type ContractAction,
  type ContractOrderView,
  closeOf,
  holdSideOf,
  isOpen,
  type Lots,
  leveragedLotsMax,
  type MarginAccountView,
  openingCost,
  openOf,
  type PositionView,
  type Side,
  type Ticks,
} from '#domain';

interface Room {
  lots: number;
}

interface PositionMeans {
  readonly leverage: number;
  readonly room: Room;
  closableLots: number;
}

export class ContractMeans {
  readonly #contract: Contract;
  readonly #feePpm: number;
  readonly #long: PositionMeans;
  readonly #short: PositionMeans;
  #budget: Amount;

  constructor(
    contract: Contract,
    account: AccountView,
    margin: MarginAccountView,
    orders: readonly ContractOrderView[],
  ) {
    const { long, short, marginMode } = margin;
    this.#contract = contract;
    this.#feePpm = account.takerFeePpm ?? contract.takerFeePpm;
    this.#budget = margin.available;
    const isShared = marginMode === 'cross';
    const room = tierRoom(contract, isShared ? [long, short] : [long], orders);
    const shortRoom = isShared ? room : tierRoom(contract, [short], orders);
    this.#long = { leverage: long.leverage, room, closableLots: long.availableLots };
    this.#short = { leverage: short.leverage, room: shortRoom, closableLots: short.availableLots };
  }

  /**
   * Sets aside what an order of this size needs and says which one it is: it closes what can be
   * closed and opens otherwise. Undefined when the account can do neither.
   */
  spend(side: Side, price: Ticks, size: Lots): ContractAction | undefined {
    const closing = side === 'buy' ? this.#short : this.#long;
    if (closing.closableLots >= size) {
      closing.closableLots -= size;
      return closeOf(side === 'buy' ? 'short' : 'long');
    }
    const opening = side === 'buy' ? this.#long : this.#short;
    const cost = openingCost(this.#contract, size, price, opening.leverage, this.#feePpm);
    if (cost > this.#budget || size > opening.room.lots) return undefined;
    this.#budget -= cost;
    opening.room.lots -= size;
    return openOf(side === 'buy' ? 'long' : 'short');
  }
}

/** Lots that the tiers still let these positions open, beside what is held and already resting. */
function tierRoom(
  contract: Contract,
  positions: readonly PositionView[],
  orders: readonly ContractOrderView[],
): Room {
  const leverage = Math.max(...positions.map((position) => position.leverage));
  let room = leveragedLotsMax(contract, leverage);
  for (const position of positions) room -= position.lots;
  const sides = positions.map(({ side }) => side);
  for (const { action, sizeLots, filledLots } of orders) {
    if (isOpen(action) && sides.includes(holdSideOf(action))) room -= sizeLots - filledLots;
  }
  return { lots: room };
}
