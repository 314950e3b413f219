/** Asks for money to come in or to go out, within the rules of its coin and network. */

import { useState } from 'react';
import { people } from '#client';
import { Fact, Field, Select } from '../../look/mod.ts';
import { ActionDialog } from '../../ops/action-dialog.tsx';
import { plainAmount } from '../../ops/money/payment-parts.tsx';
import { person } from '../../session/person.ts';
import { useRequestTexts } from '../../texts/requests.ts';
import { proven } from './proof.tsx';

export type AskedKind = 'deposit' | 'withdrawal';
type ChainRules = people.PaymentRulesRow['chains'][number];

interface RequestDialogProps {
  readonly kind: AskedKind;
  readonly accountId: string;
  readonly rules: readonly people.PaymentRulesRow[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function isOpen(kind: AskedKind, { depositable, withdrawable }: ChainRules): boolean {
  return kind === 'deposit' ? depositable : withdrawable;
}

type Wanted = Omit<people.AskDepositInput, 'reference'>;

function bring(wanted: Wanted, reference: string): Promise<unknown> {
  return person.call(people.askDeposit, { ...wanted, reference });
}

function takeOut(wanted: Wanted, address: string, tag: string | undefined): Promise<unknown> {
  return person.call(people.askWithdrawal, { ...wanted, address, tag });
}

export function RequestDialog({ kind, accountId, rules, onDone, onClose }: RequestDialogProps) {
  const texts = useRequestTexts();
  const isOut = kind === 'withdrawal';
  const coins = rules.filter(({ chains }) => chains.some((one) => isOpen(kind, one)));
  const [code, setCode] = useState(coins[0]?.coin ?? '');
  const [network, setNetwork] = useState('');
  const [amount, setAmount] = useState('');
  const [target, setTarget] = useState('');
  const [tag, setTag] = useState('');
  // One request, however often it is sent.
  const [clientId] = useState(() => crypto.randomUUID());
  const coin = coins.find((one) => one.coin === code);
  const chains = coin?.chains.filter((one) => isOpen(kind, one)) ?? [];
  const chain = chains.find((one) => one.chain === network) ?? chains[0];
  const run = async (): Promise<string> => {
    const asked = { account: accountId, coin: code, chain: chain?.chain ?? '', clientId };
    const wanted = { ...asked, amount: amount.trim() };
    const tagOf = chain?.needTag === true ? tag : undefined;
    await proven(() => (isOut ? takeOut(wanted, target, tagOf) : bring(wanted, target)));
    onDone();
    return texts.asked;
  };
  return (
    <ActionDialog
      title={isOut ? texts.withdrawTitle : texts.depositTitle}
      action={isOut ? texts.withdraw : texts.deposit}
      {...{ run, onClose }}
    >
      <Select
        label={texts.coin}
        value={code}
        choices={coins.map((one) => [one.coin, one.coin] as const)}
        onValue={setCode}
      />
      {chains.length > 1 || chain?.chain !== '' ? (
        <Select
          label={texts.chain}
          value={chain?.chain ?? ''}
          choices={chains.map((one) => [one.chain, one.chain] as const)}
          onValue={setNetwork}
        />
      ) : null}
      <Field
        label={isOut ? texts.address : texts.depositReference}
        value={target}
        onValue={setTarget}
        required
      />
      {isOut && chain?.needTag === true ? (
        <Field label={texts.tag} value={tag} onValue={setTag} required />
      ) : null}
      <Field
        label={texts.amount}
        value={amount}
        onValue={setAmount}
        unit={code}
        isNumber
        required
      />
      {coin === undefined || chain === undefined ? null : <Rules {...{ kind, coin, chain }} />}
      <p className="remark">{isOut ? texts.withdrawMeans : texts.depositMeans}</p>
    </ActionDialog>
  );
}

interface RulesProps {
  readonly kind: AskedKind;
  readonly coin: people.PaymentRulesRow;
  readonly chain: ChainRules;
}

function Rules({ kind, coin, chain }: RulesProps) {
  const texts = useRequestTexts();
  const isOut = kind === 'withdrawal';
  const shown = (amount: string) => `${plainAmount(amount)} ${coin.coin}`;
  return (
    <div className="account-facts">
      <Fact label={texts.min} text={shown(isOut ? chain.minWithdraw : chain.minDeposit)} />
      {isOut ? <Fact label={texts.fee} text={shown(chain.fee)} /> : null}
      {isOut && coin.dailyLimit !== '' ? (
        <Fact label={texts.dailyLimit} text={shown(coin.dailyLimit)} />
      ) : null}
    </div>
  );
}
