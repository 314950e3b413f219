/** Texts of what the desk operates; the terminal does not load them. */
import { useStore } from '../store/store.ts';
import { type DeskTexts, desk as en } from './en-desk.ts';
import { type Language, language } from './texts.ts';
import { desk as zh } from './zh-desk.ts';

const TEXTS: Readonly<Record<Language, DeskTexts>> = { en, zh };

export function useDeskTexts(): DeskTexts {
  return TEXTS[useStore(language)];
}
