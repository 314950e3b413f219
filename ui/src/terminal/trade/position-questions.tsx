/** Questions before a position is turned around, and before all of them are closed. */
import { useState } from 'react';
import { Button, Question } from '../../look/mod.ts';
import { useTexts } from '../../texts/texts.ts';
import { closeAll, reverse } from './calls.ts';
import { marketName, sizeOf } from './formats.ts';
import type { Held } from './held.ts';
import { usePermissions } from './permissions.ts';
import { useAction } from './use-action.ts';

interface ReverseQuestionProps {
  readonly held: Held;
  readonly onClose: () => void;
}

/** One call: what cannot be closed is not opened on the other side. */
export function ReverseQuestion({ held: { position }, onClose }: ReverseQuestionProps) {
  const { trade } = useTexts();
  const { isBusy, run } = useAction();
  const { symbol, side, closable: size } = position;
  const other = trade[side === 'long' ? 'short' : 'long'];
  return (
    <Question
      title={`${trade.reverse}: ${marketName(symbol, trade)} ${trade[side]}`}
      text={trade.reverseText(`${sizeOf(size, symbol)} ${trade.contractsUnit}`, other)}
      action={trade.reverse}
      isDanger
      isBusy={isBusy}
      onConfirm={() => void run(() => reverse(symbol, side)).then(onClose)}
      onClose={onClose}
    />
  );
}

/** Asks once, with the count as the venue told it last. */
export function CloseAll({ count }: { readonly count: number }) {
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const { isBusy, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const shut = (): void => setAsking(false);
  return (
    <>
      <Button tone="quiet" disabled={!mayTrade || count === 0} onClick={() => setAsking(true)}>
        {trade.closeAll}
      </Button>
      {isAsking ? (
        <Question
          title={trade.closeAll}
          text={trade.closeAllText(String(count))}
          action={trade.closeCount(String(count))}
          isDanger
          isBusy={isBusy}
          onConfirm={() => void run(closeAll).then(shut)}
          onClose={shut}
        />
      ) : null}
    </>
  );
}
