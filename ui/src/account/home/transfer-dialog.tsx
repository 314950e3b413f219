/** Moves money from the spot wallet of an account to that of another one of the person. */

import { useState } from 'react';
import { people } from '#client';
import { Field, Select } from '../../look/mod.ts';
import { ActionDialog } from '../../ops/action-dialog.tsx';
import { nameOf } from '../../session/account-select.tsx';
import { person } from '../../session/person.ts';
import { useRequestTexts } from '../../texts/requests.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Access } from '../../wire/person.ts';
import { proven } from './proof.tsx';

interface TransferDialogProps {
  /** Of the account that the money leaves. */
  readonly accountId: string;
  readonly others: readonly Access[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function TransferDialog({ accountId, others, onDone, onClose }: TransferDialogProps) {
  const texts = useRequestTexts();
  const { session } = useTexts();
  const [to, setTo] = useState(others[0]?.accountId ?? '');
  const [coin, setCoin] = useState('USDT');
  const [amount, setAmount] = useState('');
  const [clientId] = useState(() => crypto.randomUUID());
  const run = async (): Promise<string> => {
    const input = { to, coin: coin.trim().toUpperCase(), amount: amount.trim(), clientId };
    await proven(() => person.call(people.askTransfer, { account: accountId, ...input }));
    onDone();
    return texts.transferred;
  };
  return (
    <ActionDialog title={texts.transferTitle} action={texts.transfer} {...{ run, onClose }}>
      <Select
        label={texts.toAccount}
        value={to}
        choices={others.map((one) => [one.accountId, nameOf(one, session)] as const)}
        onValue={setTo}
      />
      <Field label={texts.coin} value={coin} onValue={setCoin} required />
      <Field label={texts.amount} value={amount} onValue={setAmount} isNumber required />
    </ActionDialog>
  );
}
