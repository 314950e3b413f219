/** What waits for a price: trigger orders, and TP/SL of orders and positions. */
import {
  type AccountId,
  type Command,
  type Contract,
  type HoldSide,
  lots,
  type PlaceContractOrder,
  type TpSlTerms,
  type TriggerOrderView,
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
import type { Scene } from './scene.ts';

/** What triggers look at. */
const PRICES = ['last', 'mark', 'index'] as const;

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
  const workingPrice = draw.percent(40) ? draw.of(PRICES) : undefined;
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
      ...(isOpening && draw.percent(20) && { intent: 'take_profit' as const }),
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
      workingPrice: draw.of(PRICES),
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
  const { draw } = scene;
  const price = ticks(priceFor(scene, contract));
  const execution = draw.of([
    undefined,
    { type: 'market' },
    { type: 'limit', executeTicks: price },
  ] as const);
  const isTpSl = found.purpose !== 'trigger' && draw.percent(50);
  const facts = {
    accountId,
    instrumentId,
    orderId,
    triggerTicks: draw.percent(75) ? ticks(priceFor(scene, contract)) : found.triggerTicks,
    ...(draw.percent(40) && { workingPrice: draw.of(PRICES) }),
    ...(execution && { execution }),
  };
  if (isTpSl) return [{ kind: 'modify_tp_sl', ...facts }];
  const sizeLots = lots(draw.below(2 * Math.max(2, found.sizeLots)));
  const hasSize = draw.percent(50);
  return [{ kind: 'modify_trigger_order', ...facts, ...(hasSize && { sizeLots }) }];
}

/** An order with presets rests and fills piece by piece; between them things happen to it. */
export function guarded(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const side = draw.of(SIDES);
  const other = side === 'long' ? 'short' : 'long';
  const [owner, partner] = [scene.account(), scene.account()];
  const price = scene.priceNear(markOf(scene, contract), contract.priceStepTicks);
  const most = openable(scene, owner, contract, side);
  const sizeLots = Math.min(contract.maxLots, Math.max(contract.minLots, 2 + draw.below(most)));
  const rests = order(scene, contract, owner, OPEN[side], sizeLots, price, 'gtc');
  const commands: Command[] = [withPresets(scene, contract, side, rests)];
  // More of them than presets may wait: what rests counts.
  for (let more = draw.of([0, 0, 0, 1, 4]); more > 0; more -= 1) {
    commands.push(withPresets(scene, contract, side, { ...rests, sizeLots: lots(1) }));
  }
  for (let pieces = draw.between(1, 4); pieces > 0; pieces -= 1) {
    const size = draw.between(1, Math.max(1, Math.floor(sizeLots / 2)));
    commands.push(order(scene, contract, partner, OPEN[other], size, price, 'ioc'));
    commands.push(...meanwhile(scene, contract, owner, partner, side));
  }
  return commands;
}

/** The owner closes what has filled, or a trade and a price set off what protects it. */
function meanwhile(
  scene: Scene,
  contract: Contract,
  owner: AccountId,
  partner: AccountId,
  side: HoldSide,
): Command[] {
  const { draw } = scene;
  const { instrumentId, priceStepTicks } = contract;
  if (draw.percent(60)) return [];
  if (draw.percent(30)) return [{ kind: 'close_position', accountId: owner, instrumentId, side }];
  const far = Math.round((markOf(scene, contract) * draw.between(-9_000, 9_000)) / 1_000_000);
  const moved = Math.max(1, Math.round((markOf(scene, contract) + far) / priceStepTicks));
  const priceTicks = moved * priceStepTicks;
  if (draw.percent(40)) {
    return [{ kind: 'report_index', instrumentId, source: 'feed', priceTicks: ticks(priceTicks) }];
  }
  const { minLots } = contract;
  return [
    order(scene, contract, partner, 'open_long', minLots, priceTicks, 'gtc'),
    order(scene, contract, scene.account(), 'open_short', minLots, priceTicks, 'ioc'),
  ];
}

/** An order with a take-profit, a stop-loss or both. */
export function withPresets(
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
  const working = draw.percent(30)
    ? { takeProfitWorking: draw.of(['mark', 'index'] as const) }
    : {};
  return {
    ...(draw.percent(80) && { takeProfitTicks: ticks(away(up)) }),
    ...(draw.percent(60) && { stopLossTicks: ticks(away(-up)) }),
    ...working,
  };
}

function aTrigger({ view, draw }: Scene): TriggerOrderView | undefined {
  const found: TriggerOrderView[] = [];
  for (const { accountId } of view.accounts()) found.push(...view.waitingTriggers(accountId));
  return draw.of(found);
}
