/** Single figures of a contract account or of the contract, by the words a scenario table uses. */
import {
  AVERAGE_EXTRA_SCALE,
  FUNDING_RATE_SCALE,
  fineToFloor,
  type HoldSide,
  type PositionView,
  RATIO_SCALE,
  type Side,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import type { Floor } from '../support/floor.ts';

/** Of an account: "balance", "free", "long", "long.margin" and so on, as text. */
export function accountFigure(venue: Floor, who: string, word: string): string {
  const [side, part] = word.split('.');
  if (side === 'long' || side === 'short') return positionFigure(venue, who, side, part);
  const view = venue.account(who);
  const { engine, contract } = venue;
  const id = venue.id(who);
  switch (word) {
    case 'mode':
      return view.marginMode;
    case 'balance':
      return venue.text(view.balance);
    case 'free':
      return venue.text(view.available);
    case 'frozen':
      return venue.text(view.marginFrozen);
    case 'equity':
      return venue.text(view.equity);
    case 'used':
      return venue.text(view.margin);
    case 'pnl':
      return venue.text(view.unrealizedPnl);
    case 'ratio':
      return view.marginRatio === null ? 'none' : formatTrimmed(view.marginRatio, RATIO_SCALE);
    case 'leverages': {
      const { cross, isolatedLong, isolatedShort } = view.leverages;
      return `cross ${cross}x isolated ${isolatedLong}x/${isolatedShort}x`;
    }
    case 'orders':
      return String([...engine.openContractOrders(id, contract.instrumentId)].length);
    case 'plans':
      return String([...engine.waitingTriggers(id, contract.instrumentId)].length);
    default:
      throw new Error(`no figure "${word}" of an account`);
  }
}

function positionFigure(
  venue: Floor,
  who: string,
  side: HoldSide,
  part: string | undefined,
): string {
  const position = venue.position(who, side);
  const { priceScale, quantityScale } = venue.contract;
  const { totals } = position;
  const done = (size: bigint, value: bigint, fee: bigint) =>
    `${formatTrimmed(size, quantityScale)} for ${fineText(venue, value)} fee ${venue.text(fee)}`;
  switch (part) {
    case undefined:
      return held(venue, position);
    case 'margin':
      return venue.text(position.margin);
    case 'pnl':
      return venue.text(position.unrealizedPnl);
    case 'realized':
      return venue.text(position.realizedPnl);
    case 'liquidation':
      return formatTrimmed(position.liquidationTicks, priceScale);
    case 'leverage':
      return `${position.leverage}x`;
    case 'free':
      return formatTrimmed(position.availableLots, venue.contract.quantityScale);
    case 'ratio':
      return position.marginRatio === null
        ? 'none'
        : formatTrimmed(position.marginRatio, RATIO_SCALE);
    case 'keeps':
      return `${formatTrimmed(position.maintenanceRatePpm, 4)}%`;
    case 'open':
      return fineText(venue, position.open);
    case 'opened':
      return done(totals.openedLots, totals.openedValue, totals.openedFee);
    case 'closed':
      return done(totals.closedLots, totals.closedValue, totals.closedFee);
    case 'forced':
      return venue.text(totals.liquidationFee);
    case 'funding':
      return venue.text(totals.funding);
    case 'held':
      return `fee ${venue.text(totals.heldFee)} funding ${venue.text(totals.heldFunding)}`;
    case 'automatic':
      return position.autoAppend ? 'on' : 'off';
    default:
      throw new Error(`no figure "${part}" of a position`);
  }
}

/** A value in fine units, as far as it is whole units. */
function fineText(venue: Floor, value: bigint): string {
  return venue.text(fineToFloor(venue.contract, value));
}

function held(venue: Floor, { lots, averageEntry }: PositionView): string {
  if (lots === 0) return 'none';
  const { quantityScale, priceScale } = venue.contract;
  const average = formatTrimmed(averageEntry, priceScale + AVERAGE_EXTRA_SCALE);
  return `${formatTrimmed(lots, quantityScale)} @ ${average}`;
}

/** Of the contract: "fund", "mark", "index", "rate", "bids", "asks" and so on, as text. */
export function venueFigure(venue: Floor, word: string): string {
  const { engine, contract } = venue;
  const { priceScale } = contract;
  const prices = present(engine.contractPrices(contract.instrumentId), 'prices of the contract');
  switch (word) {
    case 'fund':
      return venue.insuranceFund();
    case 'fees':
      return venue.text(present(engine.audit().lines[contract.margin.assetId], 'audit line').fees);
    case 'index':
      return formatTrimmed(prices.indexTicks, priceScale);
    case 'mark':
      return formatTrimmed(prices.markTicks, priceScale);
    case 'highest':
      return formatTrimmed(prices.highestTicks, priceScale);
    case 'lowest':
      return formatTrimmed(prices.lowestTicks, priceScale);
    case 'stale':
      return prices.indexStale ? 'yes' : 'no';
    case 'rate':
      return formatTrimmed(prices.fundingRatePpb, FUNDING_RATE_SCALE);
    case 'interest':
      return formatTrimmed(prices.openInterestLots, contract.quantityScale);
    case 'bids':
      return levels(venue, 'buy');
    case 'asks':
      return levels(venue, 'sell');
    default:
      throw new Error(`no figure "${word}" of a contract`);
  }
}

function levels(venue: Floor, side: Side): string {
  const { engine, contract } = venue;
  const found = [...engine.bookLevels(contract.instrumentId, side)].map(
    ({ lots, priceTicks }) =>
      `${formatTrimmed(lots, contract.quantityScale)} @ ` +
      formatTrimmed(priceTicks, contract.priceScale),
  );
  return found.length === 0 ? 'none' : found.join(' + ');
}
