/** A button that does something: whose role may not do it has none. */
import type { ComponentProps } from 'react';
import { Button } from '../look/mod.ts';
import { type Duty, useMay } from './operator.ts';

interface ActProps extends ComponentProps<typeof Button> {
  /** What it is for; `run` if absent. */
  readonly duty?: Duty;
}

export function Act({ duty = 'run', ...button }: ActProps) {
  return useMay(duty) ? <Button {...button} /> : null;
}
