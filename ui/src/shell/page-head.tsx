/** The head of every page: name, links, language and theme; the middle is the page's own. */
import type { ReactNode } from 'react';
import { Select, THEMES, theme, useIsPhone, ZONES, zone } from '../look/mod.ts';
import { useHasPeople } from '../session/use-venue.ts';
import { useStore } from '../store/store.ts';
import { LANGUAGE_NAMES, LANGUAGES, language, useTexts } from '../texts/texts.ts';

interface PageHeadProps {
  readonly page: 'terminal' | 'account' | 'desk' | 'competition';
  readonly middle?: ReactNode;
  readonly end?: ReactNode;
}

export function PageHead({ page, middle, end }: PageHeadProps) {
  const isPhone = useIsPhone();
  return (
    <header className="head">
      <a className="head-name" href="/" aria-label="Outcry">
        OUTCRY
      </a>
      {isPhone ? null : <Links page={page} />}
      <div className="head-middle">{middle}</div>
      <div className="head-group">
        <Settings page={page} />
        {end}
      </div>
    </header>
  );
}

type Page = Pick<PageHeadProps, 'page'>;

function Links({ page }: Page) {
  const { shell } = useTexts();
  return (
    <nav className="head-links" aria-label="Outcry">
      <a href="/" aria-current={page === 'terminal' ? 'page' : undefined}>
        {shell.terminal}
      </a>
      {useHasPeople() ? (
        <a href="/account" aria-current={page === 'account' ? 'page' : undefined}>
          {shell.accountPage}
        </a>
      ) : null}
      <a href="/ops" aria-current={page === 'desk' ? 'page' : undefined}>
        {shell.desk}
      </a>
      <a href="/docs/">{shell.apiReference}</a>
    </nav>
  );
}

/** In a row of the head; on a phone behind one button, with the links. */
function Settings({ page }: Page) {
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
      <div className="head-settings-list panel">
        <Links page={page} />
        {selects}
      </div>
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
