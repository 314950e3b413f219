/** What the store says to the thread that has the file, and hears from it. */

export interface FileData {
  readonly file: string;
}

export type ToFile =
  | { readonly kind: 'run'; readonly id: number; readonly sql: string; readonly values: unknown[] }
  | { readonly kind: 'close' };

/** The first one of a thread says whether the file is open. */
export type FromFile =
  | { readonly kind: 'opened' }
  | { readonly kind: 'unusable'; readonly reason: string }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly rows: unknown[];
      readonly changes: number;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };
