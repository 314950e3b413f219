/**
 * What the operator says to everybody, above the terminal: announcements, and maintenance now or
 * within a day. It is loaded behind the page, and asks once a minute.
 */
import type { ReactNode } from 'react';
import { people } from '#client';
import { Button, useTimes } from '../../look/mod.ts';
import { createKeptValue } from '../../store/kept.ts';
import { useStore } from '../../store/store.ts';
import { useReading } from '../../store/use-reading.ts';
import { useBannerTexts } from '../../texts/banner.ts';
import { language } from '../../texts/texts.ts';
import { ask } from '../../wire/ask.ts';
import './banner.css';

type Announcement = people.NoticesAnswer['announcements'][number];
type Maintenance = people.NoticesAnswer['maintenance'][number];

const EVERY_MS = 60_000;
const AHEAD_MS = 86_400_000;
const HIDDEN_MAX = 50;

/** Announcements that this browser need not show again. */
const hidden = createKeptValue<readonly string[]>('outcry.notices.hidden', (kept) => {
  try {
    const ids: unknown = JSON.parse(kept);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
});

function hide(id: string): void {
  hidden.set((ids) => [...ids, id].slice(-HIDDEN_MAX));
}

export default function Banner() {
  const texts = useBannerTexts();
  const isHidden = useStore(hidden);
  const { data } = useReading(() => ask(people.notices, {}), 'notices', EVERY_MS);
  const announcements = (data?.announcements ?? []).filter(
    ({ announcementId }) => !isHidden.includes(announcementId),
  );
  const windows = (data?.maintenance ?? []).filter(
    ({ from }) => Number(from) < Date.now() + AHEAD_MS,
  );
  if (announcements.length + windows.length === 0) return null;
  return (
    <section className="banner" aria-label={texts.label}>
      {windows.map((window) => (
        <WindowLine key={window.from} window={window} />
      ))}
      {announcements.map((announcement) => (
        <AnnouncementLine key={announcement.announcementId} announcement={announcement} />
      ))}
    </section>
  );
}

interface LineProps {
  readonly level: string;
  readonly children: ReactNode;
}

/** What is critical is read out at once. */
function Line({ level, children }: LineProps) {
  const role = level === 'critical' ? 'alert' : 'status';
  return (
    <div className={`banner-line banner-${level}`} role={role}>
      {children}
    </div>
  );
}

function WindowLine({ window }: { readonly window: Maintenance }) {
  const texts = useBannerTexts();
  const times = useTimes();
  const isChinese = useStore(language) === 'zh';
  const [from, until] = [window.from, window.until].map((time) => times.dateTime(Number(time)));
  const isBegun = window.state !== 'planned';
  return (
    <Line level={isBegun ? 'critical' : 'warning'}>
      <strong>{isBegun ? texts.begun(until ?? '') : texts.planned(from ?? '', until ?? '')}</strong>
      <span className="banner-text">
        {isChinese ? window.textZh : window.textEn}
        {window.markets.length === 0 ? '' : ` ${texts.markets(window.markets.join(', '))}`}
      </span>
    </Line>
  );
}

function AnnouncementLine({ announcement }: { readonly announcement: Announcement }) {
  const texts = useBannerTexts();
  const isChinese = useStore(language) === 'zh';
  const { announcementId, level, titleEn, titleZh, textEn, textZh } = announcement;
  return (
    <Line level={level}>
      <strong>{isChinese ? titleZh : titleEn}</strong>
      <span className="banner-text">{isChinese ? textZh : textEn}</span>
      <Button tone="quiet" onClick={() => hide(announcementId)}>
        {texts.hide}
      </Button>
    </Line>
  );
}
