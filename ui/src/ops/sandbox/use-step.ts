/** One control of the sandbox at a time: busy while the venue works, refusals in place. */
import { useState } from 'react';
import { notify } from '../../look/mod.ts';
import { describeFailure } from '../../wire/failure.ts';
import type { Failure } from '../use-loaded.ts';

export interface Step {
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  /** Runs an action of the operator and shows its result in a notice. */
  run(task: () => Promise<string>): void;
}

export function useStep(onDone?: () => void): Step {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const carryOut = async (task: () => Promise<string>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      notify('good', await task());
    } catch (error) {
      setFailure(describeFailure(error));
    }
    setBusy(false);
    onDone?.();
  };
  return { isBusy, failure, run: (task) => void carryOut(task) };
}
