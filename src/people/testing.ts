/** The door of people for tests: its secrets, checked value by value, and its tables. */
export { openPostgresPeople } from './postgres/driver.ts';
export { isEasy } from './secrets/easy-passwords.ts';
export { PASSWORD_COST, unfitPassword } from './secrets/passwords.ts';
export { newFactor, stepOfCode } from './secrets/second-factor.ts';
export { openSqlitePeople } from './sqlite/driver.ts';
export { PEOPLE_SCHEMA, type PeopleSchema } from './store/schema.ts';
