/** The admin console: the token first, then its tabs. */
import { type SubmitEvent, useEffect, useState } from 'react';
import { Button, Check, Field, focusNext } from '../look/mod.ts';
import { PageHead } from '../shell/page-head.tsx';
import { useStore } from '../store/store.ts';
import { useOpsTexts } from '../texts/ops.ts';
import { Desk } from './desk.tsx';
import { operator } from './operator.ts';
import { Pulse } from './pulse.tsx';
import './ops.css';

const TOKEN_WRONG = '60121';

export function App() {
  const ops = useOpsTexts();
  const isIn = useStore(operator.state, ({ kind }) => kind === 'in');
  useEffect(() => void operator.resume(), []);
  const leave = isIn ? <Button onClick={() => operator.leave()}>{ops.leave}</Button> : null;
  return (
    <div className="ops">
      <PageHead page="desk" middle={isIn ? <Pulse /> : null} end={leave} />
      <main className="ops-main" tabIndex={-1}>
        <h1 className="only-read-out">{ops.title}</h1>
        {isIn ? <Desk /> : <TokenForm />}
      </main>
    </div>
  );
}

/** The form is gone once the token is taken: the keyboard goes on in the console. */
async function enter(token: string, isKept: boolean): Promise<void> {
  await operator.enter(token, isKept);
  if (operator.state.get().kind === 'in') focusNext('main');
}

function TokenForm() {
  const ops = useOpsTexts();
  const state = useStore(operator.state);
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void enter(token, isKept);
  };
  return (
    <form className="stack panel page-form" onSubmit={submit}>
      <h2>{ops.title}</h2>
      <Field label={ops.token} value={token} onValue={setToken} type="password" required />
      <Check label={ops.keep} value={isKept} onValue={setKept} />
      {state.kind === 'refused' ? (
        <p className="fault" role="alert">
          {state.code === TOKEN_WRONG
            ? ops.tokenInvalid
            : `${ops.signInFailed}: ${state.code} ${state.text}`}
        </p>
      ) : null}
      <p className="remark">{ops.explanation}</p>
      <Button type="submit" tone="main" isBusy={state.kind === 'checking'}>
        {ops.enter}
      </Button>
    </form>
  );
}
