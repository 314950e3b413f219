/** Starts a page: language, theme, styles, and the first paint. */
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepDocumentTheme, Notices } from '../look/mod.ts';
import { keepDocumentLanguage } from '../texts/texts.ts';
import { UnlessFailed } from './failed-page.tsx';
import '../look/tokens.css';
import '../look/base.css';
import '../look/components.css';
import './shell.css';

/** Paints the page into the element with the id root. */
export function start(page: ReactNode): void {
  keepDocumentLanguage();
  keepDocumentTheme();
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no element with the id root');
  createRoot(root).render(
    <StrictMode>
      <UnlessFailed>
        {page}
        <Notices />
      </UnlessFailed>
    </StrictMode>,
  );
}
