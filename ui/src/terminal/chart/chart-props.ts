/** What a chart is about. */
import type { Zone } from '../../look/mod.ts';
import type { PeriodRow } from '../../model/periods.ts';
import type { Instrument } from '../context.ts';

export interface CandleChartProps {
  readonly instrument: Instrument;
  readonly row: PeriodRow;
  /** In which its times are shown. */
  readonly zone: Zone;
}
