/**
 * The terms of a competition: each field is checked, and what a change does is shown before it is
 * done. What stands because of its rounds cannot be edited.
 */

import { useState } from 'react';
import { admin } from '#client';
import { Button, Check, Field, FieldRow, Select } from '../../look/mod.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { go } from '../place.ts';
import {
  changedTerms,
  draftOf,
  hasFault,
  JOIN_MODES,
  MONEY_MAX,
  type MoneyDraft,
  moneyFault,
  NEW_TERMS,
  RANKINGS,
  type Standing,
  standingOf,
  type TermsDraft,
  type TermsField,
  termsFault,
  termsOf,
  WALLETS,
  withMoney,
} from './terms-draft.ts';
import { useTermLines } from './terms-lines.ts';

interface DialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const NOTHING_STANDS: Standing = { isUnderWay: false, hasResults: false };

export function NewCompetitionDialog({ onDone, onClose }: DialogProps) {
  const { desk } = useCompetitionTexts();
  const { listings } = useDeskTexts();
  const [draft, setDraft] = useState(NEW_TERMS);
  const run = async (): Promise<string> => {
    if (hasFault(draft)) throw new Error(listings.seeFields);
    const row = await operator.call(admin.makeCompetition, termsOf(draft));
    onDone();
    go('competitions', row.competitionId);
    return desk.created(row.name);
  };
  return (
    <ActionDialog title={desk.create} action={desk.create} {...{ run, onClose }}>
      <TermsFields draft={draft} standing={NOTHING_STANDS} onDraft={setDraft} />
    </ActionDialog>
  );
}

interface EditDialogProps extends DialogProps {
  readonly seen: admin.CompetitionAnswer;
  readonly competitionId: string;
}

export function TermsDialog({ seen, competitionId, onDone, onClose }: EditDialogProps) {
  const { desk } = useCompetitionTexts();
  const { listings } = useDeskTexts();
  const [before] = useState(() => draftOf(seen));
  const [draft, setDraft] = useState(before);
  const changes = changedTerms(before, draft);
  const lines = useTermLines(before, draft);
  const isFaulty = hasFault(draft);
  const run = async (): Promise<string> => {
    if (isFaulty) throw new Error(listings.seeFields);
    await operator.call(admin.changeCompetition, { competition: competitionId, ...changes });
    onDone();
    return desk.saved;
  };
  const question = isFaulty || lines.length === 0 ? undefined : [listings.preview, ...lines];
  return (
    <ActionDialog
      title={desk.terms}
      action={desk.save}
      question={question?.join('\n')}
      isMild
      {...{ run, onClose }}
    >
      <TermsFields draft={draft} standing={standingOf(seen)} onDraft={setDraft} />
    </ActionDialog>
  );
}

interface TermsFieldsProps {
  readonly draft: TermsDraft;
  readonly standing: Standing;
  readonly onDraft: (draft: TermsDraft) => void;
}

function TermsFields({ draft, standing, onDraft }: TermsFieldsProps) {
  const { desk } = useCompetitionTexts();
  const field = (name: TermsField, label: string, isFixed: boolean, isNumber = false) => {
    const fault = termsFault(draft, name);
    return (
      <Field
        label={label}
        value={draft[name]}
        onValue={(value) => onDraft({ ...draft, [name]: value })}
        isNumber={isNumber}
        disabled={isFixed}
        fault={fault === undefined || draft[name] === '' ? undefined : desk.faults[fault]}
        required={name !== 'description'}
      />
    );
  };
  const { isUnderWay, hasResults } = standing;
  return (
    <>
      {field('name', desk.name, false)}
      {field('description', desk.description, false)}
      <Money {...{ draft, onDraft }} isFixed={isUnderWay} />
      <FieldRow>
        {field('coin', desk.scoredIn, hasResults)}
        {field('seconds', desk.sample, isUnderWay, true)}
      </FieldRow>
      <FieldRow>
        <Select
          label={desk.rankBy}
          value={draft.rankBy}
          choices={RANKINGS.map((one) => [one, desk.rankings[one]] as const)}
          onValue={(rankBy) => onDraft({ ...draft, rankBy })}
          disabled={hasResults}
        />
        <Select
          label={desk.joinBy}
          value={draft.joinBy}
          choices={JOIN_MODES.map((one) => [one, desk.joinModes[one]] as const)}
          onValue={(joinBy) => onDraft({ ...draft, joinBy })}
        />
      </FieldRow>
      <Check
        label={desk.holds}
        value={draft.holdsAccounts}
        onValue={(holdsAccounts) => onDraft({ ...draft, holdsAccounts })}
        disabled={isUnderWay}
      />
      <Check
        label={desk.isPublic}
        value={draft.isPublic}
        onValue={(isPublic) => onDraft({ ...draft, isPublic })}
      />
      {hasResults ? <p className="remark">{desk.stands}</p> : null}
      {isUnderWay ? <p className="remark">{desk.standsNow}</p> : null}
    </>
  );
}

interface MoneyProps extends Omit<TermsFieldsProps, 'standing'> {
  readonly isFixed: boolean;
}

/** The starting money, a row for each coin and wallet. */
function Money({ draft, isFixed, onDraft }: MoneyProps) {
  const { desk } = useCompetitionTexts();
  const { money } = draft;
  const change = (to: MoneyDraft): void =>
    onDraft({ ...draft, money: money.map((one) => (one.row === to.row ? to : one)) });
  const remove = (row: number): void =>
    onDraft({ ...draft, money: money.filter((one) => one.row !== row) });
  return (
    <fieldset className="ops-rows stack" disabled={isFixed}>
      <legend className="field-label">{desk.money}</legend>
      {money.map((one) => (
        <FieldRow key={one.row}>
          <MoneyFields {...{ draft, one }} onChange={change} />
          {money.length < 2 ? null : (
            <Button aria-label={desk.removeMoneyOf(one.coin)} onClick={() => remove(one.row)}>
              {desk.removeMoney}
            </Button>
          )}
        </FieldRow>
      ))}
      <div className="actions">
        <Button disabled={money.length >= MONEY_MAX} onClick={() => onDraft(withMoney(draft))}>
          {desk.addMoney}
        </Button>
      </div>
    </fieldset>
  );
}

interface MoneyFieldsProps {
  readonly draft: TermsDraft;
  readonly one: MoneyDraft;
  readonly onChange: (to: MoneyDraft) => void;
}

function MoneyFields({ draft, one, onChange }: MoneyFieldsProps) {
  const { desk } = useCompetitionTexts();
  const field = (name: 'coin' | 'amount') => {
    const fault = moneyFault(draft, one, name);
    return (
      <Field
        label={name === 'coin' ? desk.coin : desk.amount}
        value={one[name]}
        onValue={(value) => onChange({ ...one, [name]: value })}
        isNumber={name === 'amount'}
        fault={fault === undefined || one[name] === '' ? undefined : desk.faults[fault]}
        required
      />
    );
  };
  return (
    <>
      {field('amount')}
      {field('coin')}
      <Select
        label={desk.wallet}
        value={one.wallet}
        choices={WALLETS.map((wallet) => [wallet, desk.wallets[wallet]] as const)}
        onValue={(wallet) => onChange({ ...one, wallet })}
      />
    </>
  );
}
