/**
 * A dialog in which one thing is done: the fields are filled, a question is asked once if it cannot
 * be taken back, and a refusal is shown in place. It closes itself when the venue has done it.
 */
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useTexts } from '../texts/texts.ts';
import { describeFailure } from '../wire/failure.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { notify } from './notices.tsx';
import { Refusal } from './refusal.tsx';

export interface ActionDialogProps {
  readonly title: string;
  /** Names the action on its button, as in "Halt BTC-USDT". */
  readonly action: string;
  /** What will happen; asked before it does. Without it the action is done at once. */
  readonly question?: string | undefined;
  /** The fields; without them only the question is asked. */
  readonly children?: ReactNode;
  /** Shown below the fields and below the question. */
  readonly below?: ReactNode;
  /** Resolves with what to say in a notice when it is done. */
  readonly run: () => Promise<string>;
  readonly onClose: () => void;
  readonly isMild?: boolean;
  /** Without it there is no button to do it. */
  readonly mayDo?: boolean;
}

export function ActionDialog(props: ActionDialogProps) {
  const { title, action, question, children, below, run, onClose, isMild, mayDo = true } = props;
  const texts = useTexts();
  const [isAsking, setAsking] = useState(children === undefined);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ReturnType<typeof describeFailure>>();
  const carryOut = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      notify('good', await run());
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
        {isAsking ? <p className="question">{question}</p> : children}
        {below}
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
