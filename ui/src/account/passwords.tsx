/** Fields for passwords, as password managers know them. */

import { useState } from 'react';
import type { people } from '#client';
import { Check, Field } from '../look/mod.ts';
import type { PeopleTexts } from '../texts/en-people.ts';
import { usePeopleTexts } from '../texts/people.ts';

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rules: people.RulesAnswer | undefined;
  readonly fault: string | undefined;
}

/** A password that is chosen: shown on demand, so that it is typed once. */
export function NewPassword({ label, value, onValue, rules, fault }: NewPasswordProps) {
  const texts = usePeopleTexts();
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Field
        label={label}
        type={isShown ? 'text' : 'password'}
        name="new-password"
        autoComplete="new-password"
        {...{ value, onValue, fault }}
      />
      {rules === undefined ? null : (
        <p className="remark">{texts.passwordRule(rules.passwordLengthMin)}</p>
      )}
      <Check label={texts.showPassword} value={isShown} onValue={setShown} />
    </>
  );
}

/** Why a password cannot be chosen, as far as the page knows. */
export function passwordFault(
  password: string,
  rules: people.RulesAnswer | undefined,
  { faults }: PeopleTexts,
): string | undefined {
  if (rules === undefined) return password === '' ? faults.password : undefined;
  const length = [...password].length;
  if (length < rules.passwordLengthMin) return faults.passwordShort(rules.passwordLengthMin);
  if (length > rules.passwordLengthMax) return faults.passwordLong(rules.passwordLengthMax);
  return undefined;
}

/** Tells password managers whose password it is, where the page does not ask. */
export function Username({ email }: { readonly email: string }) {
  return (
    <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
  );
}
