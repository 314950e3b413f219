/** The size of an element, followed as it changes. */
import { type RefObject, useEffect, useRef, useState } from 'react';

export interface Size {
  readonly width: number;
  readonly height: number;
}

const NOTHING: Size = { width: 0, height: 0 };

/** A ref for the element, and its inner size in pixels: zero until it stands on the page. */
export function useSize<Sized extends HTMLElement>(): [RefObject<Sized | null>, Size] {
  const ref = useRef<Sized>(null);
  const [size, setSize] = useState(NOTHING);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      setSize({ width: Math.floor(width), height: Math.floor(height) });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
