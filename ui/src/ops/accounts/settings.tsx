/** The settings of an account. Only what was changed is sent. */

import { type SubmitEvent, useState } from 'react';
import { admin } from '#client';
import { SELF_TRADE_PREVENTIONS } from '#domain';
import { Field, FieldRow, notify, Refusal, Section, Select } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { describeFailure } from '../../wire/failure.ts';
import { Act } from '../act.tsx';
import { operator, useMay } from '../operator.ts';
import type { Failure } from '../use-loaded.ts';

interface SettingsProps {
  readonly account: admin.AccountsRow;
  readonly onDone: () => void;
}

interface Draft {
  readonly name: string;
  readonly selfTradePrevention: string;
  readonly openOrdersMax: string;
  /** Empty for the instrument's. */
  readonly takerFee: string;
  readonly makerFee: string;
}

function draftOf(account: admin.AccountsRow): Draft {
  const { name, selfTradePrevention, openOrdersMax, takerFee, makerFee } = account;
  const texts = { openOrdersMax: String(openOrdersMax), takerFee: takerFee ?? '' };
  return { name, selfTradePrevention, ...texts, makerFee: makerFee ?? '' };
}

const NAMES = ['name', 'selfTradePrevention', 'openOrdersMax', 'takerFee', 'makerFee'] as const;

/** Fees that were emptied go back to the instrument's. */
function changesOf(account: admin.AccountsRow, draft: Draft): Record<string, string | null> {
  const now = draftOf(account);
  const changed = NAMES.filter((name) => draft[name].trim() !== now[name]);
  return Object.fromEntries(
    changed.map((name) => {
      const value = draft[name].trim();
      return [name, value === '' && name.endsWith('Fee') ? null : value];
    }),
  );
}

export function Settings({ account, onDone }: SettingsProps) {
  const ops = useOpsTexts();
  const { accounts } = ops;
  const mayRun = useMay('run');
  // What the draft began with: what others change meanwhile is not taken back by a save.
  const [base, setBase] = useState(account);
  const [draft, setDraft] = useState(() => draftOf(account));
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const changes = changesOf(base, draft);
  const begin = (row: admin.AccountsRow): void => {
    setBase(row);
    setDraft(draftOf(row));
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      begin(await operator.call(admin.updateAccount, { account: account.accountId, ...changes }));
      notify('good', accounts.saved(draft.name));
      onDone();
    } catch (error) {
      setFailure(describeFailure(error));
    }
    setBusy(false);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void save();
  };
  return (
    <Section title={accounts.settings}>
      <form className="stack ops-form" aria-label={accounts.settings} onSubmit={submit}>
        <fieldset className="ops-rows stack" disabled={!mayRun}>
          <Fields draft={draft} onDraft={setDraft} />
        </fieldset>
        <Refusal failure={failure} />
        <div className="dialog-actions">
          <Act onClick={() => begin(account)}>{ops.undo}</Act>
          <Act
            type="submit"
            tone="main"
            isBusy={isBusy}
            disabled={Object.keys(changes).length === 0}
          >
            {ops.save}
          </Act>
        </div>
      </form>
    </Section>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
}

function Fields({ draft, onDraft }: FieldsProps) {
  const ops = useOpsTexts();
  const { accounts } = ops;
  const set = (name: keyof Draft) => (value: string) => onDraft({ ...draft, [name]: value });
  const number = (name: 'openOrdersMax' | 'takerFee' | 'makerFee', label: string, hint = '') => (
    <Field label={label} value={draft[name]} onValue={set(name)} placeholder={hint} isNumber />
  );
  return (
    <>
      <FieldRow>
        <Field label={accounts.name} value={draft.name} onValue={set('name')} required />
        {number('openOrdersMax', accounts.openOrdersMax)}
      </FieldRow>
      <FieldRow>
        {number('takerFee', ops.takerFee, accounts.asListed)}
        {number('makerFee', ops.makerFee, accounts.asListed)}
      </FieldRow>
      <Select
        label={accounts.stp}
        value={draft.selfTradePrevention}
        choices={SELF_TRADE_PREVENTIONS.map((mode) => [mode, accounts.stpModes[mode]] as const)}
        onValue={set('selfTradePrevention')}
      />
    </>
  );
}
