/** The answer to what is refused, as a dialect words it. */
export interface RefusalForm {
  readonly status: number;
  readonly body: string;
}
