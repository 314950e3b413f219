/** The store over any database that kysely speaks to. */
import type { Kysely } from 'kysely';
import type { PeopleStore } from '../port.ts';
import { actionRows } from './action-rows.ts';
import { accessCodeRows, invitationRows, recoveryCodeRows } from './code-rows.ts';
import { competitionCodeRows } from './competition-code-rows.ts';
import { competitionRows, entryRows, roundRows } from './competition-rows.ts';
import { eventRows, failureRows } from './event-rows.ts';
import { feeLevelRows, importRows } from './import-rows.ts';
import { linkRows } from './link-rows.ts';
import { movementRows } from './movement-rows.ts';
import { announcementRows, windowRows } from './notice-rows.ts';
import { approvalRows, operatorRows } from './operator-rows.ts';
import { paymentEventRows } from './payment-event-rows.ts';
import { paymentChangeRows, paymentMoveRows, paymentRows } from './payment-rows.ts';
import { accessRows, countRows, personRows } from './people-rows.ts';
import { personalRows } from './personal-rows.ts';
import { sessionRows } from './session-rows.ts';
import type { PeopleDatabase } from './tables.ts';

export function storeOver(db: Kysely<PeopleDatabase>): PeopleStore {
  return {
    ...personRows(db),
    ...countRows(db),
    ...accessRows(db),
    ...personalRows(db),
    ...sessionRows(db),
    ...linkRows(db),
    ...invitationRows(db),
    ...accessCodeRows(db),
    ...recoveryCodeRows(db),
    ...eventRows(db),
    ...failureRows(db),
    ...competitionRows(db),
    ...competitionCodeRows(db),
    ...entryRows(db),
    ...roundRows(db),
    ...announcementRows(db),
    ...windowRows(db),
    ...importRows(db),
    ...feeLevelRows(db),
    ...operatorRows(db),
    ...approvalRows(db),
    ...movementRows(db),
    ...actionRows(db),
    ...paymentRows(db),
    ...paymentChangeRows(db),
    ...paymentMoveRows(db),
    ...paymentEventRows(db),
    close: () => db.destroy(),
  };
}
