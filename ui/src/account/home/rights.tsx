/** What somebody may do in an account, in words. */
import { Mark } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import type { AccessRight } from '../../wire/person.ts';

export function Rights({ rights }: { readonly rights: readonly AccessRight[] }) {
  const texts = usePeopleTexts();
  return (
    <span className="marks">
      {rights.map((right) => (
        <Mark key={right} tone="plain">
          {texts.rights[right]}
        </Mark>
      ))}
    </span>
  );
}
