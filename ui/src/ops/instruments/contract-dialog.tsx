/** Changes the terms of a contract, its risk tiers and the sources of its index. */

import { useState } from 'react';
import { admin } from '#client';
import { Field, FieldRow } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { type ContractDraft, changesOf, draftOf, TERM_NAMES } from './contract-draft.ts';
import { changeLines } from './listing-draft.ts';
import { RowsField } from './rows-field.tsx';

type ContractTerms = admin.InstrumentsAnswer['contracts'][number];

interface ContractDialogProps {
  readonly contract: ContractTerms;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ContractDialog({ contract, onDone, onClose }: ContractDialogProps) {
  const { instruments } = useOpsTexts();
  const { listings } = useDeskTexts();
  const [base] = useState(() => draftOf(contract));
  const [draft, setDraft] = useState(base);
  const changes = changesOf(base, draft);
  const terms: Readonly<Record<string, string>> = {
    ...instruments.terms,
    tiers: instruments.tiers,
  };
  const nameOf = (term: string) => terms[term] ?? term;
  const lines = changeLines(contract, changes, nameOf);
  const names = Object.keys(changes).map(nameOf).join(', ') || '–';
  const asked = instruments.changeQuestion(contract.symbol, names);
  const run = async (): Promise<string> => {
    await operator.call(admin.updateContract, { symbol: contract.symbol, ...changes });
    onDone();
    return instruments.changed(contract.symbol);
  };
  return (
    <ActionDialog
      title={instruments.termsOf(contract.symbol)}
      action={instruments.change}
      question={[asked, listings.preview, ...lines].join('\n')}
      isMild
      {...{ run, onClose }}
    >
      <TermFields draft={draft} onDraft={setDraft} />
      <p className="remark">{instruments.fractions}</p>
    </ActionDialog>
  );
}

interface TermFieldsProps {
  readonly draft: ContractDraft;
  readonly onDraft: (draft: ContractDraft) => void;
}

function TermFields({ draft, onDraft }: TermFieldsProps) {
  const { instruments } = useOpsTexts();
  const set = (name: keyof ContractDraft) => (value: ContractDraft[typeof name]) =>
    onDraft({ ...draft, [name]: value });
  return (
    <>
      <div className="ops-grid">
        {TERM_NAMES.map((name) => (
          <Field
            key={name}
            label={instruments.terms[name]}
            value={draft.terms[name] ?? ''}
            onValue={(value) => onDraft({ ...draft, terms: { ...draft.terms, [name]: value } })}
            isNumber
            required
          />
        ))}
      </div>
      <Field
        label={instruments.fundingTimes}
        value={draft.fundingTimes}
        onValue={set('fundingTimes')}
      />
      <RowsField
        title={instruments.tiers}
        columns={[instruments.tierContracts, instruments.tierRate, instruments.terms.maxLeverage]}
        rows={draft.tiers}
        onRows={set('tiers')}
      />
      <RowsField
        title={instruments.index}
        columns={[instruments.pair, instruments.feed, instruments.weight]}
        rows={draft.sources}
        onRows={set('sources')}
      />
      <FieldRow>
        <Field
          label={instruments.staleSeconds}
          value={draft.staleSeconds}
          onValue={set('staleSeconds')}
          isNumber
        />
        <Field
          label={instruments.outlier}
          value={draft.outlier}
          onValue={set('outlier')}
          isNumber
        />
      </FieldRow>
    </>
  );
}
