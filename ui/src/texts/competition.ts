/** Texts of competitions, for the pages that show them; not of the terminal. */
import { useStore } from '../store/store.ts';
import { type CompetitionTexts, competition as en } from './en-competition.ts';
import { type Language, language } from './texts.ts';
import { competition as zh } from './zh-competition.ts';

const TEXTS: Readonly<Record<Language, CompetitionTexts>> = { en, zh };

export function useCompetitionTexts(): CompetitionTexts {
  return TEXTS[useStore(language)];
}
