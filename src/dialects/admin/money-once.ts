/**
 * An operator's command for money under an id is carried out once: who asks again, because the
 * answer was lost, gets the first result.
 */
import {
  type Event,
  isRefused,
  type MoneyCommand,
  type MoneyResult,
  type Refused,
  type VenuePort,
} from '#domain';

type ResultOf<K extends MoneyResult['kind']> = Extract<MoneyResult, { readonly kind: K }>;

/** What it did when it was carried out before; undefined when it was not. */
export async function resultBefore<K extends MoneyResult['kind']>(
  venue: VenuePort,
  kind: K,
  command: MoneyCommand,
): Promise<ResultOf<K> | Refused | undefined> {
  if (command.operatorOid === undefined) return undefined;
  const found = await venue.read((state) => state.moneyResult(command));
  return found === undefined || isRefused(found) || isOf(found, kind) ? found : undefined;
}

/** Carries it out, unless it was. */
export async function submitOnce<K extends MoneyResult['kind']>(
  venue: VenuePort,
  kind: K,
  command: MoneyCommand,
): Promise<ResultOf<K> | Refused> {
  const [event] = await venue.submit(command);
  if (event !== undefined && isOf(event, kind)) return event;
  if (event?.kind !== 'refused') throw new Error(`${command.kind} yielded no ${kind}`);
  if (event.reject !== 'operator_request_repeated') return event;
  return (await resultBefore(venue, kind, command)) ?? event;
}

function isOf<K extends MoneyResult['kind']>(event: Event, kind: K): event is ResultOf<K> {
  return event.kind === kind;
}
