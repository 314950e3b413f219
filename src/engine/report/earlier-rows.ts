/**
 * Rows of snapshots before version 3 by the names of today. Their figures are those of finer.ts.
 */
import {
  readTagged,
  renamedContract,
  renamedMode,
  renamedPair,
  renamedWallet,
  writeTagged,
} from '#domain';
import { DUMP_VERSION } from './dump.ts';

const EARLIER_HEADER = '["outcry",2,';

type Row = readonly [name: string, ...values: readonly unknown[]];

/** Rows of this version as they are, those of the one before as this version writes them. */
export function* currentRows(rows: Iterable<string>): Generator<string> {
  let isEarlier: boolean | undefined;
  for (const text of rows) {
    isEarlier ??= text.startsWith(EARLIER_HEADER);
    yield isEarlier ? currentRow(text) : text;
  }
}

function currentRow(text: string): string {
  return writeTagged(renamed(readTagged<Row>(text)));
}

function renamed(row: Row): Row {
  const [name, ...values] = row;
  switch (name) {
    case 'outcry':
      return [name, DUMP_VERSION, ...values.slice(1)];
    case 'spot':
      return [name, renamedPair(Object(values[0])), ...values.slice(1)];
    case 'contract':
      return [name, renamedContract(Object(values[0]))];
    case 'balance':
      return [name, ...values.with(1, renamedWallet(values[1]))];
    case 'margin':
      return [name, ...values.with(2, renamedMode(values[2]))];
    case 'plan':
      return ['trigger', ...values.with(2, renamedTrigger(Object(values[2])))];
    case 'work':
      return [name, renamedWork(Object(values[0]))];
    case 'kept':
      return [name, values[0], currentRow(String(values[1]))];
    default:
      return row;
  }
}

function renamedTrigger(fields: { readonly purpose: string }): object {
  return fields.purpose === 'plan' ? { ...fields, purpose: 'trigger' } : fields;
}

function renamedWork({ plansTo, ...work }: { readonly plansTo?: number }): object {
  return plansTo === undefined ? work : { ...work, triggersTo: plansTo };
}
