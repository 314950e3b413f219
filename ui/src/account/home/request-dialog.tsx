/** Asks for money to come in or to go out, within the rules of its coin and network. */
import { useState } from 'react';
import type { CoinRulesRow } from '#dialects';
import { Fact, Field, Select } from '../../look/mod.ts';
import { ActionDialog } from '../../ops/action-dialog.tsx';
import { plainAmount } from '../../ops/money/payment-parts.tsx';
import { person } from '../../session/person.ts';
import { useRequestTexts } from '../../texts/requests.ts';
import { proven } from './proof.tsx';

export type AskedKind = 'deposit' | 'withdrawal';
type ChainRules = CoinRulesRow['chains'][number];

interface RequestDialogProps {
  readonly kind: AskedKind;
  /** Of the account. */
  readonly path: string;
  readonly rules: readonly CoinRulesRow[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function isOpen(kind: AskedKind, { depositable, withdrawable }: ChainRules): boolean {
  return kind === 'deposit' ? depositable : withdrawable;
}

export function RequestDialog({ kind, path, rules, onDone, onClose }: RequestDialogProps) {
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
    const input = {
      ...{ coin: code, chain: chain?.chain ?? '', amount: amount.trim(), clientId },
      ...(isOut ? { address: target, ...(chain?.needTag === true ? { tag } : {}) } : {}),
      ...(isOut ? {} : { reference: target }),
    };
    await proven(() => person.call('POST', `${path}/${isOut ? 'withdrawals' : 'deposits'}`, input));
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
  readonly coin: CoinRulesRow;
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
