/** Closes every position of an account at the market, and names what is still held. */
import type { AccountWithBalances } from '#dialects';
import { notify } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';

interface CloseDialogProps {
  readonly account: AccountWithBalances;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface Closed {
  readonly closed: number;
  readonly left: readonly {
    readonly contract: string;
    readonly side: string;
    readonly why: string;
  }[];
}

export function CloseDialog({ account, onDone, onClose }: CloseDialogProps) {
  const { activity } = useDeskTexts();
  const { name, accountId } = account;
  const run = async (): Promise<string> => {
    const path = `/admin/v1/accounts/${accountId}/close-positions`;
    const { closed, left } = await operator.call<Closed>('POST', path);
    for (const { contract, why } of left) notify('warning', activity.stillHeld(contract), why);
    onDone();
    return activity.closedAll(String(closed), name);
  };
  return (
    <ActionDialog
      title={`${activity.closeAll}: ${name}`}
      action={activity.closeAll}
      question={activity.closeQuestion(name)}
      {...{ run, onClose }}
    />
  );
}
