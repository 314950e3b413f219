/** The balances of an account in every wallet, and the movements of its money. */

import { useState } from 'react';
import type { admin } from '#client';
import { type Column, Section, Table } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { MOVEMENTS, type Movement, MovementDialog } from './movement-dialog.tsx';

type WalletRow = admin.AccountAnswer['balances'][number];

interface BalancesProps {
  readonly account: admin.AccountAnswer;
  readonly onDone: () => void;
}

export function Balances({ account, onDone }: BalancesProps) {
  const { accounts } = useOpsTexts();
  const [movement, setMovement] = useState<Movement>();
  const number = (name: 'balance' | 'available' | 'frozen' | 'lock'): Column<WalletRow> => ({
    name,
    title: accounts.amounts[name],
    cell: (row) => grouped(row[name]),
    isNumber: true,
  });
  const columns: readonly Column<WalletRow>[] = [
    { name: 'wallet', title: accounts.wallet, cell: ({ wallet }) => wallet },
    { name: 'coin', title: accounts.coin, cell: ({ coin }) => <strong>{coin}</strong> },
    number('balance'),
    number('available'),
    number('frozen'),
    number('lock'),
  ];
  const buttons = MOVEMENTS.map((name) => (
    <Act key={name} onClick={() => setMovement(name)}>
      {accounts.movements[name]}
    </Act>
  ));
  return (
    <Section title={accounts.balances} actions={buttons}>
      <Table
        label={accounts.balances}
        columns={columns}
        rows={account.balances}
        keyOf={({ wallet, coin }) => `${wallet} ${coin}`}
      />
      {movement === undefined ? null : (
        <MovementDialog {...{ movement, account, onDone }} onClose={() => setMovement(undefined)} />
      )}
    </Section>
  );
}
