/** E-mail and password, then the code of the second factor where there is one. */

import { useState } from 'react';
import { people } from '#client';
import { Button, Field } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { takeWayBack } from '../../session/way-back.ts';
import { useStore } from '../../store/store.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { isCode, SECOND_FACTOR_NEEDED } from '../../wire/person.ts';
import { FormFault } from '../fault.tsx';
import { useSubmit } from '../use-submit.ts';
import { DoorForm, isEmail } from './door-form.tsx';
import { news } from './news.ts';

interface SignInFormProps {
  readonly hasEnded: boolean;
  readonly rules: people.RulesAnswer | undefined;
}

interface Proof {
  readonly email: string;
  readonly password: string;
}

export function SignInForm({ hasEnded, rules }: SignInFormProps) {
  const [proof, setProof] = useState<Proof>({ email: '', password: '' });
  const [needsCode, setNeedsCode] = useState(false);
  if (needsCode) return <CodeForm proof={proof} onBack={() => setNeedsCode(false)} />;
  const onCode = () => setNeedsCode(true);
  return <PasswordForm {...{ hasEnded, rules, proof, onCode }} onProof={setProof} />;
}

/** Signs in, and goes on where the reader was. */
async function enter(proof: Proof, code?: string): Promise<void> {
  const input = code === undefined ? proof : { ...proof, code };
  const session = await person.call(people.signIn, input);
  news.set(undefined);
  person.adopt(session);
  const wayBack = takeWayBack();
  if (wayBack !== undefined) location.assign(wayBack);
}

interface PasswordFormProps extends SignInFormProps {
  readonly proof: Proof;
  readonly onProof: (proof: Proof) => void;
  readonly onCode: () => void;
}

function PasswordForm({ hasEnded, rules, proof, onProof, onCode }: PasswordFormProps) {
  const texts = usePeopleTexts();
  const [isTried, setTried] = useState(false);
  const { email, password } = proof;
  const isComplete = isEmail(email) && password !== '';
  const { isBusy, failure, run } = useSubmit(async () => {
    try {
      await enter({ email: email.trim(), password });
    } catch (error) {
      if (!isCode(error, SECOND_FACTOR_NEEDED)) throw error;
      onCode();
    }
  });
  const submit = (): void => {
    setTried(true);
    if (isComplete) void run();
  };
  return (
    <DoorForm title={texts.signIn.title} onSubmit={submit}>
      <Said hasEnded={hasEnded} />
      <Field
        label={texts.email}
        type="email"
        name="username"
        autoComplete="username"
        value={email}
        fault={isTried && !isEmail(email) ? texts.faults.email : undefined}
        onValue={(value) => onProof({ ...proof, email: value })}
      />
      <Field
        label={texts.password}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        fault={isTried && password === '' ? texts.faults.password : undefined}
        onValue={(value) => onProof({ ...proof, password: value })}
      />
      <FormFault failure={failure} />
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {texts.signIn.submit}
      </Button>
      <p>
        <a href="#forgotten">{texts.signIn.forgotten}</a>
      </p>
      {rules === undefined || rules.signUp === 'closed' ? null : (
        <p>
          {texts.signIn.newHere} <a href="#sign-up">{texts.signIn.signUp}</a>
        </p>
      )}
    </DoorForm>
  );
}

/** Why the reader is here. */
function Said({ hasEnded }: { readonly hasEnded: boolean }) {
  const { signIn, personal } = usePeopleTexts();
  const said = useStore(news);
  const words = { ...signIn, ...personal.news };
  if (said === undefined && !hasEnded) return null;
  return <p role="status">{said === undefined ? signIn.ended : words[said]}</p>;
}

function CodeForm({ proof, onBack }: { readonly proof: Proof; readonly onBack: () => void }) {
  const texts = usePeopleTexts();
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  const { isBusy, failure, run } = useSubmit(() => enter(proof, code.trim()));
  const submit = (): void => {
    setTried(true);
    if (code.trim() !== '') void run();
  };
  return (
    <DoorForm title={texts.signIn.codeTitle} onSubmit={submit}>
      <p>{texts.signIn.codeMeans}</p>
      <Field
        label={texts.signIn.code}
        name="code"
        autoComplete="one-time-code"
        value={code}
        fault={isTried && code.trim() === '' ? texts.faults.code : undefined}
        onValue={setCode}
      />
      <FormFault failure={failure} />
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {texts.signIn.submit}
      </Button>
      <Button tone="quiet" onClick={onBack}>
        {texts.back}
      </Button>
      <p className="remark">{texts.signIn.noCode}</p>
    </DoorForm>
  );
}
