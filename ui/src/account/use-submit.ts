/** One action of a form: it runs once at a time, and what the venue says against it is kept. */

import { useState } from 'react';
import { focusNext } from '../look/mod.ts';
import type { Failure } from '../store/use-reading.ts';
import { peopleTextsNow } from '../texts/people.ts';
import { describeFailure } from '../wire/failure.ts';

const TOO_MANY = '429';

interface Submit {
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  /** Resolves with whether it was done. */
  run(): Promise<boolean>;
}

export function useSubmit(task: () => Promise<void>): Submit {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = async (): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setFailure(undefined);
    try {
      await task();
      return true;
    } catch (error) {
      setFailure(inWords(describeFailure(error)));
      // The keyboard goes on at the first field that is wrong.
      focusNext('[aria-invalid="true"]');
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, run };
}

function inWords(failure: Failure): Failure {
  return failure.code === TOO_MANY ? { code: '', text: peopleTextsNow().faults.wait } : failure;
}

/** The failure if it is about this field: one of these codes. */
export function faultAt(
  failure: Failure | undefined,
  ...codes: readonly string[]
): string | undefined {
  return failure !== undefined && codes.includes(failure.code) ? failure.text : undefined;
}
