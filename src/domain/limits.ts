/** Every bound of the venue in one place. The relations between them are asserted below. */
import { assert } from '#kernel';

export const LIMITS = {
  /** Number of the last order, trade or bill: the numbers of events go on where it ends. */
  idMax: 8_000_000_000_000_000,
  /** Characters of an id a client chooses for its order or transfer. */
  clientIdLengthMax: 40,
  /**
   * How long a client's id stays taken after what it named was over, and how many such ids are
   * remembered: of an account in one place, and of the whole venue. At least half of them are kept.
   */
  usedIdsHoldMs: 86_400_000,
  usedIdsPerScopeMax: 100_000,
  usedIdsMax: 1_000_000,
  /** How long an operator's id for a command for money stays taken, and how many are kept. */
  operatorOidHoldMs: 2_592_000_000,
  operatorOidsMax: 200_000,
  /** Orders or ids in one spot batch request. */
  spotBatchMax: 50,
  /** Orders in one contract batch request, and ids in one batch cancel. */
  contractBatchMax: 20,
  contractCancelBatchMax: 50,
  /** Bytes of a request body; a full batch of 50 orders needs about 12 kB. */
  bodyBytesMax: 65_536,
  /** Characters of a request target (path and query). */
  targetLengthMax: 4_096,
  /** Commands in one journal entry; callers get 503 while the next entry is full. */
  entryCommandsMax: 4_096,
  /** Characters in one, of which three may wait: the journal queues so much text and no more. */
  entryCharactersMax: 8_388_608,
  /** Open orders over the whole venue, and the highest cap of an account (a Map holds 2^24). */
  openOrdersMax: 10_000_000,
  /** Open orders of one account unless the operator sets another cap. */
  accountOpenOrdersMax: 1_000,
  /**
   * Events after which a command does no more of what earlier ones have set off, and events of one
   * order after which it meets no more in that command: a fill can end many TP/SL.
   */
  commandEventsMax: 400,
  /** Missed settlements of a contract that are charged one by one: a month of three a day. */
  missedSettlementsMax: 93,
  /** Resting orders that one order meets in one command: it goes on in later ones. */
  orderMatchesMax: 250,
  /** Resting orders that one order trades with in all: what is left of it then is cancelled. */
  orderTradesMax: 10_000,
  /** Fills of one order that its answer lists: those beyond them are in its history. */
  orderAnswerFillsMax: 1_000,
  /** Places of a cluster for processes that send requests: the highest a setting may say. */
  clusterPlacesMax: 1_024,
  /** Requests without an answer of one process of a cluster: the highest a setting may say. */
  openRequestsMax: 16_384,
  /** Requests that a venue remembers of each: twice as many, at about 27 bytes. */
  senderRequestsMax: 32_768,
  /** Senders without a place, which are remembered until so many others have come. */
  unplacedSendersMax: 64,
  /** Characters in one entry of a shared log: at three bytes each it stays below 1 MiB. */
  sharedEntryCharactersMax: 262_144,
  accountsMax: 1_000_000,
  assetsMax: 1_000,
  instrumentsMax: 10_000,
  keysPerAccountMax: 50,
  ipAllowListMax: 30,
  nameLengthMax: 64,
  /** Recent public trades kept in memory and served, per pair. */
  recentTradesMax: 2_000,
  /** Candles kept in memory per pair and period; older ones are read from history. */
  liveCandlesMax: 1_000,
  /** The same, of mark and of index prices. */
  livePriceCandlesMax: 300,
  candlePageMax: 1_000,
  /** Candles of a series that no age removes: as many as live views begin with. */
  historyCandlesMin: 1_500,
  depthLevelsDefault: 150,
  depthLevelsMax: 500,
  pageRowsDefault: 100,
  pageRowsMax: 500,
  /** Rows that the history gives at once; dialects have bounds of their own below it. */
  historyRowsMax: 1_000,
  /** Rows beyond its limit that a page may hold to keep an order or a millisecond together. */
  pageOverrunMax: 2_000,
  /** Decimal places of an asset's ledger amounts. */
  assetScaleMax: 18,
  /**
   * Rows of a page of contract orders, trigger orders or funding rates, and the last page of
   * trigger orders. The product of both is how far back any of these lists is served.
   */
  contractPageRowsMax: 100,
  contractPageIndexMax: 200,
  /** Fills of one contract order in one answer: its call has no pages. */
  contractOrderFillsMax: 20_000,
  /** Days whose opening equities and insurance funds are kept, and served at once. */
  openingDaysMax: 90,
  /** How far back the history of contract orders is served. */
  contractHistoryDaysMax: 90,
  contractDepthLevelsMax: 200,
  contractTradesMax: 100,
  leverageMax: 100,
  leverageDefault: 20,
  riskTiersMax: 50,
  /** Lots of one contract order and of one position: what all accounts hold stays one number. */
  contractLotsMax: 9_000_000_000,
  indexSourcesMax: 10,
  /** No index price is above it: what lies around one, mark price and band, must stay exact. */
  indexTicksMax: 1_000_000_000_000_000,
  /** With so many trigger orders and TP/SL waiting in the whole venue no trigger order is taken. */
  triggerOrdersMax: 1_000_000,
  /** Named states a sandbox keeps, and rows of state in one of them. */
  checkpointsMax: 16,
  checkpointRowsMax: 200_000,
  faultsMax: 100,
  /** How far a request's timestamp may lie behind the venue's time, and how far ahead of it. */
  requestAgeMaxMs: 30_000,
  requestAheadMaxMs: 5_000,
  /** Signatures of one strict key that are remembered, each for twice that window at most. */
  strictSignaturesMax: 20_000,
} as const;

assert(LIMITS.liveCandlesMax >= LIMITS.candlePageMax, 'a page of candles is served from memory');
// A mark price is below twice the index, the band's end below twice that, and a middle adds two.
assert(LIMITS.indexTicksMax * 8 <= Number.MAX_SAFE_INTEGER, 'every price around an index is exact');
assert(LIMITS.assetsMax <= LIMITS.historyRowsMax, 'a page holds a day with every coin');
// A match may open before it closes: what is held then has as much again.
assert(
  (LIMITS.accountsMax + 1) * LIMITS.contractLotsMax <= Number.MAX_SAFE_INTEGER,
  'what all accounts hold of a contract is counted exactly',
);
assert(LIMITS.openOrdersMax < 2 ** 24, 'a Map holds fewer than 2^24 entries');
