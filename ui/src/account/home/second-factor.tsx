/** Codes of an authenticator app: turned on with a code of it, turned off with another one. */

import { type SubmitEvent, useState } from 'react';
import { people } from '#client';
import { Button, Copied, Dialog, Field, Mark, notify, Section } from '../../look/mod.ts';
import { person as session } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { FormFault } from '../fault.tsx';
import { faultAt, useSubmit } from '../use-submit.ts';
import { proven } from './proof.tsx';
import { QrPicture } from './qr-picture.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

type PersonRow = people.SessionAnswer['person'];

const CODE_WRONG = '60815';

type Asked = 'disable' | 'renew';

export function SecondFactor({ person }: { readonly person: PersonRow }) {
  const texts = usePeopleTexts();
  const { factor } = texts;
  const [made, setMade] = useState<people.BeginFactorAnswer>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [asked, setAsked] = useState<Asked>();
  const begin = useSubmit(async () => {
    setMade(await proven(() => session.call(people.beginFactor, {})));
  });
  const isOn = person.secondFactor;
  const mark = <Mark tone={isOn ? 'good' : 'plain'}>{isOn ? factor.on : factor.off}</Mark>;
  return (
    <Section title={factor.title} actions={mark}>
      <div className="account-body">
        <p className="remark">{factor.means}</p>
        {isOn ? <p>{factor.left(person.recoveryCodesLeft)}</p> : null}
        <FormFault failure={begin.failure} />
        <div className="dialog-actions">
          {isOn ? (
            <>
              <Button onClick={() => setAsked('renew')}>{factor.renew}</Button>
              <Button onClick={() => setAsked('disable')}>{factor.disable}</Button>
            </>
          ) : (
            <Button tone="main" isBusy={begin.isBusy} onClick={() => void begin.run()}>
              {factor.setUp}
            </Button>
          )}
        </div>
      </div>
      {made === undefined ? null : (
        <SetUpDialog made={made} onCodes={setCodes} onClose={() => setMade(undefined)} />
      )}
      {asked === undefined ? null : (
        <CodeDialog asked={asked} onCodes={setCodes} onClose={() => setAsked(undefined)} />
      )}
      {codes === undefined ? null : (
        <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
      )}
    </Section>
  );
}

interface SetUpDialogProps {
  readonly made: people.BeginFactorAnswer;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

function SetUpDialog({ made, onCodes, onClose }: SetUpDialogProps) {
  const { factor } = usePeopleTexts();
  const enable = async (code: string): Promise<void> => {
    const enabled = await proven(() => session.call(people.enableFactor, { code }));
    session.adopt(enabled.session);
    notify('good', factor.enabled);
    onClose();
    onCodes(enabled.recoveryCodes);
  };
  return (
    <Dialog title={factor.title} onClose={onClose}>
      <div className="stack">
        <p>{factor.scan}</p>
        <QrPicture text={made.uri} label={factor.picture} />
        <Copied label={factor.secret} text={made.secret} />
        <CodeForm action={factor.enable} isDigits onCode={enable} />
      </div>
    </Dialog>
  );
}

interface CodeDialogProps {
  readonly asked: Asked;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** What a code is asked for: to sign in without one, or for new recovery codes. */
function CodeDialog({ asked, onCodes, onClose }: CodeDialogProps) {
  const { factor, signIn } = usePeopleTexts();
  const disable = async (code: string): Promise<void> => {
    session.adopt(await proven(() => session.call(people.disableFactor, { code })));
    notify('good', factor.disabled);
    onClose();
  };
  const renew = async (code: string): Promise<void> => {
    const call = () => session.call(people.renewRecoveryCodes, { code });
    const { recoveryCodes } = await proven(call);
    await session.check();
    onClose();
    onCodes(recoveryCodes);
  };
  const action = asked === 'disable' ? factor.disable : factor.renew;
  return (
    <Dialog title={action} onClose={onClose}>
      <div className="stack">
        <p>{asked === 'disable' ? factor.disableMeans : factor.renewMeans}</p>
        <p>{signIn.codeMeans}</p>
        <CodeForm action={action} onCode={asked === 'disable' ? disable : renew} />
      </div>
    </Dialog>
  );
}

interface CodeFormProps {
  readonly action: string;
  readonly onCode: (code: string) => Promise<void>;
  readonly isDigits?: boolean;
}

function CodeForm({ action, onCode, isDigits }: CodeFormProps) {
  const { signIn, faults } = usePeopleTexts();
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  const { isBusy, failure, run } = useSubmit(() => onCode(code.trim()));
  const missing = isTried && code.trim() === '' ? faults.code : undefined;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (code.trim() !== '') void run();
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field
        label={signIn.code}
        name="code"
        autoComplete="one-time-code"
        {...(isDigits === true ? { inputMode: 'numeric' as const } : {})}
        value={code}
        fault={missing ?? faultAt(failure, CODE_WRONG)}
        onValue={setCode}
      />
      <FormFault failure={failure} besides={[CODE_WRONG]} />
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {action}
      </Button>
    </form>
  );
}
