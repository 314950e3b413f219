/** What one operator may move alone, by coin: seen by all, changed by owners. */

import { useState } from 'react';
import { admin } from '#client';
import { type Column, Field, Refusal, Section, Table, Time } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useOperatorTexts } from '../../texts/operators.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';

const EVERY_MS = 5_000;

export function OperatorLimits() {
  const texts = useOperatorTexts();
  const { data, failure, reload } = useLoaded(admin.operatorLimits, {}, EVERY_MS);
  const [isSetting, setSetting] = useState(false);
  const shown = (amount: string) => (amount === '' ? texts.noLimit : grouped(amount));
  const columns: readonly Column<admin.OperatorLimitsRow>[] = [
    { name: 'coin', title: texts.coin, cell: ({ coin }) => <strong>{coin}</strong> },
    { name: 'limit', title: texts.limit, cell: ({ amount }) => shown(amount), isNumber: true },
    {
      name: 'configured',
      title: texts.configured,
      cell: ({ configured }) => shown(configured),
      isNumber: true,
    },
    { name: 'by', title: texts.changedBy, cell: ({ changedBy }) => changedBy || '–' },
    {
      name: 'time',
      title: texts.time,
      cell: ({ changedTime }) => (changedTime === '0' ? '–' : <Time at={Number(changedTime)} />),
    },
  ];
  const set = (
    <Act duty="own" onClick={() => setSetting(true)}>
      {texts.setLimit}
    </Act>
  );
  return (
    <Section title={texts.limits} actions={set}>
      <p className="ops-note remark">{texts.limitsMean}</p>
      <Refusal failure={failure} />
      <Table
        label={texts.limits}
        columns={columns}
        rows={data}
        keyOf={({ coin }) => coin}
        empty={texts.noLimits}
      />
      {isSetting ? <LimitDialog onDone={reload} onClose={() => setSetting(false)} /> : null}
    </Section>
  );
}

interface LimitDialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function LimitDialog({ onDone, onClose }: LimitDialogProps) {
  const texts = useOperatorTexts();
  const [coin, setCoin] = useState('');
  const [amount, setAmount] = useState('');
  const run = async (): Promise<string> => {
    const asked = { coin: coin.trim(), amount: amount.trim() };
    await operator.call(admin.setOperatorLimit, asked).finally(onDone);
    return texts.limitSet(asked.coin.toUpperCase());
  };
  return (
    <ActionDialog
      title={texts.setLimit}
      action={texts.setLimit}
      question={texts.limitQuestion(coin.trim().toUpperCase(), amount.trim())}
      isMild
      duty="own"
      {...{ run, onClose }}
    >
      <Field label={texts.coin} value={coin} onValue={setCoin} required />
      <Field
        label={texts.limit}
        placeholder={texts.noLimit}
        value={amount}
        onValue={setAmount}
        isNumber
      />
      <p className="remark">{texts.limitRemark}</p>
    </ActionDialog>
  );
}
