/** Makes a competition, and then shows it. */
import { useState } from 'react';
import type { CompetitionRow } from '#dialects';
import { Check, Field, FieldRow, Select } from '../../look/mod.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { go } from '../place.ts';
import { COMPETITIONS } from './path.ts';

interface DialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const SECOND_MS = 1_000;
const WALLETS = ['margin', 'spot'] as const;
const RANKINGS = ['return', 'sharpe'] as const;

export function NewCompetitionDialog({ onDone, onClose }: DialogProps) {
  const { desk } = useCompetitionTexts();
  const [name, setName] = useState('');
  const [coin, setCoin] = useState('USDT');
  const [amount, setAmount] = useState('10000');
  const [wallet, setWallet] = useState<(typeof WALLETS)[number]>('margin');
  const [seconds, setSeconds] = useState('10');
  const [rankBy, setRankBy] = useState<(typeof RANKINGS)[number]>('return');
  const [holdsAccounts, setHolds] = useState(true);
  const [isPublic, setPublic] = useState(true);
  const run = async (): Promise<string> => {
    const row = await operator.call<CompetitionRow>('POST', COMPETITIONS, {
      ...{ name, coin, rankBy, holdsAccounts, isPublic },
      sampleMs: Math.round(Number(seconds) * SECOND_MS),
      money: [{ coin, amount, wallet }],
    });
    onDone();
    go('competitions', row.competitionId);
    return desk.created(row.name);
  };
  return (
    <ActionDialog title={desk.create} action={desk.create} {...{ run, onClose }}>
      <Field label={desk.name} value={name} onValue={setName} required />
      <FieldRow>
        <Field label={desk.coin} value={coin} onValue={setCoin} required />
        <Field label={desk.money(coin)} value={amount} onValue={setAmount} isNumber required />
      </FieldRow>
      <FieldRow>
        <Select
          label={desk.wallet}
          value={wallet}
          choices={WALLETS.map((one) => [one, desk.wallets[one]] as const)}
          onValue={setWallet}
        />
        <Select
          label={desk.rankBy}
          value={rankBy}
          choices={RANKINGS.map((one) => [one, desk.rankings[one]] as const)}
          onValue={setRankBy}
        />
      </FieldRow>
      <Field label={desk.sample} value={seconds} onValue={setSeconds} isNumber required />
      <Check label={desk.holds} value={holdsAccounts} onValue={setHolds} />
      <Check label={desk.isPublic} value={isPublic} onValue={setPublic} />
    </ActionDialog>
  );
}
