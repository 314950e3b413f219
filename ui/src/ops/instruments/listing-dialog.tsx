/** Lists a coin, a pair or a contract: each field is checked before it is sent. */

import { useState } from 'react';
import { admin, type Endpoint } from '#client';
import { Field, Select } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import {
  faultOf,
  firstDraft,
  LISTING_FIELDS,
  type Listing,
  type ListingField,
  requestOf,
  type TierTexts,
  tierFault,
} from './listing-draft.ts';
import { RowsField } from './rows-field.tsx';

/** Their fields are texts that the form and the venue check. */
const CALLS: Readonly<Record<Listing, Endpoint<object, unknown>>> = {
  coin: admin.listAsset,
  pair: admin.listSpot,
  contract: admin.listContract,
};
const KINDS = ['linear', 'inverse'] as const;
const FIRST_TIERS: readonly TierTexts[] = [['100000', '0.005', '100']];

interface ListButtonProps {
  readonly listing: Listing;
  readonly onDone: () => void;
}

export function ListButton({ listing, onDone }: ListButtonProps) {
  const { listings } = useDeskTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Act onClick={() => setOpen(true)}>{listings.actions[listing]}</Act>
      {isOpen ? <ListDialog {...{ listing, onDone }} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ListDialog({
  listing,
  onDone,
  onClose,
}: ListButtonProps & { readonly onClose: () => void }) {
  const { listings } = useDeskTexts();
  const { instruments } = useOpsTexts();
  const [draft, setDraft] = useState(() => firstDraft(listing));
  const [tiers, setTiers] = useState(FIRST_TIERS);
  const [isSent, setSent] = useState(false);
  const fields: readonly ListingField[] = LISTING_FIELDS[listing];
  const name = draft.symbol || draft.code || [draft.base, draft.quote].filter(Boolean).join('/');
  const hasFault = fields.some((field) => faultOf(field, draft) !== undefined);
  const isFaulty = hasFault || (listing === 'contract' && tierFault(tiers));
  const run = async (): Promise<string> => {
    setSent(true);
    if (isFaulty) throw new Error(listings.seeFields);
    await operator.call(CALLS[listing], requestOf(listing, draft, tiers));
    onDone();
    return listings.listed(name);
  };
  const action = listings.actions[listing];
  const set = (field: string) => (value: string) => setDraft({ ...draft, [field]: value });
  return (
    <ActionDialog title={action} action={action} {...{ run, onClose }}>
      <div className="ops-grid">
        {fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            value={draft[field.name] ?? ''}
            onValue={set(field.name)}
            fault={isSent ? faultOf(field, draft) : undefined}
          />
        ))}
      </div>
      {listing === 'contract' ? (
        <RowsField
          title={instruments.tiers}
          columns={[instruments.tierContracts, instruments.tierRate, instruments.terms.maxLeverage]}
          rows={tiers}
          onRows={setTiers}
        />
      ) : null}
      <p className="remark">{listings.remarks[listing]}</p>
    </ActionDialog>
  );
}

interface OneFieldProps {
  readonly field: ListingField;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fault: ReturnType<typeof faultOf>;
}

function OneField({ field, value, onValue, fault }: OneFieldProps) {
  const { listings } = useDeskTexts();
  const { instruments } = useOpsTexts();
  const known: Readonly<Record<string, string>> = { ...instruments.terms, ...listings.fields };
  const label = known[field.name] ?? field.name;
  if (field.kind === 'choice') {
    const choices = KINDS.map((kind) => [kind, instruments.kinds[kind]] as const);
    const chosen = KINDS.find((kind) => kind === value) ?? 'linear';
    return <Select label={label} value={chosen} choices={choices} onValue={onValue} />;
  }
  return (
    <Field
      label={field.isOptional === true ? listings.optional(label) : label}
      value={value}
      onValue={onValue}
      isNumber={field.kind !== 'code' && field.kind !== 'symbol'}
      fault={fault === undefined ? undefined : listings.faults[fault]}
    />
  );
}
