/** Texts of requests for money to come or go; the terminal does not load them. */
import { useStore } from '../store/store.ts';
import { requests as en, type RequestTexts } from './en-requests.ts';
import { type Language, language } from './texts.ts';
import { requests as zh } from './zh-requests.ts';

const TEXTS: Readonly<Record<Language, RequestTexts>> = { en, zh };

export function useRequestTexts(): RequestTexts {
  return TEXTS[useStore(language)];
}
