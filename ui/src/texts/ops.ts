/** Texts of the admin console and what the account page shares with it; not of the terminal. */
import { useStore } from '../store/store.ts';
import { ops as en, type OpsTexts } from './en-ops.ts';
import { type Language, language } from './texts.ts';
import { ops as zh } from './zh-ops.ts';

const TEXTS: Readonly<Record<Language, OpsTexts>> = { en, zh };

export function useOpsTexts(): OpsTexts {
  return TEXTS[useStore(language)];
}
