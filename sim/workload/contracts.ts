/** What people do with contracts: open, hedge, close, protect, collude, and change their minds. */
import {
  type AccountId,
  type Command,
  type Contract,
  type ContractAction,
  type ContractOrderView,
  type Force,
  type HoldSide,
  type InstrumentId,
  lots,
  type MarginAccountView,
  orderId,
  type PlaceContractOrder,
  type TpSlTerms,
  type TriggerOrderView,
  ticks,
} from '#domain';
import type { Scene } from './scene.ts';

const FORCES: readonly [Force, ...Force[]] = ['gtc', 'gtc', 'gtc', 'post_only', 'fok', 'ioc'];
const SIDES: readonly [HoldSide, HoldSide] = ['long', 'short'];
const OPEN = { long: 'open_long', short: 'open_short' } as const;
const CLOSE = { long: 'close_long', short: 'close_short' } as const;

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
  return [draw.percent(25) ? protectedOrder(scene, contract, side, placed) : placed];
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

/** Many triggers close to each other: one price sets off the whole fan. */
export function triggerFan(scene: Scene): Command[] {
  const count = scene.draw.of([1, 1, 1, 3, 12]);
  const commands: Command[] = [];
  for (let made = 0; made < count; made += 1) commands.push(...trigger(scene));
  return commands;
}

function trigger(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const accountId = scene.account();
  const side = draw.of(SIDES);
  const isOpening = draw.percent(60);
  const price = draw.percent(50) ? undefined : priceFor(scene, contract);
  const execution =
    price === undefined
      ? { type: 'market' as const }
      : { type: 'limit' as const, executeTicks: ticks(price) };
  const workingPrice = draw.percent(40) ? draw.of(['last', 'mark']) : undefined;
  const direction = draw.percent(20) ? draw.of(['rise', 'fall']) : undefined;
  const sizeLots = lots(Math.max(1, Math.floor(openable(scene, accountId, contract, side) / 2)));
  const presets = isOpening && draw.percent(30) ? presetsOf(scene, contract, side, price) : {};
  return [
    {
      kind: 'place_trigger_order',
      accountId,
      instrumentId: contract.instrumentId,
      action: isOpening ? OPEN[side] : CLOSE[side],
      sizeLots,
      triggerTicks: ticks(priceFor(scene, contract)),
      clientOrderId: scene.clientId(),
      ...(workingPrice !== undefined && { workingPrice }),
      ...(direction !== undefined && { direction }),
      ...presets,
      ...execution,
    },
  ];
}

export function cancelTrigger(scene: Scene): Command[] {
  const found = aTrigger(scene);
  if (found === undefined) return [];
  const { accountId, instrumentId, orderId } = found;
  return [{ kind: 'cancel_trigger_order', accountId, instrumentId, orderId }];
}

export function protect(scene: Scene): Command[] {
  const held = aPosition(scene);
  if (held === undefined) return [];
  const { draw } = scene;
  const { margin, side, contract } = held;
  const price = draw.percent(70) ? undefined : priceFor(scene, contract);
  const execution =
    price === undefined
      ? { type: 'market' as const }
      : { type: 'limit' as const, executeTicks: ticks(price) };
  return [
    {
      kind: 'place_tp_sl',
      accountId: margin.accountId,
      instrumentId: contract.instrumentId,
      side,
      purpose: draw.of(['take_profit', 'stop_loss']),
      triggerTicks: ticks(priceFor(scene, contract)),
      workingPrice: draw.of(['last', 'mark']),
      sizeLots: lots(draw.percent(50) ? 0 : 1 + draw.below(margin[side].lots)),
      clientOrderId: scene.clientId(),
      ...execution,
    },
  ];
}

export function modify(scene: Scene): Command[] {
  const found = aTrigger(scene);
  const contract = found && scene.view.listings.contractById(found.instrumentId);
  if (found === undefined || contract === undefined) return [];
  const { accountId, instrumentId, orderId } = found;
  const triggerTicks = ticks(priceFor(scene, contract));
  return [{ kind: 'modify_tp_sl', accountId, instrumentId, orderId, triggerTicks }];
}

export function closePosition(scene: Scene): Command[] {
  const held = aPosition(scene);
  if (held === undefined) return [];
  const { margin, side } = held;
  const { accountId, instrumentId } = margin;
  return [{ kind: 'close_position', accountId, instrumentId, side }];
}

export function leverage(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const side = draw.of(['long', 'short', 'both']);
  const { instrumentId } = contract;
  const leverage = draw.of([1, 2, 3, 5, 10, 20, 25, 50, 75, 100, 101, 0]);
  return [{ kind: 'set_leverage', accountId: scene.account(), instrumentId, side, leverage }];
}

export function adjust(scene: Scene): Command[] {
  const held = aPosition(scene);
  if (held === undefined) return [];
  const { margin, side } = held;
  const { accountId, instrumentId, available } = margin;
  const isIn = scene.draw.percent(55);
  const amount = scene.amount(isIn ? available : margin[side].margin);
  return [{ kind: 'adjust_margin', accountId, instrumentId, side, delta: isIn ? amount : -amount }];
}

export function autoMargin(scene: Scene): Command[] {
  const held = aPosition(scene);
  if (held === undefined) return [];
  const { margin, side } = held;
  const { accountId, instrumentId } = margin;
  const automatic = scene.draw.percent(75);
  return [{ kind: 'set_auto_margin', accountId, instrumentId, side, automatic }];
}

export function marginMode(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const { instrumentId } = contract;
  const mode = draw.of(['isolated', 'cross']);
  const kept = draw.percent(50) ? { leverages: 'stored' as const } : {};
  return [{ kind: 'set_margin_mode', accountId: scene.account(), instrumentId, mode, ...kept }];
}

function order(
  scene: Scene,
  { instrumentId }: Contract,
  accountId: AccountId,
  action: ContractAction,
  sizeLots: number,
  priceTicks: number | undefined,
  force: Force,
): PlaceContractOrder {
  const facts = {
    kind: 'place_contract_order',
    accountId,
    instrumentId,
    action,
    force,
    sizeLots: lots(sizeLots),
    clientOrderId: scene.clientId(),
  } as const;
  return priceTicks === undefined
    ? { ...facts, type: 'market' }
    : { ...facts, type: 'limit', priceTicks: ticks(priceTicks) };
}

function protectedOrder(
  scene: Scene,
  contract: Contract,
  side: HoldSide,
  placed: PlaceContractOrder,
): PlaceContractOrder {
  return { ...placed, ...presetsOf(scene, contract, side) };
}

/** Take-profit and stop-loss around a price, most often on the right side of it. */
function presetsOf(
  scene: Scene,
  contract: Contract,
  side: HoldSide,
  around = markOf(scene, contract),
): TpSlTerms {
  const { draw } = scene;
  const away = (sign: number): number => {
    const moved = around + sign * Math.round((around * draw.between(-500, 8_000)) / 1_000_000);
    return Math.max(1, Math.round(moved / contract.priceStepTicks)) * contract.priceStepTicks;
  };
  const up = side === 'long' ? 1 : -1;
  const working = draw.percent(30) ? { takeProfitWorking: 'mark' as const } : {};
  return {
    ...(draw.percent(80) && { takeProfitTicks: ticks(away(up)) }),
    ...(draw.percent(60) && { stopLossTicks: ticks(away(-up)) }),
    ...working,
  };
}

function markOf({ view }: Scene, { instrumentId, referencePriceTicks }: Contract): number {
  return view.contractPrices(instrumentId)?.markTicks ?? referencePriceTicks;
}

function priceFor(scene: Scene, contract: Contract): number {
  return scene.priceNear(markOf(scene, contract), contract.priceStepTicks);
}

/** How much somebody would open: rarely a careful amount. */
function openable(scene: Scene, accountId: AccountId, contract: Contract, side: HoldSide): number {
  const { draw } = scene;
  const margin = scene.margin(accountId, contract.instrumentId);
  if (margin === undefined) return 1;
  const mark = BigInt(markOf(scene, contract));
  const { valueFactor, kind } = contract;
  const leverage = BigInt(margin[side].leverage);
  const worth =
    kind === 'linear'
      ? (margin.available * leverage) / (valueFactor * mark)
      : (margin.available * leverage * mark) / valueFactor;
  const most = Number(worth > 900n ? 900n : worth);
  const wished = draw.of([most, Math.floor((most * 9) / 10), 1 + draw.below(most), 1, most + 1]);
  return Math.max(1, Math.min(wished, contract.maxLots));
}

interface Held {
  readonly margin: MarginAccountView;
  readonly side: HoldSide;
  readonly contract: Contract;
}

function aPosition(scene: Scene): Held | undefined {
  const { view, draw } = scene;
  const found: Held[] = [];
  for (const contract of view.listings.contracts.values()) {
    for (const { accountId } of view.accounts()) {
      const margin = scene.margin(accountId, contract.instrumentId);
      if (margin === undefined) continue;
      for (const side of SIDES) if (margin[side].lots > 0) found.push({ margin, side, contract });
    }
  }
  return draw.of(found);
}

function anOrder({ view, draw }: Scene): ContractOrderView | undefined {
  const found: ContractOrderView[] = [];
  for (const { accountId } of view.accounts()) found.push(...view.openContractOrders(accountId));
  return draw.of(found);
}

function aTrigger({ view, draw }: Scene): TriggerOrderView | undefined {
  const found: TriggerOrderView[] = [];
  for (const { accountId } of view.accounts()) found.push(...view.waitingTriggers(accountId));
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
