/** The languages that a person can be written to in, and which one a browser asks for. */

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

const HEADER_LENGTH_MAX = 200;
const RANGE = /^\s*([a-z]{2})(?:-[a-z0-9-]{1,20})?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*$/i;

/** The language that Accept-Language puts first among ours; English where it names none of them. */
export function languageOf(acceptLanguage: string): Language {
  let best: Language = 'en';
  let bestQuality = 0;
  for (const range of acceptLanguage.slice(0, HEADER_LENGTH_MAX).split(',')) {
    const [, name = '', quality = '1'] = RANGE.exec(range) ?? [];
    const found = LANGUAGES.find((one) => one === name.toLowerCase());
    if (found === undefined || Number(quality) <= bestQuality) continue;
    best = found;
    bestQuality = Number(quality);
  }
  return best;
}
