/** Texts of the account page and of people on the desk, which the terminal does not load. */
import { useStore } from '../store/store.ts';
import { people as en, type PeopleTexts } from './en-people.ts';
import { type Language, language } from './texts.ts';
import { people as zh } from './zh-people.ts';

const TEXTS: Readonly<Record<Language, PeopleTexts>> = { en, zh };

export function usePeopleTexts(): PeopleTexts {
  return TEXTS[useStore(language)];
}

/** Outside React, as for a notice. */
export function peopleTextsNow(): PeopleTexts {
  return TEXTS[language.get()];
}
