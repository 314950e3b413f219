/** The admin console: the token first, then its tabs. */
import { type SubmitEvent, useEffect, useState } from 'react';
import { Button, Check, Field, focusNext } from '../look/mod.ts';
import { useHasPeople, useVenue } from '../session/use-venue.ts';
import { goSignIn } from '../session/way-back.ts';
import { PageHead } from '../shell/page-head.tsx';
import { useStore } from '../store/store.ts';
import { useOperatorTexts } from '../texts/operators.ts';
import { useOpsTexts } from '../texts/ops.ts';
import { Desk } from './desk.tsx';
import { type OperatorState, operator, useActing } from './operator.ts';
import { Pulse } from './pulse.tsx';
import '../look/section.css';
import './ops.css';

const TOKEN_WRONG = '60121';
const OPERATOR_NEEDED = '60821';
/** Of a link to the console that was used, or is too old. */
const LINK_OVER = '403';
const FACTOR_NEEDED = '60822';

export function App() {
  const ops = useOpsTexts();
  const isIn = useStore(operator.state, ({ kind }) => kind === 'in');
  useEffect(() => void operator.resume(), []);
  const leave = isIn ? <Leave /> : null;
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

/** Who operates, and the way out: of the console alone, the person stays signed in. */
function Leave() {
  const ops = useOpsTexts();
  const texts = useOperatorTexts();
  const acting = useActing();
  return (
    <>
      {acting === undefined ? null : (
        <span className="remark">
          {texts.you(acting.name, texts.roles[acting.role] ?? acting.role)}
        </span>
      )}
      <Button onClick={() => operator.leave()}>{ops.leave}</Button>
    </>
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
  const texts = useOperatorTexts();
  const isDemo = useVenue()?.demo != null;
  const [token, setToken] = useState('');
  const [isKept, setKept] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void enter(token, isKept);
  };
  return (
    <form className="stack panel page-form" onSubmit={submit}>
      <h2>{ops.title}</h2>
      <ByEmail />
      <Field label={ops.token} value={token} onValue={setToken} type="password" required />
      <Check label={ops.keep} value={isKept} onValue={setKept} />
      <Refused state={state} />
      <p className="remark">{ops.explanation}</p>
      {isDemo ? <p className="remark">{texts.demoLink}</p> : null}
      <Button type="submit" tone="main" isBusy={state.kind === 'checking'}>
        {ops.enter}
      </Button>
    </form>
  );
}

/** Persons with a role sign in as everywhere, and come back. */
function ByEmail() {
  const texts = useOperatorTexts();
  if (useHasPeople() !== true) return null;
  return (
    <>
      <Button isWide onClick={goSignIn}>
        {texts.bySession}
      </Button>
      <p className="remark">{texts.orByToken}</p>
    </>
  );
}

/** Why nobody operates here yet, and what to do about it. */
function Refused({ state }: { readonly state: OperatorState }) {
  const ops = useOpsTexts();
  const texts = useOperatorTexts();
  if (state.kind !== 'refused') return null;
  if (state.code === FACTOR_NEEDED) {
    return (
      <p className="fault" role="alert">
        {texts.factorNeeded} <a href="/account#security">{texts.toAccount}</a>
      </p>
    );
  }
  const known: Readonly<Record<string, string>> = {
    [TOKEN_WRONG]: ops.tokenInvalid,
    [OPERATOR_NEEDED]: texts.notOperator,
    [LINK_OVER]: texts.linkOver,
  };
  return (
    <p className="fault" role="alert">
      {known[state.code] ?? `${ops.signInFailed}: ${state.code} ${state.text}`}
    </p>
  );
}
