/** A figure of the venue for its operator, as /metrics shows it. */

export interface Gauge {
  /** As in outcry_journal_lag_commands: the unit last. */
  readonly name: string;
  readonly help: string;
  /** What tells its figures apart, where it has several. */
  readonly label?: string;
  /** Called at every scrape: a figure, or one for each value of the label. */
  read(): number | readonly (readonly [value: string, figure: number])[];
}
