/** A figure of the venue for its operator, as /metrics shows it. */

export interface Gauge {
  /** As in outcry_journal_lag_commands: the unit last. */
  readonly name: string;
  readonly help: string;
  /** Called at every scrape. */
  read(): number;
}
