/** Shows a key that was just made: the only time its secret is ever seen. */

import { useEffect, useRef } from 'react';
import type { admin } from '#client';
import { Button, Copied, CopyButton, Dialog } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';

interface MadeKeyDialogProps {
  readonly made: admin.CreateKeyAnswer;
  readonly onClose: () => void;
}

export function MadeKeyDialog({ made, onClose }: MadeKeyDialogProps) {
  const { accounts } = useOpsTexts();
  const { key, secret, passphrase } = made;
  const copy = useRef<HTMLButtonElement>(null);
  // Enter, pressed once more, copies the secret; it must not close what is never shown again.
  useEffect(() => copy.current?.focus(), []);
  return (
    <Dialog title={accounts.keyOnce} onClose={onClose}>
      <div className="stack">
        <p className="question">{accounts.keyOnceMeaning}</p>
        <Copied label={accounts.key} text={key} />
        {secret === '' ? null : <Copied label={accounts.secret} text={secret} />}
        <Copied label={accounts.passphrase} text={passphrase} />
        <div className="dialog-actions">
          <CopyButton
            ref={copy}
            label={accounts.copyAll}
            text={JSON.stringify({ key, secret, passphrase }, null, 2)}
          />
          <Button tone="main" onClick={onClose}>
            {accounts.keptIt}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
