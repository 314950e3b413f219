/** Changes the terms and networks of a coin, with a check of each field and a preview. */

import { useState } from 'react';
import { admin } from '#client';
import { Button, Check, Field, FieldRow } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import {
  BUDGETS,
  type Coin,
  type CoinDraft,
  coinChangeLines,
  coinChanges,
  draftOfCoin,
  hasCoinFault,
  isBudget,
  NETWORK_FLAGS,
  NETWORKS_MAX,
  type NetworkDraft,
  networkFault,
  withNetwork,
} from './coin-draft.ts';

const ROWS = [
  ['minDepositAmount', 'minWithdrawAmount'],
  ['withdrawFee', 'depositConfirm'],
  ['withdrawConfirm', 'browserUrl'],
] as const;

interface CoinDialogProps {
  readonly coin: Coin;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function CoinDialog({ coin, onDone, onClose }: CoinDialogProps) {
  const { listings } = useDeskTexts();
  const { instruments } = useOpsTexts();
  const [draft, setDraft] = useState(() => draftOfCoin(coin));
  const changes = coinChanges(coin, draft);
  const names: Readonly<Record<string, string>> = listings.networkFields;
  const lines = coinChangeLines(coin, changes, (name) => names[name] ?? name, {
    added: listings.networkAdded,
    removed: listings.networkRemoved,
  });
  const isFaulty = hasCoinFault(coin, draft);
  const run = async (): Promise<string> => {
    if (isFaulty) throw new Error(listings.seeFields);
    await operator.call(admin.changeAsset, { coin: coin.code, ...changes });
    onDone();
    return instruments.changed(coin.code);
  };
  const question = isFaulty || lines.length === 0 ? undefined : [listings.preview, ...lines];
  return (
    <ActionDialog
      title={listings.networksOf(coin.code)}
      action={instruments.change}
      question={question?.join('\n')}
      isMild
      {...{ run, onClose }}
    >
      <Check
        label={listings.networkFields.transferable}
        value={draft.transferable}
        onValue={(transferable) => setDraft({ ...draft, transferable })}
      />
      <FieldRow>
        {BUDGETS.map((name) => (
          <Field
            key={name}
            label={listings.networkFields[name]}
            value={draft[name]}
            onValue={(value) => setDraft({ ...draft, [name]: value })}
            isNumber
            fault={isBudget(draft[name]) ? undefined : listings.budgetFault}
          />
        ))}
      </FieldRow>
      <Networks coin={coin} draft={draft} onDraft={setDraft} />
      <p className="remark">{listings.networksRemark}</p>
    </ActionDialog>
  );
}

interface NetworksProps {
  readonly coin: Coin;
  readonly draft: CoinDraft;
  readonly onDraft: (draft: CoinDraft) => void;
}

function Networks({ coin, draft, onDraft }: NetworksProps) {
  const { listings } = useDeskTexts();
  const { networks } = draft;
  const change = (to: NetworkDraft): void =>
    onDraft({ ...draft, networks: networks.map((one) => (one.row === to.row ? to : one)) });
  return (
    <>
      {networks.map((network) => (
        <fieldset key={network.row} className="ops-rows stack">
          <legend className="field-label">{network.chain || listings.newNetwork}</legend>
          <NetworkFields coin={coin} draft={draft} network={network} onChange={change} />
          <div className="actions">
            <Button
              aria-label={listings.removeNetwork(network.chain)}
              onClick={() =>
                onDraft({ ...draft, networks: networks.filter(({ row }) => row !== network.row) })
              }
            >
              {listings.remove}
            </Button>
          </div>
        </fieldset>
      ))}
      <div className="actions">
        <Button
          disabled={networks.length >= NETWORKS_MAX}
          onClick={() => onDraft(withNetwork(draft))}
        >
          {listings.addNetwork}
        </Button>
      </div>
    </>
  );
}

interface NetworkFieldsProps {
  readonly coin: Coin;
  readonly draft: CoinDraft;
  readonly network: NetworkDraft;
  readonly onChange: (network: NetworkDraft) => void;
}

function NetworkFields({ coin, draft, network, onChange }: NetworkFieldsProps) {
  const { listings } = useDeskTexts();
  const field = (name: 'chain' | (typeof ROWS)[number][number]) => {
    const fault = networkFault(coin, draft, network, name);
    return (
      <Field
        key={name}
        label={listings.networkFields[name]}
        value={network[name]}
        onValue={(value) => onChange({ ...network, [name]: value })}
        isNumber={name !== 'chain' && name !== 'browserUrl'}
        fault={fault === undefined ? undefined : listings.networkFaults[fault](String(coin.scale))}
      />
    );
  };
  return (
    <>
      {field('chain')}
      <div className="checks">
        {NETWORK_FLAGS.map((name) => (
          <Check
            key={name}
            label={listings.networkFields[name]}
            value={network[name]}
            onValue={(value) => onChange({ ...network, [name]: value })}
          />
        ))}
      </div>
      {ROWS.map((names) => (
        <FieldRow key={names[0]}>{names.map(field)}</FieldRow>
      ))}
    </>
  );
}
