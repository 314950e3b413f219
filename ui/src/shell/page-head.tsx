/** The head of both pages: name, links, language and theme; the middle is the page's own. */
import type { ReactNode } from 'react';
import { Select, THEMES, theme, useIsPhone, ZONES, zone } from '../look/mod.ts';
import { useStore } from '../store/store.ts';
import { LANGUAGE_NAMES, LANGUAGES, language, useTexts } from '../texts/texts.ts';

interface PageHeadProps {
  readonly page: 'terminal' | 'desk';
  readonly middle?: ReactNode;
  readonly end?: ReactNode;
}

export function PageHead({ page, middle, end }: PageHeadProps) {
  const { shell } = useTexts();
  return (
    <header className="head">
      <a className="head-name" href="/" aria-label="Outcry">
        OUTCRY
      </a>
      <nav className="head-links" aria-label="Outcry">
        <a href="/" aria-current={page === 'terminal' ? 'page' : undefined}>
          {shell.terminal}
        </a>
        <a href="/ops" aria-current={page === 'desk' ? 'page' : undefined}>
          {shell.desk}
        </a>
        <a href="/docs/">{shell.apiReference}</a>
      </nav>
      <div className="head-middle">{middle}</div>
      <div className="head-group">
        <Settings />
        {end}
      </div>
    </header>
  );
}

/** In a row of the head; on a phone behind one button. */
function Settings() {
  const { shell } = useTexts();
  const selects = (
    <>
      <ZoneSelect />
      <LanguageSelect />
      <ThemeSelect />
    </>
  );
  if (!useIsPhone()) return selects;
  return (
    <details className="head-settings">
      <summary>{shell.settings}</summary>
      <div className="head-settings-list panel">{selects}</div>
    </details>
  );
}

function LanguageSelect() {
  const { shell } = useTexts();
  return (
    <Select
      label={shell.language}
      isLabelHidden
      value={useStore(language)}
      onValue={language.set}
      choices={LANGUAGES.map((choice) => [choice, LANGUAGE_NAMES[choice]] as const)}
    />
  );
}

function ZoneSelect() {
  const { shell } = useTexts();
  return (
    <Select
      label={shell.timeZone}
      isLabelHidden
      value={useStore(zone)}
      onValue={zone.set}
      choices={ZONES.map((choice) => [choice, shell.zones[choice]] as const)}
    />
  );
}

function ThemeSelect() {
  const { shell } = useTexts();
  return (
    <Select
      label={shell.theme}
      isLabelHidden
      value={useStore(theme)}
      onValue={theme.set}
      choices={THEMES.map((choice) => [choice, shell[choice]] as const)}
    />
  );
}
