/** Price alerts of this browser: when one fires, and what was kept of them. Pure. */
import { compare, signOf } from './numbers.ts';

export const ALERT_SOURCES = ['last', 'mark'] as const;
export type AlertSource = (typeof ALERT_SOURCES)[number];

export const ALERT_DIRECTIONS = ['above', 'below'] as const;
export type AlertDirection = (typeof ALERT_DIRECTIONS)[number];

export const ALERTS_MAX = 50;

export interface Alert {
  readonly id: string;
  readonly symbol: string;
  readonly source: AlertSource;
  /** above: the price rises to it or beyond; below: it falls to it or beyond. */
  readonly direction: AlertDirection;
  /** Decimal text. */
  readonly price: string;
  /** Whether it stays, and fires each time the price comes back from the other side. */
  readonly repeats: boolean;
  /** Whether the price was on the other side since it last fired. */
  readonly isArmed: boolean;
}

/** A price that was heard. */
export interface Heard {
  readonly symbol: string;
  readonly source: AlertSource;
  readonly price: string;
}

export interface Verdict {
  /** The same list when nothing has changed. */
  readonly alerts: readonly Alert[];
  readonly fired: readonly Alert[];
}

export function hasReached(
  { direction, price }: Pick<Alert, 'direction' | 'price'>,
  now: string,
): boolean {
  const step = compare(now, price);
  return step === 0 || step > 0 === (direction === 'above');
}

/** What a price does to the alerts: those that fire once are gone, others wait for its return. */
export function heardPrice(alerts: readonly Alert[], { symbol, source, price }: Heard): Verdict {
  if (signOf(price) <= 0) return { alerts, fired: [] };
  const isMeant = (alert: Alert) => alert.symbol === symbol && alert.source === source;
  const changes = alerts.filter(
    (alert) => isMeant(alert) && alert.isArmed === hasReached(alert, price),
  );
  if (changes.length === 0) return { alerts, fired: [] };
  const changed = new Set(changes);
  const next = alerts.flatMap((alert): readonly Alert[] => {
    if (!changed.has(alert)) return [alert];
    if (!alert.isArmed) return [{ ...alert, isArmed: true }];
    return alert.repeats ? [{ ...alert, isArmed: false }] : [];
  });
  return { alerts: next, fired: changes.filter(({ isArmed }) => isArmed) };
}

const KEPT_MAX_CHARACTERS = 64;
const DECIMAL = /^[0-9]{1,20}(\.[0-9]{1,12})?$/;

/** Reads what was kept; what is no alert is left out. */
export function readAlerts(kept: string): readonly Alert[] {
  let read: unknown;
  try {
    read = JSON.parse(kept);
  } catch {
    return [];
  }
  if (!Array.isArray(read)) return [];
  const found = read.flatMap((one) => alertFrom(one) ?? []);
  const byId = new Map(found.map((alert) => [alert.id, alert]));
  return [...byId.values()].slice(0, ALERTS_MAX);
}

function alertFrom(read: unknown): Alert | undefined {
  const row: { readonly [name in keyof Alert]?: unknown } = Object(read);
  const source = ALERT_SOURCES.find((one) => one === row.source);
  const direction = ALERT_DIRECTIONS.find((one) => one === row.direction);
  if (source === undefined || direction === undefined) return undefined;
  const { id, symbol, price, repeats, isArmed } = row;
  if (!isShort(id) || !isShort(symbol) || typeof price !== 'string') return undefined;
  if (!DECIMAL.test(price) || signOf(price) <= 0) return undefined;
  if (typeof repeats !== 'boolean' || typeof isArmed !== 'boolean') return undefined;
  return { id, symbol, source, direction, price, repeats, isArmed };
}

function isShort(read: unknown): read is string {
  return typeof read === 'string' && read !== '' && read.length <= KEPT_MAX_CHARACTERS;
}
