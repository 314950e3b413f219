/** An action of the operator: by whose role it may be done, and why it is, for the log. */
import { useState } from 'react';
import { type ActionDialogProps, Field, ActionDialog as Plain } from '../look/mod.ts';
import { useOperatorTexts } from '../texts/operators.ts';
import { type Duty, operator, useActing, useMay } from './operator.ts';

const TOKEN_ID = 'admin-token';

interface OperatorDialogProps extends Omit<ActionDialogProps, 'below' | 'mayDo'> {
  /** What it is for: whose role does not allow it cannot. */
  readonly duty?: Duty;
}

export function ActionDialog({ run, duty = 'run', ...props }: OperatorDialogProps) {
  const [note, setNote] = useState('');
  // On the account page nobody operates: the venue alone says what a person may.
  const isByOperator = useActing() !== undefined;
  const mayDo = useMay(duty) || !isByOperator;
  return (
    <Plain
      {...props}
      mayDo={mayDo}
      run={() => operator.because(note, run)}
      below={<ForTheLog note={note} onNote={setNote} mayDo={mayDo} />}
    />
  );
}

interface ForTheLogProps {
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly mayDo: boolean;
}

/** Why it is done, where persons operate or the venue wants to know; or that the role may not. */
function ForTheLog({ note, onNote, mayDo }: ForTheLogProps) {
  const texts = useOperatorTexts();
  const acting = useActing();
  if (acting === undefined) return null;
  if (!mayDo) {
    return <p className="fault">{texts.mayNot(texts.roles[acting.role] ?? acting.role)}</p>;
  }
  if (acting.id === TOKEN_ID && !acting.reasonRequired) return null;
  return (
    <Field label={texts.note} value={note} onValue={onNote} required={acting.reasonRequired} />
  );
}
