/** Makes an API key with the permissions and addresses that are chosen. */

import { useState } from 'react';
import { admin } from '#client';
import { PERMISSIONS, type Permission } from '#domain';
import { Check, Field } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { KeyTermsFields, termsAsked, USUAL_TERMS } from './key-terms.tsx';

interface NewKeyDialogProps {
  readonly account: admin.AccountsRow;
  readonly onMade: (key: admin.CreateKeyAnswer) => void;
  readonly onClose: () => void;
}

export function NewKeyDialog({ account, onMade, onClose }: NewKeyDialogProps) {
  const { accounts } = useOpsTexts();
  const [label, setLabel] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [addresses, setAddresses] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[]>(['read', 'trade']);
  const [terms, setTerms] = useState(USUAL_TERMS);
  const run = async (): Promise<string> => {
    const ipAllowList = addresses.split(/[\s,]+/).filter((address) => address !== '');
    const asked = { label, passphrase, permissions, ipAllowList, ...termsAsked(terms) };
    onMade(await operator.call(admin.createKey, { account: account.accountId, ...asked }));
    return accounts.keyMade(account.name);
  };
  const allow = (name: string, isAllowed: boolean): void => {
    setPermissions(
      PERMISSIONS.filter((one) => (one === name ? isAllowed : permissions.includes(one))),
    );
  };
  return (
    <ActionDialog
      title={`${accounts.makeKey}: ${account.name}`}
      action={accounts.makeKey}
      {...{ run, onClose }}
    >
      <Field label={accounts.label} value={label} onValue={setLabel} />
      <fieldset className="checks">
        <legend className="field-label">{accounts.permissions}</legend>
        {PERMISSIONS.map((name) => (
          <Check
            key={name}
            label={accounts.permissionNames[name]}
            value={permissions.includes(name)}
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
      <Field
        label={accounts.passphrase}
        placeholder={accounts.passphraseMeaning}
        value={passphrase}
        onValue={setPassphrase}
      />
      <KeyTermsFields terms={terms} onTerms={setTerms} />
    </ActionDialog>
  );
}
