/** The table of imports: a file that is not carried out yet is kept as it came. */
import { type Described, TEXT, WHOLE } from '../store/table.ts';

export const IMPORT_TABLES = {
  account_imports: {
    key: ['reference'],
    columns: {
      reference: TEXT,
      digest: TEXT,
      content: TEXT,
      state: TEXT,
      fault: TEXT,
      linesCount: WHOLE,
      doneCount: WHOLE,
      createdMs: WHOLE,
      updatedMs: WHOLE,
    },
    indexes: { account_imports_state: ['state', 'createdMs'] },
  },
} as const satisfies Readonly<Record<string, Described>>;
