/** Deposit, withdraw, transfer and lock: one form, whose fields depend on the movement. */

import { useState } from 'react';
import { admin } from '#client';
import { Field, FieldRow, Select, Skeleton } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { useClientOid } from '../client-oid.ts';
import { operator } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';

export const MOVEMENTS = ['deposit', 'withdraw', 'transfer', 'lock'] as const;
export type Movement = (typeof MOVEMENTS)[number];

const SPOT = 'spot';
const SHARED = 'margin';

interface MovementDialogProps {
  readonly movement: Movement;
  readonly account: admin.AccountAnswer;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface Draft {
  readonly coin: string;
  readonly amount: string;
  /** Of a deposit and a withdrawal, and where a transfer comes from. */
  readonly wallet: string;
  readonly to: string;
}

export function MovementDialog({ movement, account, onDone, onClose }: MovementDialogProps) {
  const { accounts } = useOpsTexts();
  const listed = useLoaded(admin.instruments, {}).data;
  const [draft, setDraft] = useState<Draft>({ coin: '', amount: '', wallet: SPOT, to: '' });
  const clientOid = useClientOid();
  const coins = listed?.assets.map(({ code }) => code) ?? [];
  const wallets = walletsOf(account, listed?.contracts ?? []);
  const chosen: Draft = {
    ...draft,
    coin: draft.coin || (coins[0] ?? ''),
    to: draft.to || (wallets[1] ?? SPOT),
  };
  const run = async (): Promise<string> => {
    await move(movement, account.accountId, chosen, clientOid);
    onDone();
    return accounts.moved[movement](chosen.amount, chosen.coin, account.name);
  };
  const asked = accounts.moveQuestion[movement];
  const question = asked(chosen.amount, chosen.coin, account.name, chosen.wallet, chosen.to);
  return (
    <ActionDialog
      title={`${accounts.movements[movement]}: ${account.name}`}
      action={accounts.movements[movement]}
      question={question}
      isMild={movement !== 'withdraw'}
      {...{ run, onClose }}
    >
      {listed === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <Fields {...{ movement, coins, wallets }} draft={chosen} onDraft={setDraft} />
      )}
    </ActionDialog>
  );
}

/** The wallet of a coin stands for all its linear contracts. */
function walletsOf(
  { wallets }: admin.AccountAnswer,
  contracts: admin.InstrumentsAnswer['contracts'],
): readonly string[] {
  const own = contracts.filter(({ kind }) => wallets === 'contract' || kind !== 'linear');
  const isShared = own.length < contracts.length;
  return [SPOT, ...(isShared ? [SHARED] : []), ...own.map(({ symbol }) => symbol)];
}

/** A lock is set and not added to: sent again it is the same. */
function move(
  movement: Movement,
  account: string,
  { coin, amount, wallet, to }: Draft,
  clientOid: string,
): Promise<unknown> {
  const moved = { account, coin, amount };
  switch (movement) {
    case 'lock':
      return operator.call(admin.lock, moved);
    case 'transfer':
      return operator.call(admin.transfer, { ...moved, from: wallet, to, clientOid });
    case 'deposit':
      return operator.call(admin.deposit, { ...moved, wallet, clientOid });
    case 'withdraw':
      return operator.call(admin.withdraw, { ...moved, wallet, clientOid });
  }
}

interface FieldsProps {
  readonly movement: Movement;
  readonly coins: readonly string[];
  readonly wallets: readonly string[];
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
}

function Fields({ movement, coins, wallets, draft, onDraft }: FieldsProps) {
  const { accounts } = useOpsTexts();
  const set = (name: keyof Draft) => (value: string) => onDraft({ ...draft, [name]: value });
  const isTransfer = movement === 'transfer';
  return (
    <>
      <FieldRow>
        <Select
          label={accounts.coin}
          value={draft.coin}
          choices={choicesOf(coins)}
          onValue={set('coin')}
        />
        <Field
          label={accounts.amount}
          value={draft.amount}
          onValue={set('amount')}
          unit={draft.coin}
          isNumber
          required
        />
      </FieldRow>
      {movement === 'lock' ? <p className="remark">{accounts.lockMeaning}</p> : null}
      {movement === 'lock' ? null : (
        <FieldRow>
          <Select
            label={isTransfer ? accounts.from : accounts.wallet}
            value={draft.wallet}
            choices={choicesOf(wallets)}
            onValue={set('wallet')}
          />
          {isTransfer ? (
            <Select
              label={accounts.to}
              value={draft.to}
              choices={choicesOf(wallets)}
              onValue={set('to')}
            />
          ) : null}
        </FieldRow>
      )}
    </>
  );
}

function choicesOf(values: readonly string[]) {
  return values.map((value) => [value, value] as const);
}
