/**
 * Rows with an id that are open for a while and then history: orders, plan orders, fills. Answers
 * of REST and messages of a stream come in any order; what is later in a row's life wins.
 */

export interface TableRow {
  /** Ids of the venue sort as text in the order in which they were given. */
  readonly id: string;
}

export interface TableRules<Row> {
  isOpen(row: Row): boolean;
  /** Whether a state of a row can only have come after another one. */
  isLater(row: Row, known: Row): boolean;
  /** Whether its owner has changed it: which of both is later only a stream knows. */
  isChanged(row: Row, known: Row): boolean;
  /** History rows that are kept; the oldest ones go. */
  readonly historyMax: number;
}

/** A row as a stream has just published it, and as it was before. */
export interface TableChange<Row> {
  readonly before: Row | undefined;
  readonly after: Row;
}

/** What was known when a request was sent: its answer says nothing about later changes. */
export type Mark = number;

interface Entry<Row> {
  readonly row: Row;
  /** The count of changes when a stream published it; zero for rows known from REST only. */
  readonly toldAt: Mark;
  /** The reader's time then. */
  readonly changedMs: number;
}

export class Table<Row extends TableRow> {
  readonly #rules: TableRules<Row>;
  readonly #entries = new Map<string, Entry<Row>>();
  #changes: Mark = 0;
  #addedSinceTrim = 0;
  #open: readonly Row[] | undefined;
  #history: readonly Row[] | undefined;

  constructor(rules: TableRules<Row>) {
    this.#rules = rules;
  }

  /** Newest first; the same array until something changes. */
  get open(): readonly Row[] {
    this.#open ??= this.#sorted(true);
    return this.#open;
  }

  /** Newest first; the same array until something changes. */
  get history(): readonly Row[] {
    this.#history ??= this.#sorted(false);
    return this.#history;
  }

  get(id: string): Row | undefined {
    return this.#entries.get(id)?.row;
  }

  /** Whether a stream changed the row within this time, so that it may be shown as news. */
  isFresh(id: string, nowMs: number, withinMs: number): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && entry.toldAt > 0 && nowMs - entry.changedMs < withinMs;
  }

  /** To be taken when a request is sent, and given back with its answer. */
  mark(): Mark {
    return this.#changes;
  }

  /** Takes a row of a stream; undefined when it says nothing new. */
  hear(row: Row, nowMs: number): TableChange<Row> | undefined {
    const before = this.get(row.id);
    if (before !== undefined && !this.#isNew(row, before)) return undefined;
    this.#changes += 1;
    this.#set({ row, toldAt: this.#changes, changedMs: nowMs });
    return { before, after: row };
  }

  /**
   * Takes every open row of a scope (all rows, or those of one contract). What a scope had open at
   * the mark and is not among them has ended meanwhile: it goes, and the history has its end. The
   * snapshot of a stream comes in here with a mark of this moment.
   */
  replaceOpen(rows: readonly Row[], mark: Mark, isInScope: (row: Row) => boolean): void {
    const ids = new Set(rows.map(({ id }) => id));
    for (const [id, { row, toldAt }] of this.#entries) {
      const isMissing = this.#rules.isOpen(row) && isInScope(row) && !ids.has(id);
      if (isMissing && toldAt <= mark) this.#entries.delete(id);
    }
    for (const row of rows) this.#replace(row, mark);
    this.#forgetLists();
  }

  /** What a stream has said since counts more than the answer. */
  #replace(row: Row, mark: Mark): void {
    const known = this.#entries.get(row.id);
    const { isLater } = this.#rules;
    if (known !== undefined) {
      const isNew = known.toldAt <= mark ? this.#isNew(row, known.row) : isLater(row, known.row);
      if (!isNew) return;
    }
    this.#set({ row, toldAt: known?.toldAt ?? 0, changedMs: known?.changedMs ?? 0 });
  }

  #isNew(row: Row, known: Row): boolean {
    return this.#rules.isLater(row, known) || this.#rules.isChanged(row, known);
  }

  /** Takes rows of an answer of REST, open or not, as a page of history is. */
  learn(rows: readonly Row[]): void {
    for (const row of rows) {
      const known = this.#entries.get(row.id);
      if (known !== undefined && !this.#rules.isLater(row, known.row)) continue;
      this.#set({ row, toldAt: known?.toldAt ?? 0, changedMs: known?.changedMs ?? 0 });
    }
  }

  /** Forgets what is not open, as when its pages are read again. */
  forgetHistory(): void {
    for (const [id, { row }] of this.#entries) {
      if (!this.#rules.isOpen(row)) this.#entries.delete(id);
    }
    this.#forgetLists();
  }

  /** Forgets everything, as after signing out. */
  clear(): void {
    this.#entries.clear();
    this.#forgetLists();
  }

  #set(entry: Entry<Row>): void {
    this.#entries.set(entry.row.id, entry);
    this.#forgetLists();
    this.#addedSinceTrim += 1;
    if (this.#addedSinceTrim > this.#rules.historyMax) this.#trim();
  }

  #trim(): void {
    this.#addedSinceTrim = 0;
    const kept = this.#sorted(false);
    const oldest = kept.at(-1);
    if (oldest === undefined || kept.length < this.#rules.historyMax) return;
    for (const [id, { row }] of this.#entries) {
      if (id < oldest.id && !this.#rules.isOpen(row)) this.#entries.delete(id);
    }
  }

  #forgetLists(): void {
    this.#open = undefined;
    this.#history = undefined;
  }

  #sorted(isOpen: boolean): readonly Row[] {
    const found: Row[] = [];
    for (const { row } of this.#entries.values()) {
      if (this.#rules.isOpen(row) === isOpen) found.push(row);
    }
    found.sort((one, other) => (one.id < other.id ? 1 : -1));
    return isOpen ? found : found.slice(0, this.#rules.historyMax);
  }
}
