/** The tables of people, the same in every database, and their rows as statements see them. */
import { CamelCasePlugin } from 'kysely';
import { ACCESS_TABLES } from './access-tables.ts';
import { COMPETITION_TABLES } from './competition-tables.ts';
import { DESK_TABLES } from './desk-tables.ts';
import { MOVEMENT_TABLES } from './movement-tables.ts';
import { OPERATOR_TABLES } from './operator-tables.ts';
import { PAYMENT_TABLES } from './payment-tables.ts';
import type { RowOf } from './table.ts';

export const TABLES = {
  ...ACCESS_TABLES,
  ...COMPETITION_TABLES,
  ...DESK_TABLES,
  ...MOVEMENT_TABLES,
  ...OPERATOR_TABLES,
  ...PAYMENT_TABLES,
};

export type PeopleDatabase = {
  readonly [Name in keyof typeof TABLES]: RowOf<(typeof TABLES)[Name]>;
};

/** A column has one name: personId here is person_id in the database. */
export const PLUGINS = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
