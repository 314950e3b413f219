/**
 * Everything that can change the venue, as a closed union. A command is plain data: it is written
 * to the journal before its effect is visible, and replaying the journal applies it again.
 * Prices, sizes and amounts are already integers; secrets are already sealed.
 */
import type { AccountChanges, AccountSettings, KeyRecord } from './account.ts';
import type { AssetSpec, AssetTerms } from './asset.ts';
import type { ContractSpec, ContractTerms, HoldSide, MarginMode } from './contract.ts';
import type {
  ContractAction,
  ContractOrderWish,
  TpSlPurpose,
  TpSlTerms,
  TriggerDirection,
  TriggeredPrice,
  TriggerIntent,
  WorkingPrice,
} from './contract-order.ts';
import type { EngineFailure } from './failure.ts';
import type { SpotSpec, SpotTerms } from './instrument.ts';
import type { SpotOrderTerms } from './order.ts';
import type { FaultRule } from './sandbox.ts';
import type { Wallet } from './symbols.ts';
import type { AccountId, Amount, AssetId, InstrumentId, Lots, OrderId, Ticks } from './units.ts';

export type PlaceSpotOrder = SpotOrderTerms & {
  readonly kind: 'place_spot_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly clientOrderId?: string | undefined;
};

export interface CancelSpotOrder {
  readonly kind: 'cancel_spot_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId: OrderId;
}

/**
 * Another price and size for a resting order, in one. It keeps its ids, and its place in the queue
 * only when nothing but its size falls; otherwise it goes through the book like a new order.
 */
export interface MoveSpotOrder {
  readonly kind: 'move_spot_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId: OrderId;
  readonly priceTicks: Ticks;
  /** Of the whole order: what has been filled counts. */
  readonly sizeLots: Lots;
}

/** The operator takes every open spot order of an account off the books. */
export interface CancelAllSpotOrders {
  readonly kind: 'cancel_all_spot_orders';
  readonly accountId: AccountId;
}

export interface CreateAccount {
  readonly kind: 'create_account';
  readonly settings: AccountSettings;
}

export interface UpdateAccount {
  readonly kind: 'update_account';
  readonly accountId: AccountId;
  readonly changes: AccountChanges;
}

export interface CreateKey {
  readonly kind: 'create_key';
  readonly record: Omit<KeyRecord, 'createdTimeMs'>;
}

export interface RevokeKey {
  readonly kind: 'revoke_key';
  readonly key: string;
}

export interface ListAsset {
  readonly kind: 'list_asset';
  readonly spec: AssetSpec;
}

export interface UpdateAsset {
  readonly kind: 'update_asset';
  readonly assetId: AssetId;
  readonly changes: Partial<AssetTerms>;
}

export interface ListSpot {
  readonly kind: 'list_spot';
  readonly spec: SpotSpec;
}

export interface UpdateSpot {
  readonly kind: 'update_spot';
  readonly instrumentId: InstrumentId;
  readonly changes: Partial<SpotTerms>;
}

export interface ListContract {
  readonly kind: 'list_contract';
  readonly spec: ContractSpec;
}

export interface UpdateContract {
  readonly kind: 'update_contract';
  readonly instrumentId: InstrumentId;
  readonly changes: Partial<ContractTerms>;
}

/** The venue takes a pair or contract that made the engine fail out of trade until a resume. */
export interface SuspendInstrument {
  readonly kind: 'suspend_instrument';
  readonly instrumentId: InstrumentId;
  readonly reason: EngineFailure;
}

/** Its client id is empty for one that the venue makes up. */
export type PlaceContractOrder = ContractOrderWish & {
  readonly kind: 'place_contract_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
};

export interface CancelContractOrder {
  readonly kind: 'cancel_contract_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId: OrderId;
}

/** As with a spot order. */
export interface MoveContractOrder {
  readonly kind: 'move_contract_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId: OrderId;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** The operator takes every open order and trigger order of an account off the contracts. */
export interface CancelAllContractOrders {
  readonly kind: 'cancel_all_contract_orders';
  readonly accountId: AccountId;
}

/** Its TP/SL go with the order that it places. */
export type PlaceTriggerOrder = TriggeredPrice &
  TpSlTerms & {
    readonly kind: 'place_trigger_order';
    readonly accountId: AccountId;
    readonly instrumentId: InstrumentId;
    readonly action: ContractAction;
    readonly sizeLots: Lots;
    readonly triggerTicks: Ticks;
    /** Absent: the last price. */
    readonly workingPrice?: WorkingPrice | undefined;
    /** Absent: towards the trigger, wherever the price is. */
    readonly direction?: TriggerDirection | undefined;
    /** Absent: a stop. */
    readonly intent?: TriggerIntent | undefined;
    readonly clientOrderId?: string | undefined;
  };

export interface CancelTriggerOrder {
  readonly kind: 'cancel_trigger_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId: OrderId;
}

/** A take-profit or stop-loss of a position that is held. */
export type PlaceTpSl = TriggeredPrice & {
  readonly kind: 'place_tp_sl';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly side: HoldSide;
  readonly purpose: TpSlPurpose;
  readonly triggerTicks: Ticks;
  readonly workingPrice: WorkingPrice;
  /** Zero for whatever is held when it fires. */
  readonly sizeLots: Lots;
  readonly clientOrderId?: string | undefined;
};

/** The same for a TP/SL alone, and not for its size: what came before `modify_trigger_order`. */
export interface ModifyTpSl {
  readonly kind: 'modify_tp_sl';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId: OrderId;
  readonly triggerTicks: Ticks;
  readonly workingPrice?: WorkingPrice | undefined;
  readonly execution?: TriggeredPrice | undefined;
}

/**
 * Another trigger for what waits, a trigger order or a TP/SL: it keeps its id and the direction in
 * which it waits. What is absent stays as it is. Size zero is for a TP/SL of whatever is held.
 */
export interface ModifyTriggerOrder {
  readonly kind: 'modify_trigger_order';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly orderId: OrderId;
  readonly triggerTicks: Ticks;
  readonly workingPrice?: WorkingPrice | undefined;
  readonly execution?: TriggeredPrice | undefined;
  readonly sizeLots?: Lots | undefined;
}

/**
 * Cancels the owner's orders that would close a side, and closes all of it at the market. What
 * reverses opens as much on the other side once the close is done, before anybody else trades.
 */
export interface ClosePosition {
  readonly kind: 'close_position';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly side: HoldSide;
  readonly reverses?: true | undefined;
}

export interface LeverageChange {
  /** Cross accounts have one leverage: whatever is given, both sides change. */
  readonly side: HoldSide | 'both';
  readonly leverage: number;
  /** Whose leverage is meant; absent: that of the mode the account is in. */
  readonly mode?: MarginMode | undefined;
}

export interface SetLeverage extends LeverageChange {
  readonly kind: 'set_leverage';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  /** Other leverages of the account in the contract: all are set, or none. */
  readonly others?: readonly LeverageChange[] | undefined;
}

/** Moves money between an account's available balance and an isolated position's margin. */
export interface AdjustMargin {
  readonly kind: 'adjust_margin';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly side: HoldSide;
  /** Signed: above zero adds to the position. */
  readonly delta: Amount;
}

export interface SetAutoMargin {
  readonly kind: 'set_auto_margin';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly side: HoldSide;
  readonly automatic: boolean;
}

export interface SetMarginMode {
  readonly kind: 'set_margin_mode';
  readonly accountId: AccountId;
  readonly instrumentId: InstrumentId;
  readonly mode: MarginMode;
  /** Absent: the leverage of before goes on, that of the long side in cross mode. */
  readonly leverages?: 'stored' | undefined;
  /** Absent: as before. See MarginAccountView. */
  readonly isSeparated?: boolean | undefined;
}

/** One source's view of a contract's index price. */
export interface ReportIndex {
  readonly kind: 'report_index';
  readonly instrumentId: InstrumentId;
  /** A configured feed, or OPERATOR_SOURCE, whose price outranks all until it is set to zero. */
  readonly source: string;
  readonly priceTicks: Ticks;
}

/** Time passes: prices are refreshed, premiums sampled, breaches acted upon. */
export interface Tick {
  readonly kind: 'tick';
}

/** The venue's own: the first settlement of funding that is due, carried out at its own time. */
export interface SettleFunding {
  readonly kind: 'settle_funding';
  /** When the command behind it is: what is due by then and lies too far back is skipped. */
  readonly untilMs: number;
}

/** The venue's own: another piece of what earlier commands have set off. */
export interface ContinueWork {
  readonly kind: 'continue_work';
}

/** What an operator asks for is carried out once within 30 days of each kind, account and id. */
interface AskedByOperator {
  /** The operator's own id for it; absent: carried out whenever it comes. */
  readonly operatorOid?: string | undefined;
}

/** The operator puts money into the insurance fund of a coin. */
export interface FundInsurance extends AskedByOperator {
  readonly kind: 'fund_insurance';
  readonly assetId: AssetId;
  readonly amount: Amount;
}

/**
 * Has money of an account stand still, or lets it move again: until then nothing comes in or goes
 * out but what its holder pays. Its owner trades on, and moves it between wallets of its own.
 */
export interface HoldMoney {
  readonly kind: 'hold_money';
  readonly accountId: AccountId;
  readonly holder: string;
  readonly isHeld: boolean;
}

/** Money that comes in or goes out. */
interface Paid extends AskedByOperator {
  /** On whose hold of the account it is paid; absent: on none. */
  readonly holder?: string | undefined;
}

export interface Deposit extends Paid {
  readonly kind: 'deposit';
  readonly accountId: AccountId;
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

export interface Withdraw extends Paid {
  readonly kind: 'withdraw';
  readonly accountId: AccountId;
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

/** Sets how much of a spot balance the operator keeps the owner from using. */
export interface SetLock {
  readonly kind: 'set_lock';
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

export interface Transfer extends AskedByOperator {
  readonly kind: 'transfer';
  readonly accountId: AccountId;
  readonly assetId: AssetId;
  readonly amount: Amount;
  readonly from: Wallet;
  readonly to: Wallet;
  /** The owner's own id for the transfer. */
  readonly clientOid?: string | undefined;
}

/** Moves money from the spot wallet of one account to that of another, whole or not at all. */
export interface TransferBetweenAccounts {
  readonly kind: 'transfer_between_accounts';
  readonly accountId: AccountId;
  readonly toAccountId: AccountId;
  readonly assetId: AssetId;
  readonly amount: Amount;
}

/** Sandbox: from this command's time on the venue's clock runs at this speed. */
export interface SetClock {
  readonly kind: 'set_clock';
  readonly speedPermille: number;
}

/** Sandbox: keeps the state as it is under a name, in place of what had that name. */
export interface SaveCheckpoint {
  readonly kind: 'save_checkpoint';
  readonly name: string;
}

/** Sandbox: everything is again as it was when the checkpoint was saved, but time and ids go on. */
export interface ResetToCheckpoint {
  readonly kind: 'reset_to_checkpoint';
  readonly name: string;
}

export interface DropCheckpoint {
  readonly kind: 'drop_checkpoint';
  readonly name: string;
}

export interface AddFault {
  readonly kind: 'add_fault';
  readonly rule: Omit<FaultRule, 'faultId'>;
}

export interface RemoveFaults {
  readonly kind: 'remove_faults';
  /** Zero for all. */
  readonly faultId: number;
}

export type SandboxCommand =
  | SetClock
  | SaveCheckpoint
  | ResetToCheckpoint
  | DropCheckpoint
  | AddFault
  | RemoveFaults;

/** What an operator may ask for under an id. */
export type MoneyCommand = Deposit | Withdraw | Transfer | FundInsurance;

/** What owners ask of a contract, and what is asked for them. */
export type ContractCommand =
  | PlaceContractOrder
  | CancelContractOrder
  | MoveContractOrder
  | CancelAllContractOrders
  | PlaceTriggerOrder
  | CancelTriggerOrder
  | PlaceTpSl
  | ModifyTpSl
  | ModifyTriggerOrder
  | ClosePosition
  | SetLeverage
  | AdjustMargin
  | SetAutoMargin
  | SetMarginMode;

export type Command =
  | PlaceSpotOrder
  | CancelSpotOrder
  | MoveSpotOrder
  | CancelAllSpotOrders
  | CreateAccount
  | UpdateAccount
  | CreateKey
  | RevokeKey
  | ListAsset
  | UpdateAsset
  | ListSpot
  | UpdateSpot
  | ListContract
  | UpdateContract
  | SuspendInstrument
  | ReportIndex
  | Tick
  | ContinueWork
  | SettleFunding
  | FundInsurance
  | Deposit
  | Withdraw
  | SetLock
  | HoldMoney
  | Transfer
  | TransferBetweenAccounts
  | ContractCommand
  | SandboxCommand;

export type CommandKind = Command['kind'];
