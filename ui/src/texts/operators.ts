/** Texts of who operates and what is logged; the terminal does not load them. */
import { useStore } from '../store/store.ts';
import { operators as en, type OperatorTexts } from './en-operators.ts';
import { type Language, language } from './texts.ts';
import { operators as zh } from './zh-operators.ts';

const TEXTS: Readonly<Record<Language, OperatorTexts>> = { en, zh };

export function useOperatorTexts(): OperatorTexts {
  return TEXTS[useStore(language)];
}
