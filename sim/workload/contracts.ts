/** What people do with contracts: open, hedge, close, protect, collude, and change their minds. */
import {
  type AccountId,
  type Command,
  type Contract,
  type ContractOrderView,
  type Force,
  type HoldSide,
  type InstrumentId,
  lots,
  orderId,
  ticks,
} from '#domain';
import {
  aPosition,
  CLOSE,
  markOf,
  OPEN,
  openable,
  order,
  priceFor,
  SIDES,
} from './contract-words.ts';
import { withPresets } from './protection.ts';
import type { Scene } from './scene.ts';

const FORCES: readonly [Force, ...Force[]] = ['gtc', 'gtc', 'gtc', 'post_only', 'fok', 'ioc'];

/** Two who have agreed: one opens at a price, and the other one meets it. */
export function agreedTrade(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const [one, other] = draw.percent(50) ? SIDES : ([...SIDES].reverse() as [HoldSide, HoldSide]);
  const priceTicks = scene.priceNear(markOf(scene, contract), contract.priceStepTicks);
  const first = scene.account();
  const sizeLots = Math.max(1, Math.min(openable(scene, first, contract, one), contract.maxLots));
  return [
    order(scene, contract, first, OPEN[one], sizeLots, priceTicks, 'gtc'),
    order(scene, contract, scene.account(), OPEN[other], sizeLots, priceTicks, 'gtc'),
  ];
}

/** One account takes a side in every linear contract, all of it on one wallet of the coin. */
export function spread(scene: Scene): Command[] {
  const { draw, view } = scene;
  const accountId = draw.of(coinWalletsOf(scene)) ?? scene.account();
  const linear = [...view.listings.contracts.values()].filter(({ kind }) => kind === 'linear');
  const commands: Command[] = [];
  const isHedged = draw.percent(40);
  let [one, other] = draw.percent(50) ? SIDES : ([...SIDES].reverse() as [HoldSide, HoldSide]);
  for (const contract of linear) {
    if (isHedged) [one, other] = [other, one];
    const price = Math.round(markOf(scene, contract) / contract.priceStepTicks);
    const priceTicks = Math.max(1, price) * contract.priceStepTicks;
    const partner = scene.account();
    const most = Math.floor(openable(scene, accountId, contract, one) / linear.length);
    const sizeLots = Math.max(1, Math.min(most, openable(scene, partner, contract, other)));
    commands.push(
      order(scene, contract, accountId, OPEN[one], sizeLots, priceTicks, 'gtc'),
      order(scene, contract, partner, OPEN[other], sizeLots, priceTicks, 'gtc'),
    );
  }
  return commands;
}

function coinWalletsOf(scene: Scene): AccountId[] {
  const contracts = [...scene.view.listings.contracts.values()];
  const found: AccountId[] = [];
  for (const { accountId } of scene.view.accounts()) {
    const isOne = contracts.some(
      ({ instrumentId }) => scene.margin(accountId, instrumentId)?.wallet === 'margin',
    );
    if (isOne) found.push(accountId);
  }
  return found;
}

/** Two who trade with each other far from the mark, again and again, to take others along. */
export function corner(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const [one, other] = [scene.account(), scene.account()];
  const far = draw.of([-1, 1]) * draw.between(30_000, 300_000);
  const { priceStepTicks, minLots } = contract;
  const moved = markOf(scene, contract) * (1 + far / 1_000_000);
  const priceTicks = Math.max(1, Math.round(moved / priceStepTicks)) * priceStepTicks;
  const commands: Command[] = [];
  for (let times = draw.between(1, 4); times > 0; times -= 1) {
    commands.push(
      order(scene, contract, one, 'open_long', minLots, priceTicks, 'gtc'),
      order(scene, contract, other, 'open_short', minLots, priceTicks, 'ioc'),
      { kind: 'tick' },
    );
  }
  return commands;
}

/** A bid for what will be liquidated when the index goes to a price: some way past it. */
export function ambush(
  scene: Scene,
  contract: Contract,
  indexTicks: number,
  sign: number,
): Command[] {
  const { draw } = scene;
  const { priceStepTicks } = contract;
  const past = indexTicks + sign * Math.round((indexTicks * draw.between(0, 20_000)) / 1_000_000);
  const priceTicks = Math.max(1, Math.round(past / priceStepTicks)) * priceStepTicks;
  const side = sign < 0 ? 'long' : 'short';
  const accountId = scene.account();
  const sizeLots = openable(scene, accountId, contract, side);
  return [order(scene, contract, accountId, OPEN[side], sizeLots, priceTicks, 'gtc')];
}

export function open(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const side = draw.of(SIDES);
  const accountId = scene.account();
  const size = draw.below(80) === 0 ? draw.of([0, contract.maxLots + 1, 10 ** 12]) : 0;
  const sizeLots = size || openable(scene, accountId, contract, side);
  const isMarket = draw.percent(30);
  const price = isMarket ? undefined : priceFor(scene, contract);
  const force = draw.of(FORCES);
  const placed = order(scene, contract, accountId, OPEN[side], sizeLots, price, force);
  return [draw.percent(25) ? withPresets(scene, contract, side, placed) : placed];
}

export function close(scene: Scene): Command[] {
  const held = aPosition(scene);
  if (held === undefined) return [];
  const { draw } = scene;
  const { margin, side, contract } = held;
  const { lots: heldLots, availableLots } = margin[side];
  const size = draw.of([heldLots, availableLots, 1 + draw.below(heldLots), heldLots + 1]);
  const price = draw.percent(40) ? undefined : priceFor(scene, contract);
  const force = draw.of(FORCES);
  return [order(scene, contract, margin.accountId, CLOSE[side], size, price, force)];
}

export function cancel(scene: Scene): Command[] {
  const found = anOrder(scene);
  if (found === undefined) return [];
  const { instrumentId } = found;
  const { draw } = scene;
  const accountId = draw.below(40) === 0 ? scene.account() : found.accountId;
  const id = draw.below(40) === 0 ? orderId(1 + draw.below(scene.view.lastId)) : found.orderId;
  return [{ kind: 'cancel_contract_order', accountId, instrumentId, orderId: id }];
}

export function move(scene: Scene): Command[] {
  const found = anOrder(scene);
  if (found?.type !== 'limit') return [];
  const { draw } = scene;
  const { accountId, instrumentId, orderId, sizeLots } = found;
  const contract = scene.view.listings.contractById(instrumentId);
  if (contract === undefined) return [];
  const price = draw.percent(40) ? found.priceTicks : priceFor(scene, contract);
  const size = draw.percent(60) ? draw.below(sizeLots + 1) : sizeLots + draw.below(sizeLots + 1);
  const to = { priceTicks: ticks(price), sizeLots: lots(size) };
  return [{ kind: 'move_contract_order', accountId, instrumentId, orderId, ...to }];
}

export function cancelAll(scene: Scene): Command[] {
  return [{ kind: 'cancel_all_contract_orders', accountId: scene.account() }];
}

export function closePosition(scene: Scene): Command[] {
  const held = aPosition(scene);
  if (held === undefined) return [];
  const { margin, side } = held;
  const { accountId, instrumentId } = margin;
  const closes = { kind: 'close_position', accountId, instrumentId, side } as const;
  return [scene.draw.percent(50) ? { ...closes, reverses: true } : closes];
}

function anOrder({ view, draw }: Scene): ContractOrderView | undefined {
  const found: ContractOrderView[] = [];
  for (const { accountId } of view.accounts()) found.push(...view.openContractOrders(accountId));
  return draw.of(found);
}

/** Everything of a contract goes off its book. */
export function emptyBook(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const commands: Command[] = [];
  const { instrumentId } = contract;
  for (const { accountId } of scene.view.accounts()) {
    for (const { orderId } of openIn(scene, accountId, instrumentId)) {
      commands.push({ kind: 'cancel_contract_order', accountId, instrumentId, orderId });
    }
  }
  return commands.slice(0, 60);
}

function openIn(
  { view }: Scene,
  accountId: AccountId,
  instrumentId: InstrumentId,
): Iterable<ContractOrderView> {
  return [...view.openContractOrders(accountId, instrumentId)];
}
