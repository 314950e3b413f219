/** A modal dialog on the browser's own: it keeps the focus, and Esc closes it. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';

/** What the reader does first: the first field of a form, or what confirms it; not the ✕. */
const FIRST = 'form input, form select, form button[type="submit"]';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Is open as long as it is rendered, at the end of the document: it may hold a form of its own. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const { look } = useTexts();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect ends before the element is gone: only then does the focus go back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>(FIRST)?.focus();
    return () => shown?.close();
  }, []);
  return createPortal(
    <dialog
      className="dialog"
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <Button tone="quiet" aria-label={look.close} onClick={onClose}>
          ✕
        </Button>
      </header>
      {children}
    </dialog>,
    document.body,
  );
}

interface QuestionProps {
  readonly title: string;
  readonly text: ReactNode;
  /** Names the action, as in "Cancel 12 orders". */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks once before something that cannot be taken back. Enter confirms. */
export function Question(props: QuestionProps) {
  const { title, text, action, isDanger, isBusy, onConfirm, onClose } = props;
  const { look } = useTexts();
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <div>{text}</div>
        <div className="dialog-actions">
          <Button onClick={onClose}>{look.cancel}</Button>
          <Button
            type="submit"
            tone={isDanger === true ? 'danger' : 'main'}
            isBusy={isBusy === true}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
