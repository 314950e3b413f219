/** Makes an API key with a label, permissions and addresses. */

import { useState } from 'react';
import { people } from '#client';
import { PERMISSIONS, type Permission } from '#domain';
import { ActionDialog, Check, Field } from '../../look/mod.ts';
import { KeyTermsFields, termsAsked, USUAL_TERMS } from '../../ops/accounts/key-terms.tsx';
import { nameOf } from '../../session/account-select.tsx';
import { person } from '../../session/person.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Access } from '../../wire/person.ts';
import { proven } from './proof.tsx';

interface NewKeyDialogProps {
  readonly account: Access;
  readonly onMade: (key: people.MakeKeyAnswer) => void;
  readonly onClose: () => void;
}

export function NewKeyDialog({ account, onMade, onClose }: NewKeyDialogProps) {
  const { keys, rights } = usePeopleTexts();
  const ops = useOpsTexts();
  const { session } = useTexts();
  const { accounts } = ops;
  const [label, setLabel] = useState('');
  const [addresses, setAddresses] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[]>(['read']);
  const [terms, setTerms] = useState(USUAL_TERMS);
  const run = async (): Promise<string> => {
    const ipAllowList = addresses.split(/[\s,]+/).filter((address) => address !== '');
    const asked = { label: label.trim(), permissions, ipAllowList, ...termsAsked(terms) };
    onMade(
      await proven(() => person.call(people.makeKey, { account: account.accountId, ...asked })),
    );
    return accounts.keyMade(nameOf(account, session));
  };
  const allow = (name: string, isAllowed: boolean): void => {
    setPermissions(
      PERMISSIONS.filter((one) => (one === name ? isAllowed : permissions.includes(one))),
    );
  };
  return (
    <ActionDialog title={accounts.makeKey} action={accounts.makeKey} {...{ run, onClose }}>
      <Field label={accounts.label} value={label} onValue={setLabel} />
      <fieldset className="checks">
        <legend className="field-label">{accounts.permissions}</legend>
        {PERMISSIONS.map((name) => (
          <Check
            key={name}
            label={rights[name]}
            value={permissions.includes(name)}
            disabled={!account.permissions.includes(name)}
            onValue={(isAllowed) => allow(name, isAllowed)}
          />
        ))}
      </fieldset>
      <Field
        label={accounts.addresses}
        placeholder={accounts.addressesMeaning}
        value={addresses}
        onValue={setAddresses}
      />
      <KeyTermsFields terms={terms} onTerms={setTerms} />
      <p className="remark">{keys.more}</p>
    </ActionDialog>
  );
}
