/** Interim. */
export interface JournalEntry {
  readonly firstSeq: number;
  readonly count: number;
  readonly payload: string;
  readonly hash: string;
}
export interface Journal {
  readonly id: string;
  readonly lastSeq: number;
  append(firstSeq: number, count: number, payload: string): Promise<void>;
  close(): Promise<void>;
}
export interface JournalReader {
  readonly lastSeq: number;
  entries(fromSeq: number): Iterable<JournalEntry>;
  close(): void;
}
export type JournalFaultKind = 'gap' | 'out_of_order' | 'hash_mismatch' | 'disk' | 'in_use';
export class JournalFault extends Error {
  override readonly name = 'JournalFault';
  readonly kind: JournalFaultKind;
  constructor(kind: JournalFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
