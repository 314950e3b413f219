/** Reads a path into a component: once, again on demand, or again and again. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { describeFailure } from '../wire/failure.ts';

export type Failure = ReturnType<typeof describeFailure>;

export interface Loaded<Data> {
  /** Undefined until it came, and after the path has changed. */
  readonly data: Data | undefined;
  /** Why the last reading failed; what came before it is still shown. */
  readonly failure: Failure | undefined;
  reload(): void;
}

interface Shown<Data> {
  readonly path: string | undefined;
  readonly turn: number;
  readonly data: Data | undefined;
  readonly failure: Failure | undefined;
}

/** Reads the path, every so many milliseconds while the page can be seen if that is given. */
export function useReading<Data>(
  call: (path: string) => Promise<Data>,
  path: string | undefined,
  everyMs = 0,
): Loaded<Data> {
  const caller = useRef(call);
  caller.current = call;
  const [turn, setTurn] = useState(0);
  const [shown, setShown] = useState<Shown<Data>>({
    path,
    turn,
    data: undefined,
    failure: undefined,
  });
  useEffect(() => {
    if (path === undefined) return;
    return repeated(everyMs, async (isOver) => {
      const answer = await read(caller.current, path);
      if (isOver()) return;
      setShown((now) => ({
        path,
        turn,
        data: answer.data ?? (now.path === path ? now.data : undefined),
        failure: answer.failure,
      }));
    });
  }, [path, everyMs, turn]);
  const reload = useCallback(() => setTurn((now) => now + 1), []);
  const isCurrent = shown.path === path;
  return {
    data: isCurrent ? shown.data : undefined,
    failure: isCurrent ? shown.failure : undefined,
    reload,
  };
}

interface Answer<Data> {
  readonly data: Data | undefined;
  readonly failure: Failure | undefined;
}

async function read<Data>(
  call: (path: string) => Promise<Data>,
  path: string,
): Promise<Answer<Data>> {
  try {
    return { data: await call(path), failure: undefined };
  } catch (error) {
    return { data: undefined, failure: describeFailure(error) };
  }
}

/** Runs the task, and again so long after its end; what it returns ends it. */
function repeated(everyMs: number, task: (isOver: () => boolean) => Promise<void>): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = async (): Promise<void> => {
    if (!document.hidden) await task(() => isOver);
    if (!isOver && everyMs > 0) timer = setTimeout(() => void next(), everyMs);
  };
  void next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
