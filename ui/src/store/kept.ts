/** A store whose text value outlives the page in localStorage, where the browser allows it. */
import { createStore, type Store } from './store.ts';

/** Starts with what was kept under the name if it is one of the choices, else with the fallback. */
export function createKept<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Store<Choice> {
  const kept = read(name);
  const store = createStore(choices.find((choice) => choice === kept) ?? fallback);
  const set: Store<Choice>['set'] = (next) => {
    store.set(next);
    write(name, store.get());
  };
  return { ...store, set };
}

/**
 * A store whose value is kept as text under the name. `parse` gives the first value, from what was
 * kept or from the empty text.
 */
export function createKeptValue<Value>(name: string, parse: (kept: string) => Value): Store<Value> {
  const store = createStore(parse(read(name) ?? ''));
  const set: Store<Value>['set'] = (next) => {
    store.set(next);
    write(name, JSON.stringify(store.get()));
  };
  return { ...store, set };
}

/** As createKeptValue, and changed along with the other tabs of this browser. */
export function createShared<Value>(name: string, parse: (kept: string) => Value): Store<Value> {
  const store = createKeptValue(name, parse);
  // A value that is written as it was gives the others no event.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === name) store.set(parse(newValue ?? ''));
  });
  return store;
}

// Private windows and blocked storage throw: the choice then lasts as long as the page.
function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    return;
  }
}
