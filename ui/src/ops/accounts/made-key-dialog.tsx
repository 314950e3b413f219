/** Shows a key that was just made: the only time its secret is ever seen. */
import { type Ref, useEffect, useRef, useState } from 'react';
import type { NewKey } from '#dialects';
import { Button, Dialog, notifyFailure } from '../../look/mod.ts';
import { useTexts } from '../../texts/texts.ts';

interface MadeKeyDialogProps {
  readonly made: NewKey;
  readonly onClose: () => void;
}

export function MadeKeyDialog({ made, onClose }: MadeKeyDialogProps) {
  const { accounts } = useTexts().ops;
  const { key, secret, passphrase } = made;
  const copy = useRef<HTMLButtonElement>(null);
  // Enter, pressed once more, copies the secret; it must not close what is never shown again.
  useEffect(() => copy.current?.focus(), []);
  return (
    <Dialog title={accounts.keyOnce} onClose={onClose}>
      <div className="stack">
        <p className="ops-question">{accounts.keyOnceMeaning}</p>
        <Copied label={accounts.key} text={key} />
        <Copied label={accounts.secret} text={secret} />
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

function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  const { accounts } = useTexts().ops;
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="ops-copied">
        <code>{text}</code>
        <CopyButton label={accounts.copy} about={label} text={text} />
      </div>
    </div>
  );
}

interface CopyButtonProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly label: string;
  readonly about?: string;
  readonly text: string;
}

function CopyButton({ ref, label, about, text }: CopyButtonProps) {
  const { accounts } = useTexts().ops;
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch (error) {
      notifyFailure(accounts.notCopied, error);
    }
  };
  return (
    <Button
      ref={ref}
      aria-label={about === undefined ? undefined : `${label}: ${about}`}
      onClick={() => void copy()}
    >
      {isCopied ? accounts.copied : label}
    </Button>
  );
}
