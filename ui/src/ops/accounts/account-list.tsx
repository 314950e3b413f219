/** Accounts page by page. The search opens an account by its whole id or name. */

import { type SubmitEvent, useState } from 'react';
import { admin } from '#client';
import { Button, type Column, Field, Mark, Refusal, Section, Table, Time } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useHasPeople } from '../../session/use-venue.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { describeFailure } from '../../wire/failure.ts';
import { Act } from '../act.tsx';
import { operator } from '../operator.ts';
import { go } from '../place.ts';
import { type Failure, useLoaded } from '../use-loaded.ts';
import { ExportButton } from './export-button.tsx';
import { FeeLevels } from './fee-levels.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { NewAccountDialog } from './new-account-dialog.tsx';

const ROWS = 50;

export function AccountList() {
  const ops = useOpsTexts();
  const { accounts } = ops;
  const [typed, setTyped] = useState('');
  const [isOpening, setOpening] = useState(false);
  // Where each page begins: the last one is shown.
  const [starts, setStarts] = useState<readonly string[]>(['0']);
  const { data, failure, reload } = useLoaded(admin.accounts, {
    after: starts.at(-1) ?? '0',
    limit: ROWS + 1,
  });
  const rows = data?.slice(0, ROWS);
  const last = rows?.at(-1)?.accountId;
  const hasMore = (data?.length ?? 0) > ROWS;
  const search = typed.trim().toLowerCase();
  const shown = rows?.filter(
    ({ accountId, name }) => accountId === search || name.toLowerCase().includes(search),
  );
  return (
    <div className="ops-page">
      <Section
        title={accounts.title}
        actions={
          <>
            <Search typed={typed} onTyped={setTyped} />
            <Act onClick={() => setOpening(true)}>{accounts.open}</Act>
            {useHasPeople() === true ? <BulkButtons onDone={reload} /> : null}
          </>
        }
      >
        <Refusal failure={failure} />
        <AccountTable rows={shown} isFiltered={search !== ''} />
        <nav className="pager" aria-label={ops.pages}>
          <Button disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>
            {ops.previous}
          </Button>
          <span className="remark">{ops.page(String(starts.length))}</span>
          <Button
            disabled={!hasMore || last === undefined}
            onClick={() => setStarts([...starts, last ?? '0'])}
          >
            {ops.next}
          </Button>
        </nav>
      </Section>
      {useHasPeople() === true ? <FeeLevels /> : null}
      {isOpening ? <NewAccountDialog onClose={() => setOpening(false)} /> : null}
    </div>
  );
}

/** Many accounts at a time, by file. */
function BulkButtons({ onDone }: { readonly onDone: () => void }) {
  const { imports } = useDeskTexts();
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <Act onClick={() => setImporting(true)}>{imports.open}</Act>
      <ExportButton />
      {isImporting ? <ImportDialog onDone={onDone} onClose={() => setImporting(false)} /> : null}
    </>
  );
}

interface SearchProps {
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
}

/** Typing narrows the page that is shown; Enter asks the venue for the account. */
function Search({ typed, onTyped }: SearchProps) {
  const { accounts } = useOpsTexts();
  const [failure, setFailure] = useState<Failure>();
  const search = async (): Promise<void> => {
    try {
      const { accountId } = await operator.call(admin.account, { account: typed.trim() });
      go('accounts', accountId);
    } catch (error) {
      setFailure(describeFailure(error));
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setFailure(undefined);
    if (typed.trim() !== '') void search();
  };
  return (
    <search>
      <form className="ops-search" onSubmit={submit}>
        <Field
          label={accounts.search}
          placeholder={accounts.searchMeaning}
          value={typed}
          onValue={onTyped}
        />
        <Button type="submit">{accounts.find}</Button>
        <Refusal failure={failure} />
      </form>
    </search>
  );
}

interface AccountTableProps {
  readonly rows: readonly admin.AccountsRow[] | undefined;
  readonly isFiltered: boolean;
}

function AccountTable({ rows, isFiltered }: AccountTableProps) {
  const ops = useOpsTexts();
  const { accounts } = ops;
  const columns: readonly Column<admin.AccountsRow>[] = [
    { name: 'id', title: accounts.id, cell: ({ accountId }) => accountId },
    {
      name: 'name',
      title: accounts.name,
      cell: ({ accountId, name }) => (
        <a href={`#accounts/${accountId}`} onClick={(event) => event.stopPropagation()}>
          {name}
        </a>
      ),
    },
    {
      name: 'state',
      title: ops.state,
      cell: ({ frozen }) => (
        <Mark tone={frozen ? 'fault' : 'good'}>{frozen ? accounts.frozen : accounts.active}</Mark>
      ),
    },
    {
      name: 'orders',
      title: accounts.openOrders,
      cell: ({ openOrders }) => grouped(String(openOrders)),
      isNumber: true,
    },
    { name: 'taker', title: ops.takerFee, cell: (row) => row.takerFee ?? '–', isNumber: true },
    { name: 'maker', title: ops.makerFee, cell: (row) => row.makerFee ?? '–', isNumber: true },
    { name: 'stp', title: accounts.stp, cell: (row) => accounts.stpShort(row.selfTradePrevention) },
    { name: 'created', title: accounts.created, cell: (row) => <Time at={Number(row.cTime)} /> },
  ];
  return (
    <Table
      label={accounts.title}
      columns={columns}
      rows={rows}
      keyOf={({ accountId }) => accountId}
      onRow={({ accountId }) => go('accounts', accountId)}
      empty={isFiltered ? accounts.notOnPage : undefined}
    />
  );
}
