/** Prices that are set by hand, and money out of nothing. */

import { useState } from 'react';
import { type admin, sandbox as api } from '#client';
import { Field, Refusal, Section, Select } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { useClientOids } from '../client-oid.ts';
import { operator } from '../operator.ts';
import { Line } from './line.tsx';
import { useStep } from './use-step.ts';

interface ListedProps {
  readonly listed: admin.InstrumentsAnswer;
}

export function Market({ listed }: ListedProps) {
  const { sandbox } = useOpsTexts();
  return (
    <Section title={sandbox.market}>
      <div className="ops-controls">
        <PriceLine listed={listed} />
        <IndexLine listed={listed} />
        <CreditLine listed={listed} />
      </div>
    </Section>
  );
}

function PriceLine({ listed }: ListedProps) {
  const { sandbox } = useOpsTexts();
  const pairs = listed.spot.map(({ base, quote }) => `${base}/${quote}`);
  const [pair, setPair] = useState(pairs[0] ?? '');
  const [price, setPrice] = useState('');
  const step = useStep();
  const [coin = '', quote = ''] = pair.split('/');
  const move = (): void =>
    step.run(async () => {
      await operator.call(api.movePrice, { coin, price, quote });
      return sandbox.moved(pair, price);
    });
  return (
    <>
      <Line {...step} label={sandbox.price} action={sandbox.price} onSubmit={move}>
        <Select label={sandbox.pair} value={pair} choices={choicesOf(pairs)} onValue={setPair} />
        <Field
          label={sandbox.priceOf}
          value={price}
          onValue={setPrice}
          unit={quote}
          isNumber
          required
        />
      </Line>
      <Refusal failure={step.failure} />
    </>
  );
}

function IndexLine({ listed }: ListedProps) {
  const { sandbox } = useOpsTexts();
  const symbols = listed.contracts.map((contract) => contract.symbol);
  const [symbol, setSymbol] = useState(symbols[0] ?? '');
  const [price, setPrice] = useState('');
  const step = useStep();
  const set = (): void =>
    step.run(async () => {
      await operator.call(api.setIndex, { symbol, price });
      return sandbox.indexed(symbol, price);
    });
  return (
    <>
      <Line {...step} label={sandbox.index} action={sandbox.index} onSubmit={set}>
        <Select
          label={sandbox.contract}
          value={symbol}
          choices={choicesOf(symbols)}
          onValue={setSymbol}
        />
        <Field label={sandbox.indexPrice} value={price} onValue={setPrice} isNumber required />
      </Line>
      <p className="remark">{sandbox.indexMeaning}</p>
      <Refusal failure={step.failure} />
    </>
  );
}

function CreditLine({ listed }: ListedProps) {
  const { sandbox } = useOpsTexts();
  const coins = listed.assets.map(({ code }) => code);
  const wallets = ['spot', ...listed.contracts.map((contract) => contract.symbol)];
  const [account, setAccount] = useState('');
  const [coin, setCoin] = useState(coins[0] ?? '');
  const [wallet, setWallet] = useState('spot');
  const [amount, setAmount] = useState('');
  const step = useStep();
  const oids = useClientOids();
  const credit = (): void =>
    step.run(async () => {
      const asked = { account, coin, amount, wallet };
      const clientOid = oids.of(asked);
      await operator.call(api.credit, { ...asked, clientOid });
      oids.done();
      return sandbox.credited(amount, coin, account);
    });
  return (
    <>
      <Line {...step} label={sandbox.credit} action={sandbox.credit} onSubmit={credit}>
        <Field label={sandbox.account} value={account} onValue={setAccount} required />
        <Select
          label={sandbox.wallet}
          value={wallet}
          choices={choicesOf(wallets)}
          onValue={setWallet}
        />
        <Select label={sandbox.coin} value={coin} choices={choicesOf(coins)} onValue={setCoin} />
        <Field label={sandbox.amount} value={amount} onValue={setAmount} isNumber required />
      </Line>
      <Refusal failure={step.failure} />
    </>
  );
}

function choicesOf(values: readonly string[]) {
  return values.map((value) => [value, value] as const);
}
