/** Announcements and maintenance windows: planned by the operator, shown to everybody. */
import { type InstrumentId, type Refused, refuse } from '#domain';
import { type PeopleContext, refuseSaying } from '../context.ts';
import { newId } from '../secrets/tokens.ts';
import type { Announcement, MaintenanceWindow } from './port.ts';

export {
  type Announcement,
  type BothLanguages,
  type MaintenanceWindow,
  NOTICE_LEVELS,
  type NoticeLevel,
  WINDOW_STATES,
} from './port.ts';

/** Shown at once, and kept until they are over. */
const ANNOUNCEMENTS_MAX = 100;
const WINDOWS_OPEN_MAX = 50;
/** What everybody is shown of them. */
const SHOWN_MAX = 20;

type NoticesContext = Pick<PeopleContext, 'people' | 'nowMs'>;

export type NewAnnouncement = Omit<Announcement, 'announcementId' | 'createdMs'>;

function refuseTimes(
  nowMs: number,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Refused | undefined {
  if (untilMs <= fromMs) return refuseSaying('parameter_invalid', 'until comes after from');
  if (untilMs <= nowMs) return refuseSaying('parameter_invalid', 'until is in the past');
  return undefined;
}

export async function announce(
  { people, nowMs }: NoticesContext,
  asked: NewAnnouncement,
): Promise<Announcement | Refused> {
  const createdMs = nowMs();
  const refused = refuseTimes(createdMs, asked);
  if (refused !== undefined) return refused;
  const store = await people.get();
  const others = await store.announcements(createdMs, ANNOUNCEMENTS_MAX);
  if (others.length >= ANNOUNCEMENTS_MAX) {
    return refuseSaying('people_exceeded', `${ANNOUNCEMENTS_MAX} announcements`);
  }
  const announcement = { ...asked, announcementId: newId(createdMs), createdMs };
  await store.addAnnouncement(announcement);
  return announcement;
}

export async function changeAnnouncement(
  { people, nowMs }: NoticesContext,
  announcementId: string,
  asked: NewAnnouncement,
): Promise<Announcement | Refused> {
  const refused = refuseTimes(nowMs(), asked);
  if (refused !== undefined) return refused;
  const announcement = { ...asked, announcementId, createdMs: nowMs() };
  const isChanged = await (await people.get()).changeAnnouncement(announcement);
  return isChanged ? announcement : refuse('notice_unknown');
}

export async function listAnnouncements({
  people,
  nowMs,
}: NoticesContext): Promise<readonly Announcement[]> {
  return (await people.get()).announcements(nowMs(), ANNOUNCEMENTS_MAX);
}

export async function dropAnnouncement(
  { people }: NoticesContext,
  announcementId: string,
): Promise<Refused | undefined> {
  const isDropped = await (await people.get()).dropAnnouncement(announcementId);
  return isDropped ? undefined : refuse('notice_unknown');
}

export type NewWindow = Pick<MaintenanceWindow, 'text' | 'instrumentIds' | 'fromMs' | 'untilMs'>;

/** Trading stops from then until then. Windows do not overlap: each ends what it began. */
export async function planWindow(
  { people, nowMs }: NoticesContext,
  asked: NewWindow,
): Promise<MaintenanceWindow | Refused> {
  const createdMs = nowMs();
  const refused = refuseTimes(createdMs, asked);
  if (refused !== undefined) return refused;
  const store = await people.get();
  const open = await store.openWindows(WINDOWS_OPEN_MAX);
  if (open.length >= WINDOWS_OPEN_MAX) {
    return refuseSaying('people_exceeded', `${WINDOWS_OPEN_MAX} maintenance windows`);
  }
  const haltedIds: InstrumentId[] = [];
  const made = { state: 'planned', windowId: newId(createdMs), haltedIds, createdMs } as const;
  const window = { ...asked, ...made };
  return (await store.addWindow(window)) ? window : refuse('windows_overlap');
}

export async function listWindows(
  { people }: NoticesContext,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly MaintenanceWindow[]> {
  return (await people.get()).windows(limit, before);
}

/** A planned one is forgotten, one that has begun ends now; how it is then, or undefined. */
export async function endWindow(
  { people, nowMs }: NoticesContext,
  windowId: string,
): Promise<MaintenanceWindow | Refused> {
  const store = await people.get();
  const window = await store.window(windowId);
  if (window === undefined || window.state === 'over') return refuse('notice_unknown');
  const untilMs = Math.min(nowMs(), window.untilMs);
  if (await store.dropWindow(windowId)) return { ...window, state: 'over', untilMs };
  for (const state of ['beginning', 'begun'] as const) {
    if (await store.moveWindow(windowId, state, { untilMs })) return { ...window, state, untilMs };
  }
  return refuse('notice_unknown');
}

/** What everybody is shown now. */
export interface Notices {
  readonly announcements: readonly Announcement[];
  readonly windows: readonly MaintenanceWindow[];
}

/** Many may ask at once: as long as an answer is under way, it is that of all. */
export class NoticeBoard {
  readonly #context: NoticesContext;
  #underWay: Promise<Notices> | undefined;

  constructor(context: NoticesContext) {
    this.#context = context;
  }

  current(): Promise<Notices> {
    this.#underWay ??= this.#read().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #read(): Promise<Notices> {
    const { people, nowMs } = this.#context;
    const store = await people.get();
    const now = nowMs();
    const announcements = await store.announcements(now, ANNOUNCEMENTS_MAX);
    const windows = await store.openWindows(SHOWN_MAX);
    const begun = announcements.filter(({ fromMs }) => fromMs <= now);
    return { announcements: begun.slice(0, SHOWN_MAX), windows };
  }
}
