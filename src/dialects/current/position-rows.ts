/**
 * The positions of an account that is followed, as last sent. A row says what a step has left of a
 * side; one that is closed is sent once more, with the totals of its whole life.
 */
import type { StateRow } from '#api';
import {
  type Contract,
  type Event,
  fineValue,
  type HoldSide,
  isOpen,
  type MarginAccountView,
  type PositionTotals,
  type PositionView,
  ZERO_LOTS,
  ZERO_TICKS,
} from '#domain';
import { formatValue } from '../kit/contract-figures.ts';
import {
  marginTypeWord,
  positionSideWord,
  separatedOrder,
  separatedWord,
} from './contract-terms.ts';
import { MarketFigures } from './market-figures.ts';
import { marketName } from './symbols.ts';

/** One side of an account in a contract, after a step with these events. */
interface Look {
  readonly contract: Contract;
  readonly view: MarginAccountView;
  readonly side: HoldSide;
  readonly events: readonly Event[];
  readonly seq: number;
  readonly timeMs: number;
}

interface Shown {
  readonly position: PositionView;
  /** All that a step may have changed: a mark price alone is no news. */
  readonly lasting: string;
}

type Totals = { -readonly [Name in keyof PositionTotals]: PositionTotals[Name] };

export class PositionRows {
  /** Open positions, by contract and side. */
  readonly #shown = new Map<string, Shown>();

  /** What the step made of the side; nothing when it left it as it was. */
  rows(look: Look): readonly StateRow[] {
    const { contract, view, side } = look;
    const key = `${contract.instrumentId}/${side}`;
    const position = view[side];
    const before = this.#shown.get(key);
    const rows: string[] = [];
    if (before !== undefined && before.position.positionId !== position.positionId) {
      rows.push(closedRow(look, before.position));
      this.#shown.delete(key);
    }
    if (position.lots > 0) {
      const lasting = lastingFields(look, position);
      if (this.#shown.get(key)?.lasting !== lasting) rows.push(withMark(look, position, lasting));
      this.#shown.set(key, { position, lasting });
    }
    return rows.map((row) => ({ key, feed: 'positions', write: () => row }));
  }
}

function withMark({ contract }: Look, position: PositionView, lasting: string): string {
  const figures = new MarketFigures(contract);
  const pnl = figures.amount(position.unrealizedPnl);
  const liquidation = figures.price(position.liquidationTicks);
  return `${lasting.slice(0, -1)},"unrealizePnl":"${pnl}","liquidatePrice":"${liquidation}"}`;
}

function closedRow(look: Look, before: PositionView): string {
  const { events, seq: updatedSeq, timeMs: updatedTimeMs } = look;
  const closed: PositionView = {
    ...before,
    lots: ZERO_LOTS,
    open: 0n,
    margin: 0n,
    unrealizedPnl: 0n,
    liquidationTicks: ZERO_TICKS,
    totals: totalsAfter(look.contract, before, events),
    updatedSeq,
    updatedTimeMs,
  };
  return withMark(look, closed, lastingFields(look, closed));
}

/** The totals a position ended with: the venue forgets them with it. */
function totalsAfter(
  contract: Contract,
  { positionId, totals }: PositionView,
  events: readonly Event[],
): PositionTotals {
  const sum: Totals = { ...totals, heldFee: 0n, heldFunding: 0n };
  for (const event of events) {
    if (event.kind === 'balance_changed' && event.position?.positionId === positionId) {
      sum.funding += event.delta;
    }
    if (event.kind !== 'contract_trade') continue;
    const value = fineValue(contract, event.sizeLots, event.priceTicks);
    for (const fill of [event.maker, event.taker]) {
      if (fill.positionId !== positionId) continue;
      const size = BigInt(event.sizeLots);
      if (isOpen(fill.action)) {
        sum.openedLots += size;
        sum.openedValue += value;
        sum.openedFee += fill.fee;
      } else {
        sum.closedLots += size;
        sum.closedValue += value;
        if (fill.cause === 'owner') sum.closedFee += fill.fee;
        else sum.liquidationFee += fill.fee;
      }
    }
  }
  return sum;
}

/** Everything but what the mark price alone changes. */
function lastingFields({ contract, view }: Look, position: PositionView): string {
  const figures = new MarketFigures(contract);
  const { totals } = position;
  const isIsolated = view.marginMode === 'isolated';
  const margin = figures.amount(position.margin);
  const value = (fine: bigint) => formatValue(contract, fine);
  return JSON.stringify({
    id: String(position.positionId),
    coin: contract.margin.code,
    symbol: marketName(contract.symbol),
    side: positionSideWord(position.side),
    marginMode: marginTypeWord(view.marginMode),
    separatedMode: separatedWord(view.isSeparated),
    separatedOpenOrderId: separatedOrder(view, position),
    leverage: String(position.leverage),
    size: figures.size(position.lots),
    openValue: value(position.open),
    openFee: figures.amount(totals.heldFee),
    fundingFee: figures.amount(totals.heldFunding),
    marginSize: margin,
    isolatedMargin: isIsolated ? margin : '0',
    autoAppendIsolatedMargin: position.autoAppend,
    cumOpenSize: figures.size(totals.openedLots),
    cumOpenValue: value(totals.openedValue),
    cumOpenFee: figures.amount(totals.openedFee),
    cumCloseSize: figures.size(totals.closedLots),
    cumCloseValue: value(totals.closedValue),
    cumCloseFee: figures.amount(totals.closedFee),
    cumFundingFee: figures.amount(totals.funding),
    cumLiquidateFee: figures.amount(totals.liquidationFee),
    createdMatchSequenceId: String(position.openedSeq),
    updatedMatchSequenceId: String(position.updatedSeq),
    createdTime: String(position.openedTimeMs),
    updatedTime: String(position.updatedTimeMs),
  });
}
