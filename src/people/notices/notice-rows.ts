/** Announcements and maintenance windows. */
import type { Kysely, Selectable } from 'kysely';
import { type InstrumentId, instrumentId } from '#domain';
import { listedBehind } from '../store/listed-behind.ts';
import type { PeopleDatabase } from '../store/tables.ts';
import { word } from '../store/words.ts';
import {
  type Announcement,
  type MaintenanceWindow,
  NOTICE_LEVELS,
  type NoticesStore,
  WINDOW_STATES,
} from './port.ts';

type Row<T extends keyof PeopleDatabase> = Selectable<PeopleDatabase[T]>;

function idsText(ids: readonly InstrumentId[]): string {
  return ids.join(',');
}

function idsOf(text: string): InstrumentId[] {
  return text === '' ? [] : text.split(',').map((id) => instrumentId(Number(id)));
}

function announcementOf(row: Row<'announcements'>): Announcement {
  return {
    announcementId: row.announcementId,
    level: word(NOTICE_LEVELS, row.level),
    title: { en: row.titleEn, zh: row.titleZh },
    text: { en: row.textEn, zh: row.textZh },
    createdMs: row.createdMs,
    fromMs: row.fromMs,
    untilMs: row.untilMs,
  };
}

function announcementColumns({ level, title, text, fromMs, untilMs }: Announcement) {
  return {
    level,
    titleEn: title.en,
    titleZh: title.zh,
    textEn: text.en,
    textZh: text.zh,
    fromMs,
    untilMs,
  };
}

function windowOf(row: Row<'maintenance_windows'>): MaintenanceWindow {
  return {
    windowId: row.windowId,
    text: { en: row.textEn, zh: row.textZh },
    instrumentIds: idsOf(row.instruments),
    state: word(WINDOW_STATES, row.state),
    haltedIds: idsOf(row.halted),
    createdMs: row.createdMs,
    fromMs: row.fromMs,
    untilMs: row.untilMs,
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
      const key = { announcementId, createdMs };
      await db
        .insertInto('announcements')
        .values({ ...key, ...announcementColumns(announcement) })
        .execute();
    },
    announcements: async (nowMs, limit) => {
      const rows = await db
        .selectFrom('announcements')
        .selectAll()
        .where('untilMs', '>', nowMs)
        .orderBy('fromMs', 'desc')
        .orderBy('announcementId')
        .limit(limit)
        .execute();
      return rows.map(announcementOf);
    },
    changeAnnouncement: async (announcement) => {
      const changed = await db
        .updateTable('announcements')
        .set(announcementColumns(announcement))
        .where('announcementId', '=', announcement.announcementId)
        .returning('announcementId')
        .executeTakeFirst();
      return changed !== undefined;
    },
    dropAnnouncement: async (announcementId) => {
      const dropped = await db
        .deleteFrom('announcements')
        .where('announcementId', '=', announcementId)
        .returning('announcementId')
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
        .orderBy('fromMs', 'desc')
        .orderBy('windowId', 'desc')
        .limit(limit)
        .execute();
      return rows.map(windowOf);
    },
    openWindows: async (limit) => {
      const rows = await all()
        .where('state', '!=', 'over')
        .orderBy('fromMs')
        .orderBy('windowId')
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
          .select('windowId')
          .where('state', '!=', 'over')
          .where('fromMs', '<', window.untilMs)
          .where('untilMs', '>', window.fromMs)
          .executeTakeFirst();
        if (other !== undefined) return false;
        await within.insertInto('maintenance_windows').values(windowColumns(window)).execute();
        return true;
      }),
    window: async (windowId) => {
      const row = await all().where('windowId', '=', windowId).executeTakeFirst();
      return row && windowOf(row);
    },
    ...windowLists(db),
    moveWindow: async (windowId, from, { state, haltedIds, untilMs }) => {
      const moved = await db
        .updateTable('maintenance_windows')
        .set({
          state: state ?? from,
          ...(haltedIds === undefined ? {} : { halted: idsText(haltedIds) }),
          untilMs,
        })
        .where('windowId', '=', windowId)
        .where('state', '=', from)
        .returning('windowId')
        .executeTakeFirst();
      return moved !== undefined;
    },
    dropWindow: async (windowId) => {
      const dropped = await db
        .deleteFrom('maintenance_windows')
        .where('windowId', '=', windowId)
        .where('state', '=', 'planned')
        .returning('windowId')
        .executeTakeFirst();
      return dropped !== undefined;
    },
    pruneNotices: async (beforeMs) => {
      await db.deleteFrom('announcements').where('untilMs', '<', beforeMs).execute();
      await db
        .deleteFrom('maintenance_windows')
        .where('state', '=', 'over')
        .where('untilMs', '<', beforeMs)
        .execute();
    },
  };
}

function windowColumns(window: MaintenanceWindow): Row<'maintenance_windows'> {
  return {
    windowId: window.windowId,
    state: window.state,
    instruments: idsText(window.instrumentIds),
    halted: idsText(window.haltedIds),
    textEn: window.text.en,
    textZh: window.text.zh,
    createdMs: window.createdMs,
    fromMs: window.fromMs,
    untilMs: window.untilMs,
  };
}
