/** Announcements and maintenance windows. */
import type { Kysely, Selectable } from 'kysely';
import { type InstrumentId, instrumentId } from '#domain';
import {
  type Announcement,
  type MaintenanceWindow,
  NOTICE_LEVELS,
  type NoticesStore,
  WINDOW_STATES,
} from '../ports/notices.ts';
import { listedBehind } from './listed-behind.ts';
import { word } from './rows.ts';
import type { PeopleDatabase } from './tables.ts';

type Row<T extends keyof PeopleDatabase> = Selectable<PeopleDatabase[T]>;

function idsText(ids: readonly InstrumentId[]): string {
  return ids.join(',');
}

function idsOf(text: string): InstrumentId[] {
  return text === '' ? [] : text.split(',').map((id) => instrumentId(Number(id)));
}

function announcementOf(row: Row<'announcements'>): Announcement {
  return {
    announcementId: row.announcement_id,
    level: word(NOTICE_LEVELS, row.level),
    title: { en: row.title_en, zh: row.title_zh },
    text: { en: row.text_en, zh: row.text_zh },
    createdMs: row.created_ms,
    fromMs: row.from_ms,
    untilMs: row.until_ms,
  };
}

function announcementColumns({ level, title, text, fromMs, untilMs }: Announcement) {
  return {
    level,
    title_en: title.en,
    title_zh: title.zh,
    text_en: text.en,
    text_zh: text.zh,
    from_ms: fromMs,
    until_ms: untilMs,
  };
}

function windowOf(row: Row<'maintenance_windows'>): MaintenanceWindow {
  return {
    windowId: row.window_id,
    text: { en: row.text_en, zh: row.text_zh },
    instrumentIds: idsOf(row.instruments),
    state: word(WINDOW_STATES, row.state),
    haltedIds: idsOf(row.halted),
    createdMs: row.created_ms,
    fromMs: row.from_ms,
    untilMs: row.until_ms,
  };
}

type Announcements = Pick<
  NoticesStore,
  'addAnnouncement' | 'announcements' | 'changeAnnouncement' | 'dropAnnouncement'
>;

export function announcementRows(db: Kysely<PeopleDatabase>): Announcements {
  return {
    addAnnouncement: async (announcement) => {
      const { announcementId, createdMs } = announcement;
      const key = { announcement_id: announcementId, created_ms: createdMs };
      await db
        .insertInto('announcements')
        .values({ ...key, ...announcementColumns(announcement) })
        .execute();
    },
    announcements: async (nowMs, limit) => {
      const rows = await db
        .selectFrom('announcements')
        .selectAll()
        .where('until_ms', '>', nowMs)
        .orderBy('from_ms', 'desc')
        .orderBy('announcement_id')
        .limit(limit)
        .execute();
      return rows.map(announcementOf);
    },
    changeAnnouncement: async (announcement) => {
      const changed = await db
        .updateTable('announcements')
        .set(announcementColumns(announcement))
        .where('announcement_id', '=', announcement.announcementId)
        .returning('announcement_id')
        .executeTakeFirst();
      return changed !== undefined;
    },
    dropAnnouncement: async (announcementId) => {
      const dropped = await db
        .deleteFrom('announcements')
        .where('announcement_id', '=', announcementId)
        .returning('announcement_id')
        .executeTakeFirst();
      return dropped !== undefined;
    },
  };
}

type Windows = Omit<NoticesStore, keyof Announcements>;

function windowLists(db: Kysely<PeopleDatabase>): Pick<Windows, 'windows' | 'openWindows'> {
  const all = () => db.selectFrom('maintenance_windows').selectAll();
  return {
    windows: async (limit, before) => {
      const rows = await all()
        .where(listedBehind('maintenance_windows', before))
        .orderBy('from_ms', 'desc')
        .orderBy('window_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(windowOf);
    },
    openWindows: async (limit) => {
      const rows = await all()
        .where('state', '!=', 'over')
        .orderBy('from_ms')
        .orderBy('window_id')
        .limit(limit)
        .execute();
      return rows.map(windowOf);
    },
  };
}

export function windowRows(db: Kysely<PeopleDatabase>): Windows {
  const all = () => db.selectFrom('maintenance_windows').selectAll();
  return {
    addWindow: (window) =>
      db.transaction().execute(async (within) => {
        const other = await within
          .selectFrom('maintenance_windows')
          .select('window_id')
          .where('state', '!=', 'over')
          .where('from_ms', '<', window.untilMs)
          .where('until_ms', '>', window.fromMs)
          .executeTakeFirst();
        if (other !== undefined) return false;
        await within.insertInto('maintenance_windows').values(windowColumns(window)).execute();
        return true;
      }),
    window: async (windowId) => {
      const row = await all().where('window_id', '=', windowId).executeTakeFirst();
      return row && windowOf(row);
    },
    ...windowLists(db),
    moveWindow: async (windowId, from, { state, haltedIds, untilMs }) => {
      const moved = await db
        .updateTable('maintenance_windows')
        .set({
          state: state ?? from,
          ...(haltedIds === undefined ? {} : { halted: idsText(haltedIds) }),
          ...(untilMs === undefined ? {} : { until_ms: untilMs }),
        })
        .where('window_id', '=', windowId)
        .where('state', '=', from)
        .returning('window_id')
        .executeTakeFirst();
      return moved !== undefined;
    },
    dropWindow: async (windowId) => {
      const dropped = await db
        .deleteFrom('maintenance_windows')
        .where('window_id', '=', windowId)
        .where('state', '=', 'planned')
        .returning('window_id')
        .executeTakeFirst();
      return dropped !== undefined;
    },
    pruneNotices: async (beforeMs) => {
      await db.deleteFrom('announcements').where('until_ms', '<', beforeMs).execute();
      await db
        .deleteFrom('maintenance_windows')
        .where('state', '=', 'over')
        .where('until_ms', '<', beforeMs)
        .execute();
    },
  };
}

function windowColumns(window: MaintenanceWindow): Row<'maintenance_windows'> {
  return {
    window_id: window.windowId,
    state: window.state,
    instruments: idsText(window.instrumentIds),
    halted: idsText(window.haltedIds),
    text_en: window.text.en,
    text_zh: window.text.zh,
    created_ms: window.createdMs,
    from_ms: window.fromMs,
    until_ms: window.untilMs,
  };
}
