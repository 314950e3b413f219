/** The rows of a state as a checkpoint holds them, and what a later reset makes of them. */
import { nextFundingMs } from '#domain';
import type { Engine } from '#engine';
import { present } from '#kernel';

type Row = [kind: string, ...fields: unknown[]];

interface MarketFields {
  lastTimeMs: number;
  indexFreshMs: number;
  basis: { timeMs: number }[];
  nextFundingMs: number;
  prices?: unknown;
}

const SANDBOX_ROWS = ['clock', 'checkpoint', 'kept', 'fault'];

/** Everything but what the sandbox itself keeps; the header is the first row. */
export function venueRows(engine: Engine): Row[] {
  const rows = [...engine.dump()].map((text): Row => JSON.parse(text));
  return rows.filter(([kind]) => !SANDBOX_ROWS.includes(kind));
}

/** Last number given to an order, trade, bill or transfer. */
export function lastIdOf(engine: Engine): number {
  const [header] = venueRows(engine);
  return Number(present(header, 'header')[4]);
}

/**
 * What saved rows are after a reset of this engine: its own header, and contracts whose prices are
 * as fresh as they were, with their next funding ahead. Prices as last told are left out.
 */
export function resetRows(saved: readonly Row[], savedMs: number, engine: Engine): Row[] {
  const header = present(venueRows(engine)[0], 'header');
  return [header, ...saved.slice(1).map((row) => laterRow(row, savedMs, engine))];
}

/** The rows of a state without prices as last told. */
export function untoldRows(engine: Engine): Row[] {
  return venueRows(engine).map((row) => {
    if (row[0] !== 'market') return row;
    const { prices: _, ...fields } = row[2] as MarketFields;
    return ['market', row[1], fields, row[3]];
  });
}

function laterRow(row: Row, savedMs: number, engine: Engine): Row {
  if (row[0] !== 'market') return row;
  const [kind, id, saved, reports] = row as [
    string,
    number,
    MarketFields,
    [string, { priceTicks: number; timeMs: number }][],
  ];
  const later = (timeMs: number) => (timeMs === 0 ? 0 : timeMs + engine.timeMs - savedMs);
  const { prices: _, ...fields } = saved;
  const contract = [...engine.listings.contracts.values()].find((one) => one.instrumentId === id);
  const { fundingMinutes } = present(contract, 'contract');
  return [
    kind,
    id,
    {
      ...fields,
      lastTimeMs: later(fields.lastTimeMs),
      indexFreshMs: later(fields.indexFreshMs),
      basis: fields.basis.map((sample) => ({ ...sample, timeMs: later(sample.timeMs) })),
      nextFundingMs: nextFundingMs(fundingMinutes, engine.timeMs),
    },
    reports.map(([source, report]) => [source, { ...report, timeMs: later(report.timeMs) }]),
  ];
}
