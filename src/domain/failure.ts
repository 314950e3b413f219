/** Why a market is suspended: a failed assertion of the engine, for the operator. */

export interface EngineFailure {
  /** Kind of the command that the engine was carrying out. */
  readonly command: string;
  /** Of the same market, or of the same command where it concerns none. */
  readonly failuresCount: number;
  /** What the assertion says. */
  readonly message: string;
}
