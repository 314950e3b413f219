/** What the journal and its writer thread say to each other. */
import type { FaultDetail } from '../port.ts';

export interface WriterData {
  readonly directory: string;
  /** Whether a commit waits for the disk. */
  readonly synced: boolean;
  /** Keys the chain, from the next entry on if it was not keyed before. */
  readonly masterKey: Uint8Array | undefined;
  /** What entries are written under. */
  readonly rules: number;
}

export interface AppendMessage {
  readonly kind: 'append';
  readonly firstSeq: number;
  readonly count: number;
  readonly payload: string;
  /** What the entry was written under, where that is not what the writer was opened with. */
  readonly rules: number | undefined;
}

export type ToWriter =
  | AppendMessage
  | { readonly kind: 'trim'; readonly beforeSeq: number }
  | { readonly kind: 'close' };

export type FromWriter =
  | {
      readonly kind: 'opened';
      readonly id: string;
      readonly firstSeq: number;
      readonly lastSeq: number;
      readonly notices: readonly string[];
    }
  /** Everything up to this number is on disk. */
  | { readonly kind: 'durable'; readonly lastSeq: number }
  /** Trimmed as far as it was asked for, or can be. */
  | { readonly kind: 'trimmed'; readonly firstSeq: number; readonly fault: FaultDetail | undefined }
  /** Nothing more will be written. */
  | { readonly kind: 'fault'; readonly fault: FaultDetail }
  | { readonly kind: 'closed' };
