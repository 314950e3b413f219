/** One account: its balances, its settings, its keys, and what the operator does to them. */

import { useState } from 'react';
import { admin } from '#client';
import { Button, Fact, Refusal, Skeleton, useTimes } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useHasPeople } from '../../session/use-venue.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { go } from '../place.ts';
import { useLoaded } from '../use-loaded.ts';
import { Activity } from './activity.tsx';
import { Balances } from './balances.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { AccountLevel } from './fee-levels.tsx';
import { Keys } from './keys.tsx';
import { Settings } from './settings.tsx';

const EVERY_MS = 3_000;

/** Named by its id or by its name. */
export function AccountPage({ named }: { readonly named: string }) {
  const ops = useOpsTexts();
  const { data, failure, reload } = useLoaded(admin.account, { account: named }, EVERY_MS);
  return (
    <div className="ops-page">
      <div className="ops-line">
        <Button tone="quiet" onClick={() => go('accounts')}>
          ← {ops.accounts.title}
        </Button>
        <Refusal failure={failure} />
      </div>
      {data === undefined ? (
        failure === undefined && <Skeleton lines={8} />
      ) : (
        <>
          <AccountHead account={data} onDone={reload} />
          <div className="ops-aside">
            <div className="ops-page">
              <Balances account={data} onDone={reload} />
              <Keys account={data} />
            </div>
            <Settings key={data.accountId} account={data} onDone={reload} />
          </div>
          <Activity accountId={data.accountId} />
        </>
      )}
    </div>
  );
}

interface AccountHeadProps {
  readonly account: admin.AccountAnswer;
  readonly onDone: () => void;
}

export function AccountHead({ account, onDone }: AccountHeadProps) {
  const ops = useOpsTexts();
  const { accounts } = ops;
  const { activity } = useDeskTexts();
  const times = useTimes();
  const [asked, setAsked] = useState<'freeze' | 'cancel' | 'close'>();
  const { name, accountId, frozen, moneyHolder, openOrders } = account;
  const scope = account.wallets === 'contract' ? 'contract' : 'coin';
  return (
    <section className="panel fact-line" aria-label={name}>
      <Fact label={accounts.name} text={name} />
      <Fact label={accounts.id} text={accountId} />
      <Fact label={ops.state} text={frozen ? accounts.frozen : accounts.active} />
      {moneyHolder === '' ? null : <Fact label={accounts.moneyHeldBy} text={moneyHolder} />}
      <Fact label={accounts.wallets} text={accounts.walletScopes[scope]} />
      <Fact label={accounts.openOrders} text={grouped(String(openOrders))} />
      {useHasPeople() === true ? <AccountLevel accountId={accountId} /> : null}
      <Fact label={accounts.created} text={times.dateTime(Number(account.cTime))} />
      <div className="actions ops-push">
        <Act onClick={() => setAsked('freeze')}>{frozen ? accounts.unfreeze : accounts.freeze}</Act>
        <Act onClick={() => setAsked('cancel')}>{accounts.cancelAll}</Act>
        <Act disabled={frozen} onClick={() => setAsked('close')}>
          {activity.closeAll}
        </Act>
      </div>
      {asked === 'freeze' ? (
        <FreezeDialog account={account} onDone={onDone} onClose={() => setAsked(undefined)} />
      ) : null}
      {asked === 'close' ? (
        <CloseDialog account={account} onDone={onDone} onClose={() => setAsked(undefined)} />
      ) : null}
      {asked === 'cancel' ? (
        <CancelDialog account={account} onDone={onDone} onClose={() => setAsked(undefined)} />
      ) : null}
    </section>
  );
}

interface AskProps extends AccountHeadProps {
  readonly onClose: () => void;
}

function FreezeDialog({ account, onDone, onClose }: AskProps) {
  const { accounts } = useOpsTexts();
  const { name, accountId, frozen } = account;
  const action = frozen ? accounts.unfreeze : accounts.freeze;
  const run = async (): Promise<string> => {
    await operator.call(admin.updateAccount, { account: accountId, frozen: !frozen });
    onDone();
    return frozen ? accounts.unfrozenNow(name) : accounts.frozenNow(name);
  };
  const question = frozen ? accounts.unfreezeQuestion(name) : accounts.freezeQuestion(name);
  return (
    <ActionDialog
      title={`${action}: ${name}`}
      isMild={frozen}
      {...{ action, question, run, onClose }}
    />
  );
}

function CancelDialog({ account, onDone, onClose }: AskProps) {
  const { accounts } = useOpsTexts();
  const { name, accountId, openOrders } = account;
  const run = async (): Promise<string> => {
    const { cancelled } = await operator.call(admin.cancelOrders, { account: accountId });
    onDone();
    return accounts.cancelled(String(cancelled), name);
  };
  return (
    <ActionDialog
      title={`${accounts.cancelAll}: ${name}`}
      action={accounts.cancelAll}
      question={accounts.cancelQuestion(grouped(String(openOrders)), name)}
      {...{ run, onClose }}
    />
  );
}
