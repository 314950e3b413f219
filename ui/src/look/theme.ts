/** Dark or light: what the system prefers until the reader chooses. */
import { createKept } from '../store/kept.ts';

export const THEMES = ['dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

const preferred: Theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';

export const theme = createKept<Theme>('outcry.theme', THEMES, preferred);

/** Puts the theme on the document, now and after every change. */
export function keepDocumentTheme(): void {
  const tell = (): void => {
    document.documentElement.dataset.theme = theme.get();
  };
  tell();
  theme.subscribe(tell);
}
