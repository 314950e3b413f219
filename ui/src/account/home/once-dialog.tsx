/** Shows what is never shown again: each part to copy, and all of it together. */

import { useEffect, useRef } from 'react';
import { Button, Copied, CopyButton, Dialog } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';

interface OnceDialogProps {
  readonly title: string;
  readonly means: string;
  readonly parts: readonly (readonly [label: string, text: string])[];
  /** What a program reads of it; without it the parts as they are. */
  readonly whole?: string;
  readonly onClose: () => void;
}

export function OnceDialog({ title, means, parts, whole, onClose }: OnceDialogProps) {
  const { once } = usePeopleTexts();
  const copy = useRef<HTMLButtonElement>(null);
  // Enter, pressed once more, copies it; it must not close what is never shown again.
  useEffect(() => copy.current?.focus(), []);
  const text = whole ?? parts.map(([, part]) => part).join('\n');
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <p className="question">{means}</p>
        {parts.map(([label, part]) => (
          <Copied key={label} label={label} text={part} />
        ))}
        <div className="dialog-actions">
          <CopyButton ref={copy} label={once.copyAll} text={text} />
          <Button tone="main" onClick={onClose}>
            {once.kept}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
