/** Puts money into the insurance fund of a coin. */

import { useState } from 'react';
import { admin } from '#client';
import { Field } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { useClientOid } from '../client-oid.ts';
import { operator } from '../operator.ts';

interface FundDialogProps {
  readonly coin: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function FundDialog({ coin, onDone, onClose }: FundDialogProps) {
  const { money } = useOpsTexts();
  const [amount, setAmount] = useState('');
  const clientOid = useClientOid();
  const run = async (): Promise<string> => {
    await operator.call(admin.fundInsurance, { coin, amount, clientOid });
    onDone();
    return money.funded(amount, coin);
  };
  return (
    <ActionDialog
      title={money.fundCoin(coin)}
      action={money.fund}
      question={money.fundQuestion(amount, coin)}
      isMild
      {...{ run, onClose }}
    >
      <Field
        label={money.amount}
        value={amount}
        onValue={setAmount}
        unit={coin}
        isNumber
        required
      />
    </ActionDialog>
  );
}
