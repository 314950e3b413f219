/** Announcements and maintenance windows: the operator's calls, and what everybody is shown. */
import { refuseSaying } from '#api';
import { type InstrumentId, isRefused, LIMITS, type Listings, type Refused } from '#domain';
import {
  type Announcement,
  announce,
  type BothLanguages,
  changeAnnouncement,
  dropAnnouncement,
  endWindow,
  listAnnouncements,
  listWindows,
  type MaintenanceWindow,
  NOTICE_LEVELS,
  type NoticeLevel,
  type Notices,
  planWindow,
  WINDOW_STATES,
} from '#people';
import { BASE } from '../admin/context.ts';
import { required, textList, UNIX_MS, word } from '../admin/fields.ts';
import {
  type OperatorEndpoint,
  operatorEndpoint,
  type VisitorEndpoint,
  visitorEndpoint,
} from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { marketNamed } from '../kit/markets.ts';
import { type Field, type FieldSet, optionalText, pageLimit, type Values } from '../kit/request.ts';
import { jsonList, listOf, oneOf, row, rows, text, texts, timeMs } from '../kit/row.ts';
import type { PeopleDialectContext } from './context.ts';
import { DONE, PERSON_ID } from './rows.ts';

const ANNOUNCEMENTS = `${BASE}/announcements`;
const WINDOWS = `${BASE}/maintenance`;
const TITLE_LENGTH_MAX = 120;
const TEXT_LENGTH_MAX = 2_000;
const MARKETS_MAX = 500;
/** Everything that is not seen but ends a line. */
const INVISIBLE = /(?!\n)\p{C}/u;
const SHOWN_PER_MINUTE = { limit: 60, windowMs: 60_000 };

const EN = { title: 'Opening of the SOL market', text: 'SOL/USDT opens on Friday at 12:00 UTC.' };
const ZH = { title: 'SOL 市场即将开放', text: 'SOL/USDT 将于周五 12:00（UTC）开放交易。' };
const WINDOW_EN = 'The venue is being upgraded.';
const WINDOW_ZH = '系统升级中。';

/** Text that pages show as it is, on several lines where it has them. */
function words(description: string, max: number): Field<string> {
  return {
    ...optionalText(`${description}; up to ${max} characters`),
    read: (fields, name) => {
      const given = fields.text(name).trim();
      if (given.length > max || INVISIBLE.test(given)) {
        fields.refuse('parameter_invalid', `${name} takes up to ${max} visible characters`);
      }
      return given;
    },
  };
}

const SPAN = {
  from: required(UNIX_MS, 'Unix time in milliseconds at which it begins'),
  until: required(UNIX_MS, 'When it ends; not included'),
};

const ANNOUNCED = {
  level: required(word(NOTICE_LEVELS, 'info'), NOTICE_LEVELS.join(', ')),
  titleEn: words(
    'Title in English; English and Chinese may stand for each other',
    TITLE_LENGTH_MAX,
  ),
  titleZh: words('Title in Chinese', TITLE_LENGTH_MAX),
  textEn: words('Text in English; may be empty', TEXT_LENGTH_MAX),
  textZh: words('Text in Chinese; may be empty', TEXT_LENGTH_MAX),
  ...SPAN,
} as const satisfies FieldSet;

type Asked = Values<typeof ANNOUNCED>;

function announcementOf(asked: Asked) {
  if (asked.titleEn === '' && asked.titleZh === '') {
    return refuseSaying('parameter_invalid', 'titleEn or titleZh is needed');
  }
  const level: NoticeLevel = asked.level;
  return {
    level,
    title: { en: asked.titleEn, zh: asked.titleZh },
    text: { en: asked.textEn, zh: asked.textZh },
    fromMs: asked.from,
    untilMs: asked.until,
  };
}

/** A language without words of its own shows those of the other one. */
const either = ({ en, zh }: BothLanguages, language: 'en' | 'zh'): string =>
  language === 'zh' ? zh || en : en || zh;

const ANNOUNCEMENT = row<Announcement>()({
  announcementId: text('Announcement id', PERSON_ID, ({ announcementId }) => announcementId),
  level: oneOf(NOTICE_LEVELS, 'How urgent it is', 'info', ({ level }) => level),
  titleEn: text('Title in English', EN.title, ({ title }) => either(title, 'en')),
  titleZh: text('Title in Chinese', ZH.title, ({ title }) => either(title, 'zh')),
  textEn: text('Text in English; may be empty', EN.text, (one) => either(one.text, 'en')),
  textZh: text('Text in Chinese; may be empty', ZH.text, (one) => either(one.text, 'zh')),
  from: timeMs('When it begins', TIME_MS, ({ fromMs }) => fromMs),
  until: timeMs('When it ends', TIME_MS, ({ untilMs }) => untilMs),
});

interface ShownWindow {
  readonly window: MaintenanceWindow;
  readonly listings: Listings;
}

function namesOf({ listings }: ShownWindow, ids: readonly InstrumentId[]): string[] {
  return ids.flatMap((id) => {
    const market = listings.instruments[id];
    return market === undefined ? [] : [market.symbol];
  });
}

const WINDOW = row<ShownWindow>()({
  windowId: text('Window id', PERSON_ID, ({ window }) => window.windowId),
  state: oneOf(
    WINDOW_STATES,
    'planned; beginning, while markets are being halted; begun; over',
    'planned',
    ({ window }) => window.state,
  ),
  markets: texts('Pairs and contracts; none for all that trade then', [], (one) =>
    namesOf(one, one.window.instrumentIds),
  ),
  halted: texts('What it halted, and what trades again afterwards', [], (one) =>
    namesOf(one, one.window.haltedIds),
  ),
  textEn: text('Text in English', WINDOW_EN, ({ window }) => either(window.text, 'en')),
  textZh: text('Text in Chinese', WINDOW_ZH, ({ window }) => either(window.text, 'zh')),
  from: timeMs('When trading stops', TIME_MS, ({ window }) => window.fromMs),
  until: timeMs('When it goes on', TIME_MS, ({ window }) => window.untilMs),
});

interface ShownNotices {
  readonly notices: Notices;
  readonly listings: Listings;
}

const { windowId, halted, ...SHOWN_WINDOW_COLUMNS } = WINDOW.columns;
const SHOWN_WINDOW = row<ShownWindow>()(SHOWN_WINDOW_COLUMNS);

const NOTICES = row<ShownNotices>()({
  announcements: rows(ANNOUNCEMENT, ({ notices }: ShownNotices) => notices.announcements),
  maintenance: rows(SHOWN_WINDOW, ({ notices, listings }: ShownNotices) =>
    notices.windows.map((window) => ({ window, listings })),
  ),
});

const EXAMPLE = {
  request: {
    ...{ level: 'info', titleEn: EN.title, titleZh: ZH.title, textEn: EN.text, textZh: ZH.text },
    ...{ from: TIME_MS, until: TIME_MS + 86_400_000 },
  },
};

/** Pairs and contracts by their names in any case. */
function marketsIn(names: readonly string[], listings: Listings): InstrumentId[] | Refused {
  const found: InstrumentId[] = [];
  for (const name of names) {
    const market = marketNamed(listings, name);
    if (isRefused(market)) return market;
    found.push(market.instrumentId);
  }
  return [...new Set(found)];
}

function checkName(name: string, field: string): Refused | undefined {
  return name.length <= 64 ? undefined : refuseSaying('parameter_invalid', `${field} are names`);
}

async function shownAnnouncement(
  made: Promise<Announcement | Refused> | Refused,
): Promise<string | Refused> {
  const found = await made;
  return isRefused(found) ? found : ANNOUNCEMENT.write(found);
}

export const NOTICE_OPERATOR_ENDPOINTS = {
  announcements: operatorEndpoint({
    method: 'GET',
    path: ANNOUNCEMENTS,
    summary: 'Announcements that are not over, those to come too',
    request: {},
    response: listOf(ANNOUNCEMENT),
    answer: async ({ people }: PeopleDialectContext) =>
      jsonList(await listAnnouncements(people), ANNOUNCEMENT.write),
  }),
  announce: operatorEndpoint({
    method: 'POST',
    path: ANNOUNCEMENTS,
    duty: 'run',
    summary: 'Show an announcement to everybody, from then until then',
    request: ANNOUNCED,
    response: ANNOUNCEMENT,
    example: EXAMPLE,
    answer: ({ people }: PeopleDialectContext, asked) => {
      const announcement = announcementOf(asked);
      return isRefused(announcement)
        ? announcement
        : shownAnnouncement(announce(people, announcement));
    },
  }),
  changeAnnouncement: operatorEndpoint({
    method: 'PUT',
    path: `${ANNOUNCEMENTS}/:announcement`,
    duty: 'run',
    summary: 'Replace an announcement',
    request: ANNOUNCED,
    response: ANNOUNCEMENT,
    example: EXAMPLE,
    answer: ({ people }: PeopleDialectContext, asked, { path }) => {
      const announcement = announcementOf(asked);
      if (isRefused(announcement)) return announcement;
      const { announcement: id = '' } = path;
      return shownAnnouncement(changeAnnouncement(people, id, announcement));
    },
  }),
  dropAnnouncement: operatorEndpoint({
    method: 'DELETE',
    path: `${ANNOUNCEMENTS}/:announcement`,
    duty: 'run',
    summary: 'Take an announcement away',
    request: {},
    response: DONE,
    answer: async ({ people }: PeopleDialectContext, _asked, { path }) =>
      (await dropAnnouncement(people, path.announcement ?? '')) ?? DONE.write(),
  }),
  maintenanceWindows: operatorEndpoint({
    method: 'GET',
    path: WINDOWS,
    summary: 'Maintenance windows, the one that begins last first (100 by default and at most)',
    request: {
      before: optionalText('Window id: those listed behind it'),
      limit: pageLimit('Windows wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsDefault),
    },
    response: listOf(WINDOW),
    answer: async (
      { people, live: { listings } }: PeopleDialectContext,
      { before: given, limit },
    ) => {
      const before = given === '' ? undefined : given;
      const windows = await listWindows(people, { before, limit });
      return jsonList(windows, (window) => WINDOW.write({ window, listings }));
    },
  }),
  planMaintenance: operatorEndpoint({
    method: 'POST',
    path: WINDOWS,
    duty: 'run',
    summary: 'Plan a maintenance window: trading is halted from then until then',
    request: {
      ...SPAN,
      textEn: words('Why, in English; may be empty', TEXT_LENGTH_MAX),
      textZh: words('Why, in Chinese; may be empty', TEXT_LENGTH_MAX),
      markets: textList('Pairs and contracts; all that trade when absent', MARKETS_MAX, checkName),
    },
    response: WINDOW,
    example: {
      request: {
        ...{ from: TIME_MS, until: TIME_MS + 3_600_000, textEn: WINDOW_EN, textZh: WINDOW_ZH },
      },
    },
    answer: async ({ people, live: { listings } }: PeopleDialectContext, asked) => {
      const instrumentIds = marketsIn(asked.markets, listings);
      if (isRefused(instrumentIds)) return instrumentIds;
      const words = { en: asked.textEn, zh: asked.textZh };
      const times = { fromMs: asked.from, untilMs: asked.until };
      const window = await planWindow(people, { text: words, instrumentIds, ...times });
      return isRefused(window) ? window : WINDOW.write({ window, listings });
    },
  }),
  endMaintenance: operatorEndpoint({
    method: 'DELETE',
    path: `${WINDOWS}/:window`,
    duty: 'run',
    summary: 'Forget a planned maintenance window, or end one now that has begun',
    request: {},
    response: WINDOW,
    answer: async ({ people, live: { listings } }: PeopleDialectContext, _asked, { path }) => {
      const window = await endWindow(people, path.window ?? '');
      return isRefused(window) ? window : WINDOW.write({ window, listings });
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<PeopleDialectContext>>;

export const NOTICE_ENDPOINTS = {
  notices: visitorEndpoint({
    method: 'GET',
    path: '/people/v1/notices',
    rate: SHOWN_PER_MINUTE,
    summary: 'What everybody is told: announcements now, maintenance now and to come',
    request: {},
    response: NOTICES,
    answer: async ({ notices, live: { listings } }: PeopleDialectContext) =>
      NOTICES.write({ notices: await notices.current(), listings }),
  }),
} as const satisfies Record<string, VisitorEndpoint<PeopleDialectContext>>;
