/** Times in requests: clients send milliseconds, whole seconds, or UTC text. */
import { type Fields, shown, UNIX_MS } from '../kit/fields.ts';

/** A time below this is in seconds: as milliseconds it would lie before the year 1974. */
const SECONDS_BELOW = 100_000_000_000;
const UTC_TEXT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,3})?Z$/;

/** A time in milliseconds that was sent as milliseconds or seconds; undefined when not given. */
export function readTimeMs(fields: Fields, name: string): number | undefined {
  const given = fields.wholeNumber(name, UNIX_MS);
  return given === undefined || given >= SECONDS_BELOW ? given : given * 1_000;
}

/** A time sent as UTC text, 2021-05-19T12:00:00.000Z; undefined when not given. */
export function readUtcText(fields: Fields, name: string): number | undefined {
  const given = fields.text(name);
  if (given === '') return undefined;
  const value = UTC_TEXT.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(value) && value >= 0 && isOfCalendar(given, value)) return value;
  fields.refuse('parameter_invalid', `${name} ${shown(given)} is not a UTC time`);
  return undefined;
}

/** Whether it comes back as it was sent: JavaScript takes 30 February for a day in March. */
function isOfCalendar(given: string, value: number): boolean {
  return new Date(value).toISOString().startsWith(given.slice(0, 'yyyy-MM-ddTHH:mm:ss'.length));
}
