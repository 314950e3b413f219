/** How a database numbers rows by itself. */
export interface Numbering {
  readonly type: 'integer' | 'bigserial';
  readonly isDeclared: boolean;
}
