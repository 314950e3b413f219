/** The store over any database that kysely speaks to, with the part of another room. */
import type { Kysely } from 'kysely';
import { accessCodeRows } from '../access/access-code-rows.ts';
import { accessRows } from '../access/access-rows.ts';
import { feeLevelRows } from '../fee-levels/fee-level-rows.ts';
import { invitationRows, recoveryCodeRows } from '../identities/code-rows.ts';
import { eventRows, failureRows } from '../identities/event-rows.ts';
import { linkRows } from '../identities/link-rows.ts';
import { dropCodesOf, ownedCodeRows } from '../identities/owned-code-rows.ts';
import { countRows, personRows } from '../identities/person-rows.ts';
import { sessionRows } from '../identities/session-rows.ts';
import { importRows } from '../imports/import-rows.ts';
import { announcementRows, windowRows } from '../notices/notice-rows.ts';
import { actionRows } from '../operators/action-rows.ts';
import { movementRows } from '../operators/movement-rows.ts';
import { approvalRows, operatorRows } from '../operators/operator-rows.ts';
import { paymentEventRows } from '../payments/payment-event-rows.ts';
import { paymentChangeRows, paymentMoveRows, paymentRows } from '../payments/payment-rows.ts';
import type { PeopleStore } from '../port.ts';
import { endingRows } from './ending-rows.ts';
import type { StorePart } from './part.ts';
import type { PeopleDatabase } from './tables.ts';

export function storeOver<Added extends object>(
  db: Kysely<PeopleDatabase>,
  part: StorePart<Added>,
): PeopleStore & Added {
  return {
    ...part.rows(db, dropCodesOf),
    ...personRows(db),
    ...countRows(db),
    ...accessRows(db),
    ...endingRows(db, part),
    ...sessionRows(db),
    ...linkRows(db),
    ...invitationRows(db),
    ...ownedCodeRows(db),
    ...accessCodeRows(db),
    ...recoveryCodeRows(db),
    ...eventRows(db),
    ...failureRows(db),
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
