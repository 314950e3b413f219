/** A call in progress: whether it is under way, and a notice when it failed. */
import { useCallback, useState } from 'react';
import { notifyRefusal } from './notice-words.ts';

interface Action {
  readonly isBusy: boolean;
  /** Resolves to whether it was done. */
  run(task: () => Promise<void>): Promise<boolean>;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const run = useCallback(async (task: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    try {
      await task();
      return true;
    } catch (error) {
      notifyRefusal(error);
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { isBusy, run };
}
