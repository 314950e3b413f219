/** Texts of the banner of the terminal, loaded with it. */
import { useStore } from '../store/store.ts';
import { BANNER_TEXTS, type BannerTexts } from './banner-words.ts';
import { language } from './texts.ts';

export function useBannerTexts(): BannerTexts {
  return BANNER_TEXTS[useStore(language)];
}
