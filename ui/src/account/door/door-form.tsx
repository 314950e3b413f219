/** The frame of a form at the door; the keyboard begins in its first field. */
import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';

interface DoorFormProps {
  readonly title: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

export function DoorForm({ title, onSubmit, children }: DoorFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form
      className="stack panel page-form"
      aria-label={title}
      ref={form}
      onSubmit={submit}
      noValidate
    >
      <h2>{title}</h2>
      {children}
    </form>
  );
}

interface DoorNoteProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** What to do next, in place of a form that is done. */
export function DoorNote({ title, text, children }: DoorNoteProps) {
  return (
    <section className="stack panel page-form">
      <h2>{title}</h2>
      <p role="status">{text}</p>
      {children}
    </section>
  );
}

/** As a mail server takes it; the venue looks closer. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text.trim());
}
