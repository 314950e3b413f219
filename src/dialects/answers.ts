/** What answers look like to who reads them, the pages: types made from the rows. */

import type {
  ACCOUNT_ENTRY,
  ACCOUNT_FILL,
  ACCOUNT_ORDER,
  ACCOUNT_POSITION,
  ACCOUNT_TRIGGER,
} from './admin/account-rows.ts';
import type { ACCOUNT, ACCOUNT_WITH_BALANCES, BALANCE } from './admin/accounts.ts';
import type { ACTING, ACTION, VERDICT } from './admin/actions.ts';
import type { APPROVAL } from './admin/approvals.ts';
import type { AUDIT } from './admin/audit.ts';
import type { CLUSTER } from './admin/cluster.ts';
import type { CONTRACT, CONTRACT_NOW } from './admin/contracts.ts';
import type { FUND, LIQUIDATION } from './admin/insurance.ts';
import type { KEY, NEW_KEY } from './admin/keys.ts';
import type { OPERATOR_LIMIT } from './admin/limits.ts';
import type { INSTRUMENTS } from './admin/listings.ts';
import type { PAIR } from './admin/pairs.ts';
import type { PRODUCT } from './classic/spot-listings.ts';
import type { TICKER as SPOT_TICKER } from './classic/spot-market.ts';
import type { CONTRACT_ROW, TICKER as SWAP_TICKER } from './classic/swap-market.ts';
import type {
  COMPETITION,
  COMPETITION_SEEN,
  JOIN_CODE,
  LEADERBOARD,
  LISTED,
  OWN_COMPETITION,
  ROUND,
} from './competition/rows.ts';
import type { FEE_LEVEL, SETTINGS as FEE_LEVELS } from './people/fee-levels.ts';
import type { IMPORT } from './people/imports.ts';
import type { ANNOUNCEMENT, NOTICES, WINDOW } from './people/notices.ts';
import type { OPERATOR } from './people/operators.ts';
import type { PAYMENT } from './people/payment-rows.ts';
import type { COIN_RULES } from './people/payments.ts';
import type { HELD, SEEN } from './people/payments-operator.ts';
import type { CHECKPOINT } from './sandbox/checkpoints.ts';
import type { CLOCK_READING } from './sandbox/clock.ts';
import type { STATE } from './sandbox/dialect.ts';
import type { FAULT } from './sandbox/faults.ts';
import type { OUTCOME, SCENARIO } from './sandbox/scenarios.ts';

export type AccountRow = typeof ACCOUNT.example;
export type WalletRow = typeof BALANCE.example;
export type AccountWithBalances = typeof ACCOUNT_WITH_BALANCES.example;
export type PaymentRow = typeof PAYMENT.example;
export type PaymentSeenRow = typeof SEEN.example;
export type HeldRow = typeof HELD.example;
export type CoinRulesRow = typeof COIN_RULES.example;
export type KeyRow = typeof KEY.example;
export type NewKey = typeof NEW_KEY.example;
export type PairTerms = typeof PAIR.example;
export type ContractTerms = typeof CONTRACT.example;
export type TierRow = ContractTerms['tiers'][number];
export type IndexSourceRow = ContractTerms['index']['sources'][number];
export type ContractState = typeof CONTRACT_NOW.example;
export type Listed = typeof INSTRUMENTS.example;
export type Audit = typeof AUDIT.example;
export type AuditLine = Audit['coins'][number];
export type Cluster = typeof CLUSTER.example;
export type ClusterProcess = Cluster['processes'][number];
export type FundRow = typeof FUND.example;
export type LiquidationRow = typeof LIQUIDATION.example;

export type ShownOrderRow = typeof ACCOUNT_ORDER.example;
export type ShownFillRow = typeof ACCOUNT_FILL.example;
export type ShownPositionRow = typeof ACCOUNT_POSITION.example;
export type ShownTriggerRow = typeof ACCOUNT_TRIGGER.example;
export type ShownEntryRow = typeof ACCOUNT_ENTRY.example;
export type FeeLevelRow = typeof FEE_LEVEL.example;
export type FeeLevelsShown = typeof FEE_LEVELS.example;
export type ImportRow = typeof IMPORT.example;
export type AnnouncementRow = typeof ANNOUNCEMENT.example;
export type WindowRow = typeof WINDOW.example;
export type NoticesNow = typeof NOTICES.example;
export type ShownWindow = NoticesNow['maintenance'][number];

export type ActingRow = typeof ACTING.example;
export type ActionRow = typeof ACTION.example;
export type LogVerdictRow = typeof VERDICT.example;
export type ApprovalRow = typeof APPROVAL.example;
export type OperatorLimitRow = typeof OPERATOR_LIMIT.example;
export type OperatorRow = typeof OPERATOR.example;

export type CompetitionRow = typeof COMPETITION.example;
export type CompetitionSeen = typeof COMPETITION_SEEN.example;
export type EntryRow = CompetitionSeen['entries'][number];
export type RoundRow = typeof ROUND.example;
export type CompetitionCodeRow = CompetitionSeen['codes'][number];
export type NewCompetitionCode = typeof JOIN_CODE.example;
export type OwnCompetitionRow = typeof OWN_COMPETITION.example;
export type ShownCompetition = typeof LISTED.example;
export type Leaderboard = typeof LEADERBOARD.example;
export type ShownRound = Leaderboard['round'];
export type BoardRow = Leaderboard['traders'][number];

export type ClockReading = typeof CLOCK_READING.example;
export type CheckpointRow = typeof CHECKPOINT.example;
export type FaultRow = typeof FAULT.example;
export type FaultEffectRow = FaultRow['effect'];
export type SandboxState = typeof STATE.example;
export type ScenarioRow = typeof SCENARIO.example;
export type ScenarioOutcome = typeof OUTCOME.example;

export type SpotProduct = typeof PRODUCT.example;
export type SwapContract = typeof CONTRACT_ROW.example;
export type SpotTicker = typeof SPOT_TICKER.example;
export type SwapTicker = typeof SWAP_TICKER.example;
