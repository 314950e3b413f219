/** Shows recovery codes, the only time they are seen: to copy, or as a file. */

import { useEffect, useRef } from 'react';
import { Button, CopyButton, Dialog } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { factor, once } = usePeopleTexts();
  const copy = useRef<HTMLButtonElement>(null);
  // Enter, pressed once more, copies them; it must not close what is never shown again.
  useEffect(() => copy.current?.focus(), []);
  const text = `${codes.join('\r\n')}\r\n`;
  return (
    <Dialog title={factor.recovery} onClose={onClose}>
      <div className="stack">
        <p className="question">{factor.recoveryMeans}</p>
        <ul className="account-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="dialog-actions">
          <CopyButton ref={copy} label={once.copyAll} text={text} />
          <Button onClick={() => save(text)}>{once.download}</Button>
          <Button tone="main" onClick={onClose}>
            {once.kept}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'outcry-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}
