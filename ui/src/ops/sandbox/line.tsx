/** One control in a line: fields, and the button that does it. */

import type { ReactNode, SubmitEvent } from 'react';
import { Act } from '../act.tsx';

interface LineProps {
  /** Names the control for those who cannot see it. */
  readonly label: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

export function Line({ label, action, isBusy, onSubmit, children }: LineProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className="ops-control" aria-label={label} onSubmit={submit}>
      {children}
      <Act type="submit" isBusy={isBusy}>
        {action}
      </Act>
    </form>
  );
}
