/** Follows the private streams of the account signed in, and folds them into its state. */
import { spotStreamFill } from '../../model/fills.ts';
import type { RiskLevel } from '../../model/notices.ts';
import { type Notice, orderNotice, planNotice, riskNotice, riskOf } from '../../model/notices.ts';
import {
  type OrderLine,
  type SpotOrderPush,
  type SwapOrderRow,
  spotStreamOrder,
  swapOrder,
} from '../../model/orders.ts';
import { type PlanRow, planLine } from '../../model/plans.ts';
import {
  type BalanceRow,
  type ContractAccountRow,
  type PositionRow,
  positionPair,
} from '../../model/positions.ts';
import { atNextFrame } from '../../store/store.ts';
import { type Push, type StreamClient, spotStream, swapStream } from '../../wire/streams.ts';
import {
  awaitTopic,
  noteGap,
  publishBalances,
  publishContracts,
  publishOrders,
  publishPlans,
  publishPositions,
  settleTopic,
  tables,
} from './account-state.ts';
import { tell } from './notice-words.ts';
import { terms } from './terms.ts';

/** Follows both private topics of spot. Returns how to stop. */
export function followSpotAccount(): () => void {
  const stops = [
    follow<SpotOrderPush>(spotStream, 'orders', 'default', takeSpotOrders),
    follow<BalanceRow>(spotStream, 'account', 'default', takeBalances, 'balances'),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Follows the private topics of one contract. Returns how to stop. */
export function followContractAccount(symbol: string): () => void {
  const stops = [
    follow<SwapOrderRow>(swapStream, 'order', symbol, (push) => takeSwapOrders(push, symbol)),
    follow<PlanRow>(swapStream, 'currentPlan', symbol, (push) => takePlans(push, symbol)),
    follow<PositionRow>(swapStream, 'position', symbol, takePositions),
    follow<ContractAccountRow>(swapStream, 'account', symbol, takeAccounts),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function follow<Row>(
  stream: StreamClient,
  channel: string,
  symbol: string,
  take: (push: Push<Row>) => void,
  name = channel,
): () => void {
  const topic = `${name}:${symbol}`;
  awaitTopic(topic, name);
  let isLost = false;
  const stop = stream.follow<Row>(
    { channel, symbol },
    (push) => {
      settleTopic(topic);
      take(push);
      // The topics of a broken connection come back one by one: one frame, one gap.
      if (isLost) atNextFrame(noteGap);
      isLost = false;
    },
    () => {
      isLost = true;
    },
  );
  return () => {
    settleTopic(topic);
    stop();
  };
}

function takeSpotOrders({ isSnapshot, rows }: Push<SpotOrderPush>): void {
  for (const row of rows) {
    const fill = spotStreamFill(row);
    if (fill !== undefined) tables.fills.hear(fill, Date.now());
  }
  const isSpot = ({ market }: OrderLine) => market === 'spot';
  takeOrders(rows.map(spotStreamOrder), isSnapshot ? isSpot : undefined);
}

function takeSwapOrders({ isSnapshot, rows }: Push<SwapOrderRow>, symbol: string): void {
  const isOfContract = (order: OrderLine) => order.symbol === symbol;
  takeOrders(rows.map(swapOrder), isSnapshot ? isOfContract : undefined);
}

/** A snapshot replaces the open orders of its scope without notices; an update gives one. */
function takeOrders(
  lines: readonly OrderLine[],
  snapshotScope: ((order: OrderLine) => boolean) | undefined,
): void {
  const { orders } = tables;
  if (snapshotScope === undefined) {
    const changes = lines.map((line) => orders.hear(line, Date.now()));
    tell(changes.map((change) => change && orderNotice(change)).filter(isNotice));
  } else {
    orders.replaceOpen(lines, orders.mark(), snapshotScope);
  }
  publishOrders();
}

function takePlans({ isSnapshot, rows }: Push<PlanRow>, symbol: string): void {
  const { plans } = tables;
  const lines = rows.map(planLine);
  if (isSnapshot) {
    plans.replaceOpen(lines, plans.mark(), (plan) => plan.symbol === symbol);
  } else {
    const changes = lines.map((line) => plans.hear(line, Date.now()));
    tell(changes.map((change) => change && planNotice(change)).filter(isNotice));
  }
  publishPlans();
}

function isNotice(notice: Notice | undefined): notice is Notice {
  return notice !== undefined;
}

function takeBalances({ rows }: Push<BalanceRow>): void {
  for (const row of rows) tables.balances.hear(row.coinName, row, Date.now());
  publishBalances();
}

function takePositions({ rows }: Push<PositionRow>): void {
  for (const row of rows) {
    const pair = positionPair(row);
    tables.positions.hear(pair.symbol, pair, Date.now());
  }
  publishPositions();
  atNextFrame(watchRisk);
}

function takeAccounts({ rows }: Push<ContractAccountRow>): void {
  for (const row of rows) tables.accounts.hear(row.symbol, row, Date.now());
  publishContracts();
  atNextFrame(watchRisk);
}

const levels = new Map<string, RiskLevel>();

/** Warns when a side comes nearer to liquidation; at a frame all values are of one moment. */
function watchRisk(): void {
  const notices: Notice[] = [];
  for (const pair of tables.positions.all) {
    const row = tables.accounts.get(pair.symbol);
    const contract = terms.get().contracts.get(pair.symbol);
    if (row === undefined || contract === undefined) continue;
    for (const holding of [pair.long, pair.short]) {
      const name = `${pair.symbol}.${holding.side}`;
      const now = riskOf(row, holding, contract.takerFeePpm);
      const notice = riskNotice(row, holding, levels.get(name) ?? 'calm', now);
      levels.set(name, now);
      if (notice !== undefined) notices.push(notice);
    }
  }
  tell(notices);
}

/** Forgets how near to liquidation anything was. */
export function forgetRisk(): void {
  levels.clear();
}
