/** The door of people for tests: its secrets, checked value by value. */
export { isEasy } from './secrets/easy-passwords.ts';
export { PASSWORD_COST, unfitPassword } from './secrets/passwords.ts';
export { newFactor, stepOfCode } from './secrets/second-factor.ts';
