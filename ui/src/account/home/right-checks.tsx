/** What somebody may do in an account; nobody gives more than they have, and all may read. */
import { Check } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { ACCESS_RIGHTS, type Access, type AccessRight } from '../../wire/person.ts';

interface RightChecksProps {
  readonly account: Access;
  readonly value: readonly AccessRight[];
  readonly onValue: (value: readonly AccessRight[]) => void;
}

export function RightChecks({ account, value, onValue }: RightChecksProps) {
  const texts = usePeopleTexts();
  const allow = (right: AccessRight, isAllowed: boolean): void => {
    onValue(ACCESS_RIGHTS.filter((one) => (one === right ? isAllowed : value.includes(one))));
  };
  return (
    <fieldset className="checks">
      <legend className="field-label">{texts.accounts.access}</legend>
      {ACCESS_RIGHTS.map((right) => (
        <Check
          key={right}
          label={texts.rights[right]}
          value={value.includes(right)}
          disabled={right === 'read' || !account.permissions.includes(right)}
          onValue={(isAllowed) => allow(right, isAllowed)}
        />
      ))}
    </fieldset>
  );
}
