/**
 * A dialog in which the operator does one thing: fills the fields, is asked once if it cannot be
 * taken back, and sees the refusal in place. It closes itself when the venue has done it.
 */
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Button, Dialog, Field, notify } from '../look/mod.ts';
import { useOperatorTexts } from '../texts/operators.ts';
import { useTexts } from '../texts/texts.ts';
import { describeFailure } from '../wire/failure.ts';
import { type Duty, operator, useActing, useMay } from './operator.ts';
import { Refusal } from './refusal.tsx';
import type { Failure } from './use-loaded.ts';

const TOKEN_ID = 'admin-token';

interface ActionDialogProps {
  readonly title: string;
  /** Names the action on its button, as in "Halt BTCUSDT_SPBL". */
  readonly action: string;
  /** What will happen; asked before it does. Without it the action is done at once. */
  readonly question?: string | undefined;
  /** The fields; without them only the question is asked. */
  readonly children?: ReactNode;
  /** Resolves with what to say in a notice when it is done. */
  readonly run: () => Promise<string>;
  readonly onClose: () => void;
  readonly isMild?: boolean;
  /** What it is for: whose role does not allow it cannot. */
  readonly duty?: Duty;
}

export function ActionDialog(props: ActionDialogProps) {
  const { title, action, question, children, run, onClose, isMild, duty = 'run' } = props;
  const texts = useTexts();
  const [isAsking, setAsking] = useState(children === undefined);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [note, setNote] = useState('');
  // On the account page nobody operates: the venue alone says what a person may.
  const isByOperator = useActing() !== undefined;
  const mayDo = useMay(duty) || !isByOperator;
  const carryOut = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      notify('good', await operator.because(note, run));
      onClose();
    } catch (error) {
      setFailure(describeFailure(error));
      setAsking(children === undefined);
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (question !== undefined && !isAsking) setAsking(true);
    else void carryOut();
  };
  const back = (): void => (children === undefined ? onClose() : setAsking(false));
  const isGrave = question !== undefined && isMild !== true;
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {isAsking ? <p className="ops-question">{question}</p> : children}
        <ForTheLog note={note} onNote={setNote} mayDo={mayDo} />
        <Refusal failure={failure} />
        <div className="dialog-actions">
          <Button onClick={isAsking ? back : onClose}>{texts.look.cancel}</Button>
          {mayDo ? (
            <Confirm key={String(isAsking)} isAsked={isAsking} isGrave={isGrave} isBusy={isBusy}>
              {action}
            </Confirm>
          ) : null}
        </div>
      </form>
    </Dialog>
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

interface ConfirmProps {
  readonly isAsked: boolean;
  readonly isGrave: boolean;
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

/** Takes the focus when it is what answers the question. */
function Confirm({ isAsked, isGrave, isBusy, children }: ConfirmProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsked) button.current?.focus();
  }, [isAsked]);
  const tone = isAsked && isGrave ? 'danger' : 'main';
  return (
    <Button type="submit" tone={tone} isBusy={isBusy} ref={button}>
      {children}
    </Button>
  );
}
