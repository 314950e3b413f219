/** The tables of access: who may use an account, and codes that let others in. */
import { type Described, TEXT, WHOLE } from '../store/table.ts';

export const ACCESS_TABLES = {
  access: {
    key: ['personId', 'accountId'],
    columns: {
      personId: TEXT,
      accountId: WHOLE,
      label: TEXT,
      rights: TEXT,
      createdMs: WHOLE,
      managePlace: WHOLE,
    },
    indexes: { access_account: ['accountId'] },
  },
  access_codes: {
    key: ['codeId'],
    columns: {
      codeId: TEXT,
      codeHash: TEXT,
      accountId: WHOLE,
      rights: TEXT,
      madeBy: TEXT,
      expiresMs: WHOLE,
    },
    unique: { access_codes_code: ['codeHash'] },
    indexes: { access_codes_account: ['accountId'] },
  },
} as const satisfies Readonly<Record<string, Described>>;
