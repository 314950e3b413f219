/** The language of the page: which one is chosen, and its texts. */
import { createKept } from '../store/kept.ts';
import { useStore } from '../store/store.ts';
import { en, type Texts } from './en.ts';
import { zh } from './zh.ts';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' };

const TEXTS: Readonly<Record<Language, Texts>> = { en, zh };
const preferred: Language = navigator.language.startsWith('zh') ? 'zh' : 'en';

export const language = createKept<Language>('outcry.language', LANGUAGES, preferred);

/** The texts in the chosen language, as in useTexts().session.signIn. */
export function useTexts(): Texts {
  return TEXTS[useStore(language)];
}

/** The texts outside React, as for a notice. */
export function textsNow(): Texts {
  return TEXTS[language.get()];
}

/** Sets the language of the document, now and after every change. */
export function keepDocumentLanguage(): void {
  const tell = (): void => {
    document.documentElement.lang = language.get();
  };
  tell();
  language.subscribe(tell);
}
