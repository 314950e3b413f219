/** Closes every position of an account at the market, and names what is still held. */
import { admin } from '#client';
import { notify } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';

interface CloseDialogProps {
  readonly account: admin.AccountAnswer;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function CloseDialog({ account, onDone, onClose }: CloseDialogProps) {
  const { activity } = useDeskTexts();
  const { name, accountId } = account;
  const run = async (): Promise<string> => {
    const { closed, left } = await operator.call(admin.closePositions, { account: accountId });
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
