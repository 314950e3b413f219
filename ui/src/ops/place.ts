/** Where the operator is: a tab and what is open in it, kept in the address after #. */
import { createStore } from '../store/store.ts';

export const TABS = [
  'health',
  'cluster',
  'money',
  'accounts',
  'people',
  'instruments',
  'notices',
  'competitions',
  'operators',
  'log',
  'liquidations',
  'limits',
  'sandbox',
] as const;
export type TabName = (typeof TABS)[number];

export interface Place {
  readonly tab: TabName;
  /** As an account's id; empty for none. */
  readonly detail: string;
}

function read(): Place {
  const [name, ...rest] = location.hash.slice(1).split('/');
  return { tab: TABS.find((tab) => tab === name) ?? 'health', detail: decoded(rest.join('/')) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export const place = createStore<Place>(read());
addEventListener('hashchange', () => place.set(read()));

export function go(tab: TabName, detail = ''): void {
  location.hash = detail === '' ? tab : `${tab}/${encodeURIComponent(detail)}`;
  place.set({ tab, detail });
}
