/**
 * What is kept of people, beside the engine and not in its log: who they are, how they sign in,
 * which accounts they may use. Times are of the venue, in milliseconds. A store keeps hashes and
 * sealed text only; nothing in it opens anything without the master key.
 */
import type { AccessStore } from './access/port.ts';
import type { FeeLevelsStore } from './fee-levels/port.ts';
import type { CodesStore } from './identities/invitation-port.ts';
import type { IdentitiesStore } from './identities/port.ts';
import type { ImportsStore } from './imports/port.ts';
import type { NoticesStore } from './notices/port.ts';
import type { ActionLogStore } from './operators/action-log-port.ts';
import type { ApprovalsStore } from './operators/approvals-port.ts';
import type { MovementsStore } from './operators/movements-port.ts';
import type { OperatorsStore } from './operators/port.ts';
import type { PaymentStore } from './payments/port.ts';
import type { EndingStore } from './store/ending-port.ts';

export interface PeopleStore
  extends IdentitiesStore,
    CodesStore,
    EndingStore,
    AccessStore,
    OperatorsStore,
    ApprovalsStore,
    MovementsStore,
    ActionLogStore,
    PaymentStore,
    NoticesStore,
    ImportsStore,
    FeeLevelsStore {
  close(): Promise<void>;
}
