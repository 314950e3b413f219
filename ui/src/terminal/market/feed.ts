/** Feeds: the public data of one instrument, followed while some part of the page shows it. */
import { useEffect } from 'react';
import { createStore, type Store, useStore } from '../../store/store.ts';
import type { Instrument } from '../context.ts';

/** Starts to follow an instrument, puts every new view, and returns how to stop. */
type Begin<View> = (instrument: Instrument, put: (view: View) => void) => () => void;

interface Feed<View> {
  readonly store: Store<View | undefined>;
  followers: number;
  end: (() => void) | undefined;
}

/**
 * A hook for a feed. However many components use it, an instrument is followed once; the view is
 * undefined until the first one was put, and again after the last follower has left.
 */
export function createFeed<View>(begin: Begin<View>): (instrument: Instrument) => View | undefined {
  const feeds = new Map<string, Feed<View>>();
  const feedOf = (symbol: string): Feed<View> => {
    const known = feeds.get(symbol);
    if (known !== undefined) return known;
    const store = createStore<View | undefined>(undefined);
    const made: Feed<View> = { store, followers: 0, end: undefined };
    feeds.set(symbol, made);
    return made;
  };
  return (instrument) => {
    const feed = feedOf(instrument.symbol);
    useEffect(() => follow(feed, instrument, begin), [feed, instrument]);
    return useStore(feed.store);
  };
}

function follow<View>(feed: Feed<View>, instrument: Instrument, begin: Begin<View>): () => void {
  feed.followers += 1;
  feed.end ??= begin(instrument, (view) => {
    // An answer may come after the last follower has left.
    if (feed.followers > 0) feed.store.set(view);
  });
  return () => {
    feed.followers -= 1;
    if (feed.followers > 0) return;
    feed.end?.();
    feed.end = undefined;
    feed.store.set(undefined);
  };
}
