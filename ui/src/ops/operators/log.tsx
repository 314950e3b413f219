/** The log of what operators did: searched, read page by page, saved as CSV, verified. */

import { type SubmitEvent, useState } from 'react';
import { admin } from '#client';
import {
  Button,
  type Column,
  Field,
  Mark,
  notifyFailure,
  Refusal,
  Section,
  Table,
  Time,
} from '../../look/mod.ts';
import { useOperatorTexts } from '../../texts/operators.ts';
import { operator } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';

const ROWS = 50;
const LONG_MAX_MS = 600_000;

const TONES = { done: 'good', refused: 'warning', failed: 'fault', unknown: 'plain' } as const;

/** What is searched for; empty texts are left out. */
interface Wanted {
  readonly who: string;
  readonly account: string;
  readonly text: string;
  readonly from: string;
  readonly until: string;
}

const EVERYTHING: Wanted = { who: '', account: '', text: '', from: '', until: '' };

function searchOf({ who, account, text, from, until }: Wanted): admin.ActionsCsvInput {
  const time = (day: string) => (day === '' ? undefined : new Date(day).getTime());
  return {
    who: who || undefined,
    account: account || undefined,
    text: text || undefined,
    from: time(from),
    until: time(until),
  };
}

export function ActionLog() {
  const texts = useOperatorTexts();
  const [wanted, setWanted] = useState(EVERYTHING);
  const [before, setBefore] = useState('');
  const { data, failure, reload } = useLoaded(admin.actions, {
    ...searchOf(wanted),
    before: before || undefined,
    limit: ROWS,
  });
  const find = (next: Wanted): void => {
    setBefore('');
    setWanted(next);
    reload();
  };
  const last = data?.at(-1)?.actionId;
  return (
    <div className="ops-page">
      <Section title={texts.log} actions={<LogActions wanted={wanted} />}>
        <SearchForm onFind={find} />
        <Refusal failure={failure} />
        <ActionTable rows={data} />
        <nav className="pager" aria-label={texts.log}>
          <Button disabled={before === ''} onClick={() => setBefore('')}>
            {texts.newest}
          </Button>
          <Button
            disabled={(data?.length ?? 0) < ROWS}
            onClick={() => setBefore(String(last ?? ''))}
          >
            {texts.older}
          </Button>
        </nav>
      </Section>
    </div>
  );
}

function SearchForm({ onFind }: { readonly onFind: (wanted: Wanted) => void }) {
  const texts = useOperatorTexts();
  const [wanted, setWanted] = useState(EVERYTHING);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onFind(wanted);
  };
  const field = (name: keyof Wanted, label: string, type = 'text') => (
    <Field
      label={label}
      type={type}
      value={wanted[name]}
      onValue={(value) => setWanted({ ...wanted, [name]: value })}
    />
  );
  return (
    <form className="ops-search ops-form" aria-label={texts.search} onSubmit={submit}>
      {field('who', texts.who)}
      {field('account', texts.account)}
      {field('text', texts.anyText)}
      {field('from', texts.fromDay, 'datetime-local')}
      {field('until', texts.untilDay, 'datetime-local')}
      <Button type="submit">{texts.find}</Button>
    </form>
  );
}

export function ActionTable({ rows }: { readonly rows: readonly admin.ActionsRow[] | undefined }) {
  const texts = useOperatorTexts();
  const columns: readonly Column<admin.ActionsRow>[] = [
    { name: 'time', title: texts.time, cell: ({ time }) => <Time at={Number(time)} /> },
    {
      name: 'who',
      title: texts.who,
      cell: (row) => texts.you(row.operator, texts.roles[row.role] ?? row.role),
    },
    {
      name: 'action',
      title: texts.action,
      cell: ({ kind, path }) => `${kind.split(' ')[0]} ${path}`,
    },
    { name: 'asked', title: texts.asked, cell: ({ asked }) => <code>{asked}</code> },
    { name: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    { name: 'outcome', title: texts.outcome, cell: (row) => <OutcomeMark row={row} /> },
    { name: 'from', title: texts.from, cell: ({ address }) => address },
    { name: 'request', title: texts.request, cell: ({ requestId }) => requestId },
  ];
  return (
    <Table
      label={texts.log}
      columns={columns}
      rows={rows}
      keyOf={({ actionId }) => String(actionId)}
      empty={texts.noActions}
    />
  );
}

function OutcomeMark({ row }: { readonly row: admin.ActionsRow }) {
  const texts = useOperatorTexts();
  return (
    <span title={row.answer}>
      <Mark tone={TONES[row.outcome]}>{texts.outcomes[row.outcome] ?? row.outcome}</Mark>{' '}
      {row.answer}
    </span>
  );
}

function LogActions({ wanted }: { readonly wanted: Wanted }) {
  const texts = useOperatorTexts();
  const [verdict, setVerdict] = useState<admin.VerifyActionsAnswer>();
  const [isBusy, setBusy] = useState(false);
  const busy = async (title: string, act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    await act().catch((error: unknown) => notifyFailure(title, error));
    setBusy(false);
  };
  const verify = async (): Promise<void> =>
    setVerdict(await operator.call(admin.verifyActions, {}, { timeoutMs: LONG_MAX_MS }));
  return (
    <>
      <span role="status">{verdict === undefined ? '' : verdictText(verdict, texts)}</span>
      <Button isBusy={isBusy} onClick={() => void busy(texts.verify, verify)}>
        {texts.verify}
      </Button>
      <Button isBusy={isBusy} onClick={() => void busy(texts.csv, () => saveCsv(wanted))}>
        {texts.csv}
      </Button>
    </>
  );
}

function verdictText(
  { intact, entries, lastHash, brokenAt }: admin.VerifyActionsAnswer,
  texts: ReturnType<typeof useOperatorTexts>,
): string {
  if (intact) return texts.intact(String(entries), lastHash.slice(0, 16));
  return texts.broken(String(brokenAt));
}

/** All that is found, as the venue writes it: a cut file says so in its last line. */
async function saveCsv(wanted: Wanted): Promise<void> {
  const search = searchOf(wanted);
  const file = await operator.call(admin.actionsCsv, search, { timeoutMs: LONG_MAX_MS });
  const url = URL.createObjectURL(new Blob([file], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'actions.csv';
  link.click();
  URL.revokeObjectURL(url);
}
