/**
 * Small stores outside React. A store changes at once and calls its listeners at the next frame,
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

/** A hidden page has no frames, but a title that is read: it goes on at this pace. */
const FRAME_MAX_MS = 1_000;

const due = new Set<() => void>();
let frame: number | undefined;
let frameTimer: ReturnType<typeof setTimeout> | undefined;

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

/** Runs the task once before the next paint, or within a second, however often it is asked for. */
export function atNextFrame(task: () => void): void {
  due.add(task);
  if (frame !== undefined) return;
  frame = requestAnimationFrame(runDue);
  frameTimer = setTimeout(runDue, FRAME_MAX_MS);
}

/** A task that throws is reported to the browser; the others still run. */
function runDue(): void {
  if (frame !== undefined) cancelAnimationFrame(frame);
  clearTimeout(frameTimer);
  frame = undefined;
  const tasks = [...due];
  due.clear();
  for (const task of tasks) {
    try {
      task();
    } catch (error) {
      reportError(error);
    }
  }
}

function isUpdate<T>(next: T | ((now: T) => T)): next is (now: T) => T {
  return typeof next === 'function';
}
