/** The accounts of a person, and the chosen one: balances, keys, orders, fills and positions. */

import { useState } from 'react';
import { admin } from '#client';
import { Rights } from '../../account/home/rights.tsx';
import { Button, type Column, Mark, Refusal, Section, Skeleton, Table } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import type { Access } from '../../wire/person.ts';
import { AccountHead } from '../accounts/account-page.tsx';
import { Activity } from '../accounts/activity.tsx';
import { Keys } from '../accounts/keys.tsx';
import { useLoaded } from '../use-loaded.ts';

const EVERY_MS = 3_000;
/** Shown in short; the page of the account has all. */
const COINS_SHOWN = 4;

export function PersonAccounts({ rows }: { readonly rows: readonly Access[] }) {
  const { desk, accounts } = usePeopleTexts();
  const [chosen, setChosen] = useState<string>();
  const shown = rows.find(({ accountId }) => accountId === chosen) ?? rows[0];
  const columns: readonly Column<Access>[] = [
    {
      name: 'account',
      title: accounts.account,
      cell: ({ accountId }) => <a href={`#accounts/${accountId}`}>{accountId}</a>,
    },
    { name: 'label', title: accounts.label, cell: ({ label }) => label },
    {
      name: 'permissions',
      title: accounts.access,
      cell: ({ permissions }) => <Rights rights={permissions} />,
    },
    {
      name: 'balances',
      title: desk.balances,
      cell: ({ accountId }) => <ShortBalances accountId={accountId} />,
    },
    {
      name: 'show',
      title: <span className="only-read-out">{desk.show}</span>,
      cell: ({ accountId, label }) =>
        accountId === shown?.accountId ? (
          <Mark tone="plain">{desk.shownBelow}</Mark>
        ) : (
          <Button
            aria-label={`${desk.show}: ${label || accountId}`}
            onClick={() => setChosen(accountId)}
          >
            {desk.show}
          </Button>
        ),
    },
  ];
  return (
    <>
      <Section title={desk.accounts}>
        <Table
          label={desk.accounts}
          columns={columns}
          rows={rows}
          keyOf={({ accountId }) => accountId}
          empty={desk.noAccounts}
        />
      </Section>
      {shown === undefined ? null : (
        <ChosenAccount key={shown.accountId} accountId={shown.accountId} />
      )}
    </>
  );
}

/** By coin over all wallets, as in "1,000 USDT, 2 BTC". */
function ShortBalances({ accountId }: { readonly accountId: string }) {
  const { data } = useLoaded(admin.account, { account: accountId });
  const { accounts } = useOpsTexts();
  if (data === undefined) return '–';
  const held = data.balances.filter(({ balance }) => /[1-9]/.test(balance));
  const texts = held
    .slice(0, COINS_SHOWN)
    .map(({ wallet, coin, balance }) =>
      wallet === 'spot' ? `${grouped(balance)} ${coin}` : `${grouped(balance)} ${coin} (${wallet})`,
    );
  if (held.length > COINS_SHOWN) texts.push('…');
  return (
    <>
      {data.frozen ? <Mark tone="fault">{accounts.frozen}</Mark> : null} {texts.join(', ') || '–'}
    </>
  );
}

function ChosenAccount({ accountId }: { readonly accountId: string }) {
  const { data, failure, reload } = useLoaded(admin.account, { account: accountId }, EVERY_MS);
  if (data === undefined && failure === undefined) return <Skeleton lines={4} />;
  return (
    <>
      <Refusal failure={failure} />
      {data === undefined ? null : (
        <>
          <AccountHead account={data} onDone={reload} />
          <Activity accountId={accountId} />
          <Keys account={data} />
        </>
      )}
    </>
  );
}
