/** Adds a fault rule: what goes wrong, for which calls or messages, and how often. */

import { useState } from 'react';
import { sandbox as api } from '#client';
import { FAULT_KINDS, FAULT_STATUSES } from '#domain';
import { Field, FieldRow, Select } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { bodyOf, EMPTY_FAULT, type FaultDraft, fieldsOf } from './fault-draft.ts';

interface FaultDialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function FaultDialog({ onDone, onClose }: FaultDialogProps) {
  const { sandbox } = useOpsTexts();
  const [draft, setDraft] = useState(EMPTY_FAULT);
  const run = async (): Promise<string> => {
    await operator.call(api.addFault, bodyOf(draft));
    onDone();
    return sandbox.faultAdded(sandbox.effects(draft.kind));
  };
  const text = (name: Exclude<keyof FaultDraft, 'kind' | 'status'>) => ({
    value: draft[name],
    onValue: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  return (
    <ActionDialog title={sandbox.addFault} action={sandbox.addFault} {...{ run, onClose }}>
      <Select
        label={sandbox.effect}
        value={draft.kind}
        choices={FAULT_KINDS.map((kind) => [kind, sandbox.effects(kind)] as const)}
        onValue={(kind) => setDraft({ ...draft, kind })}
      />
      <EffectFields draft={draft} onDraft={setDraft} />
      <Field label={sandbox.target} placeholder={sandbox.targetMeaning} {...text('target')} />
      <Field label={sandbox.key} placeholder={sandbox.everybody} {...text('key')} />
      <FieldRow>
        <Field label={sandbox.probability} {...text('probability')} isNumber />
        <Field label={sandbox.seed} {...text('seed')} isNumber />
      </FieldRow>
      <FieldRow>
        <Field label={sandbox.skip} {...text('skip')} isNumber />
        <Field label={sandbox.count} {...text('count')} isNumber />
      </FieldRow>
      <Field label={sandbox.label} {...text('label')} />
    </ActionDialog>
  );
}

interface EffectFieldsProps {
  readonly draft: FaultDraft;
  readonly onDraft: (draft: FaultDraft) => void;
}

function EffectFields({ draft, onDraft }: EffectFieldsProps) {
  const { sandbox } = useOpsTexts();
  const fields = fieldsOf(draft.kind);
  if (fields.length === 0) return null;
  return (
    <FieldRow>
      {fields.map((name) =>
        name === 'status' ? (
          <Select
            key={name}
            label={sandbox.status}
            value={draft.status}
            choices={FAULT_STATUSES.map((status) => [status, status] as const)}
            onValue={(status) => onDraft({ ...draft, status })}
          />
        ) : (
          <Field
            key={name}
            label={sandbox.figures[name]}
            value={draft[name]}
            onValue={(value) => onDraft({ ...draft, [name]: value })}
            unit="ms"
            isNumber
            required
          />
        ),
      )}
    </FieldRow>
  );
}
