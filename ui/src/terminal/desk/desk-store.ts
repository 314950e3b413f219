/** Where the panels stand in this browser, for laptops and for wide screens apart. */
import { type Place, presetPlace, readPlace } from '../../model/panels.ts';
import { createKeptValue } from '../../store/kept.ts';
import { createStore, type Store } from '../../store/store.ts';

const laptop = createKeptValue<Place>(
  'outcry.layout.laptop',
  (kept) => readPlace(kept) ?? presetPlace('standard', false),
);
const wide = createKeptValue<Place>(
  'outcry.layout.wide',
  (kept) => readPlace(kept) ?? presetPlace('standard', true),
);

export function deskPlace(isWide: boolean): Store<Place> {
  return isWide ? wide : laptop;
}

/** Whether the panels can be moved and hidden now. */
export const isArranging = createStore(false);
