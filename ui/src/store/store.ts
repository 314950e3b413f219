/**
 * Small stores outside React. A store changes at once and tells its listeners at the next frame,
 * all stores together, so that a hundred changes between two frames cost one repaint.
 */
import { useSyncExternalStore } from 'react';

export interface Store<T> {
  get(): T;
  /** Takes the next value, or a function of the present one. The same value changes nothing. */
  set(next: T | ((now: T) => T)): void;
  /** Calls the listener at the first frame after a change. Returns how to stop. */
  subscribe(listener: () => void): () => void;
}

const due = new Set<() => void>();
let isFramePlanned = false;

/** A store with this value. Values are immutable: put a new one, never change the old one. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    get: () => value,
    set: (next) => {
      const chosen = isUpdate(next) ? next(value) : next;
      if (Object.is(chosen, value)) return;
      value = chosen;
      atNextFrame(notify);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Follows a store in a component. */
export function useStore<T>(store: Store<T>): T;
/** Follows a part of it: repaints when the part is another one by Object.is. */
export function useStore<T, Part>(store: Store<T>, select: (value: T) => Part): Part;
export function useStore<T, Part>(store: Store<T>, select?: (value: T) => Part): T | Part {
  return useSyncExternalStore(store.subscribe, () => {
    const value = store.get();
    return select === undefined ? value : select(value);
  });
}

/** Runs the task once before the next paint, however often it is asked for. */
export function atNextFrame(task: () => void): void {
  due.add(task);
  if (isFramePlanned) return;
  isFramePlanned = true;
  requestAnimationFrame(runDue);
}

function runDue(): void {
  isFramePlanned = false;
  const tasks = [...due];
  due.clear();
  for (const task of tasks) task();
}

function isUpdate<T>(next: T | ((now: T) => T)): next is (now: T) => T {
  return typeof next === 'function';
}
