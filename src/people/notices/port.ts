/**
 * Notices: what the operator says to everybody, and when trading is suspended. They own the tables
 * `announcements` and `maintenance_windows`, need no right to be read, and send no mails. What one
 * person is told by mail is not a notice of this kind. Text is kept in every language that the
 * pages have; of two, one may be empty.
 */
import type { InstrumentId } from '#domain';

export const NOTICE_LEVELS = ['info', 'warning', 'critical'] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];

/** The same words in English and in Chinese. */
export interface BothLanguages {
  readonly en: string;
  readonly zh: string;
}

export interface Announcement {
  readonly announcementId: string;
  readonly level: NoticeLevel;
  readonly title: BothLanguages;
  readonly text: BothLanguages;
  readonly createdMs: number;
  /** Shown from then on; the end is not included. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Beginning: some of its markets may be halted already. Over: they trade again. */
export const WINDOW_STATES = ['planned', 'beginning', 'begun', 'over'] as const;
export type WindowState = (typeof WINDOW_STATES)[number];

export interface MaintenanceWindow {
  readonly windowId: string;
  readonly text: BothLanguages;
  /** Pairs and contracts; none for all that trade when it begins. */
  readonly instrumentIds: readonly InstrumentId[];
  readonly state: WindowState;
  /** What it halted, and so what trades again when it is over. */
  readonly haltedIds: readonly InstrumentId[];
  readonly createdMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface NoticesStore {
  addAnnouncement(announcement: Announcement): Promise<void>;
  /** Those that are not over, the one that begins last first. */
  announcements(nowMs: number, limit: number): Promise<readonly Announcement[]>;
  changeAnnouncement(announcement: Announcement): Promise<boolean>;
  dropAnnouncement(announcementId: string): Promise<boolean>;

  /** False when another one that is not over has a moment in common with it. */
  addWindow(window: MaintenanceWindow): Promise<boolean>;
  window(windowId: string): Promise<MaintenanceWindow | undefined>;
  /** The one that begins last first; those listed behind this one. */
  windows(limit: number, before?: string): Promise<readonly MaintenanceWindow[]>;
  /** Those that are not over, the one that begins first first. */
  openWindows(limit: number): Promise<readonly MaintenanceWindow[]>;
  /** False when its state was another one. */
  moveWindow(
    windowId: string,
    from: WindowState,
    changes: Partial<Pick<MaintenanceWindow, 'state' | 'haltedIds' | 'untilMs'>>,
  ): Promise<boolean>;
  /** Only a planned one. */
  dropWindow(windowId: string): Promise<boolean>;

  /** Deletes what has been over for long. */
  pruneNotices(beforeMs: number): Promise<void>;
}
