/** The tables of people, the same in every database, and their rows as statements see them. */
import { CamelCasePlugin } from 'kysely';
import { ACCESS_TABLES } from '../access/tables.ts';
import { FEE_LEVEL_TABLES } from '../fee-levels/tables.ts';
import { IDENTITY_TABLES } from '../identities/tables.ts';
import { IMPORT_TABLES } from '../imports/tables.ts';
import { NOTICE_TABLES } from '../notices/tables.ts';
import { OPERATOR_TABLES } from '../operators/tables.ts';
import { PAYMENT_TABLES } from '../payments/tables.ts';
import type { RowOf } from './table.ts';

export const TABLES = {
  ...IDENTITY_TABLES,
  ...ACCESS_TABLES,
  ...OPERATOR_TABLES,
  ...PAYMENT_TABLES,
  ...NOTICE_TABLES,
  ...IMPORT_TABLES,
  ...FEE_LEVEL_TABLES,
};

export type PeopleDatabase = {
  readonly [Name in keyof typeof TABLES]: RowOf<(typeof TABLES)[Name]>;
};

/** A column has one name: personId here is person_id in the database. */
export const PLUGINS = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
