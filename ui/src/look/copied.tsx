/** Text to take away: beside it a button that copies it. */
import { type Ref, useState } from 'react';
import { useTexts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { notifyFailure } from './notices.tsx';

export function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  const { look } = useTexts();
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="copied">
        <code>{text}</code>
        <CopyButton label={look.copy} about={label} text={text} />
      </div>
    </div>
  );
}

interface CopyButtonProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly label: string;
  /** What is copied, where several buttons say the same. */
  readonly about?: string;
  readonly text: string;
}

export function CopyButton({ ref, label, about, text }: CopyButtonProps) {
  const { look } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch (error) {
      notifyFailure(look.notCopied, error);
    }
  };
  return (
    <Button
      ref={ref}
      aria-label={about === undefined ? undefined : `${label}: ${about}`}
      onClick={() => void copy()}
    >
      {isCopied ? look.copied : label}
    </Button>
  );
}
