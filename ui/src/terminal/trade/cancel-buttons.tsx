/** Taking back what waits, an order or a plan: one by its row, or all that are shown. */
import { useState } from 'react';
import { Button, Question } from '../../look/mod.ts';
import { useTexts } from '../../texts/texts.ts';
import { usePermissions } from './permissions.ts';
import { useAction } from './use-action.ts';

interface CancelButtonProps {
  /** What it takes back, for who does not see the row. */
  readonly name: string;
  readonly cancel: () => Promise<void>;
}

export function CancelButton({ name, cancel }: CancelButtonProps) {
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const { isBusy, run } = useAction();
  return (
    <Button
      tone="quiet"
      isBusy={isBusy}
      disabled={!mayTrade}
      aria-label={trade.cancelOrder(name)}
      onClick={() => void run(cancel)}
    >
      {trade.cancel}
    </Button>
  );
}

interface CancelAllProps<Line> {
  readonly lines: readonly Line[];
  /** What the button says; without it that it cancels all. */
  readonly label?: string;
  /** The question, with the number of lines. */
  readonly text: (count: string) => string;
  readonly cancelAll: (lines: readonly Line[]) => Promise<void>;
}

/** Asks once; what comes in between stays. */
export function CancelAll<Line>({ lines, label, text, cancelAll }: CancelAllProps<Line>) {
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const { isBusy, run } = useAction();
  const [asked, setAsked] = useState<readonly Line[] | undefined>();
  const confirm = async (): Promise<void> => {
    await run(() => cancelAll(asked ?? []));
    setAsked(undefined);
  };
  const count = String(asked?.length ?? 0);
  return (
    <>
      <Button
        tone="quiet"
        disabled={!mayTrade || lines.length === 0}
        onClick={() => setAsked(lines)}
      >
        {label ?? trade.cancelAll}
      </Button>
      {asked === undefined ? null : (
        <Question
          title={label ?? trade.cancelAllTitle}
          text={text(count)}
          action={trade.cancelCount(count)}
          isDanger
          isBusy={isBusy}
          onConfirm={() => void confirm()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
