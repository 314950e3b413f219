/** What people do with pairs: orders of every kind, moves, cancels, and money to and fro. */
import {
  type Command,
  type Force,
  type InstrumentId,
  lots,
  type OpenOrderView,
  orderId,
  type SpotInstrument,
  ticks,
  type Wallet,
} from '#domain';
import type { Scene } from './scene.ts';

const FORCES: readonly [Force, ...Force[]] = [
  'gtc',
  'gtc',
  'gtc',
  'gtc',
  'post_only',
  'fok',
  'ioc',
];

export function spotLimit(scene: Scene): Command[] {
  const pair = scene.pair();
  if (pair === undefined) return [];
  const { draw } = scene;
  const side = draw.of(['buy', 'sell']);
  const priceTicks = scene.priceNear(priceOf(scene, pair));
  const accountId = scene.account();
  const { instrumentId } = pair;
  const sizeLots = sizeOf(scene, pair, affordable(scene, pair, accountId, side, priceTicks));
  const named = { clientOrderId: scene.clientId() };
  return [
    {
      kind: 'place_spot_order',
      type: 'limit',
      accountId,
      instrumentId,
      side,
      force: draw.of(FORCES),
      priceTicks: ticks(draw.below(150) === 0 ? 0 : priceTicks),
      sizeLots: lots(sizeLots),
      ...named,
    },
  ];
}

/** By size in both directions, as one interface has it, or by what to spend, as the other. */
export function spotMarket(scene: Scene): Command[] {
  const pair = scene.pair();
  if (pair === undefined) return [];
  const { draw } = scene;
  const accountId = scene.account();
  const { instrumentId } = pair;
  const facts = {
    kind: 'place_spot_order',
    type: 'market',
    accountId,
    instrumentId,
    force: 'ioc',
    clientOrderId: scene.clientId(),
  } as const;
  const price = priceOf(scene, pair);
  if (draw.percent(40)) {
    const has = availableOf(scene, accountId, pair.quote.assetId);
    return [{ ...facts, side: 'buy', quoteBudget: scene.amount(has) }];
  }
  const side = draw.of(['buy', 'sell']);
  const most = affordable(scene, pair, accountId, side, price);
  return [{ ...facts, side, sizeLots: lots(sizeOf(scene, pair, most)) }];
}

export function spotCancel(scene: Scene): Command[] {
  const order = openOrder(scene);
  const { draw } = scene;
  if (order === undefined) return [];
  const { instrumentId } = order;
  const accountId = draw.below(40) === 0 ? scene.account() : order.accountId;
  const isUnknown = draw.below(40) === 0;
  const id = isUnknown ? orderId(1 + draw.below(scene.view.lastId + 1)) : order.orderId;
  return [{ kind: 'cancel_spot_order', accountId, instrumentId, orderId: id }];
}

export function spotMove(scene: Scene): Command[] {
  const order = openOrder(scene);
  if (order?.type !== 'limit') return [];
  const { draw } = scene;
  const { accountId, instrumentId, orderId } = order;
  const pair = scene.view.listings.spotById(instrumentId);
  const price = draw.percent(40)
    ? order.priceTicks
    : scene.priceNear(pair === undefined ? order.priceTicks : priceOf(scene, pair));
  const size = draw.percent(50)
    ? Math.max(0, order.sizeLots - draw.below(order.sizeLots + 1))
    : order.sizeLots + draw.magnitude(1_000);
  return [
    {
      kind: 'move_spot_order',
      accountId,
      instrumentId,
      orderId,
      priceTicks: ticks(price),
      sizeLots: lots(size),
    },
  ];
}

export function spotCancelAll(scene: Scene): Command[] {
  return [{ kind: 'cancel_all_spot_orders', accountId: scene.account() }];
}

export function deposit(scene: Scene): Command[] {
  const { draw } = scene;
  const coin = draw.of(scene.view.listings.assets);
  if (coin === undefined) return [];
  const amount =
    draw.below(40) === 0
      ? draw.of([0n, -5n])
      : BigInt(draw.magnitude(5_000)) * 10n ** BigInt(Math.max(0, coin.scale - draw.below(5)));
  const wallet = draw.percent(60) ? 'spot' : walletName(scene);
  const { assetId } = coin;
  const command: Command = {
    kind: 'deposit',
    ...{ accountId: scene.account(), wallet, assetId, amount },
    operatorOid: scene.operatorOid(),
  };
  return sentAgain(scene, command);
}

/** An operator whose answer was lost asks once more. */
export function sentAgain({ draw }: Scene, command: Command): Command[] {
  return draw.percent(10) ? [command, command] : [command];
}

export function withdraw(scene: Scene): Command[] {
  const { draw } = scene;
  const accountId = scene.account();
  const coin = draw.of(scene.view.listings.assets);
  if (coin === undefined) return [];
  const { assetId } = coin;
  const wallet = draw.percent(50) ? 'spot' : walletName(scene);
  const available = walletAvailable(scene, accountId, wallet, assetId);
  const amount = scene.amount(available);
  const operatorOid = scene.operatorOid();
  return sentAgain(scene, { kind: 'withdraw', accountId, wallet, assetId, amount, operatorOid });
}

export function transferBetween(scene: Scene): Command[] {
  const { draw } = scene;
  const accountId = scene.account();
  const coin = draw.of(scene.view.listings.assets);
  if (coin === undefined) return [];
  const { assetId } = coin;
  const available = walletAvailable(scene, accountId, 'spot', assetId);
  const to = { toAccountId: scene.account(), amount: scene.amount(available) };
  return [{ kind: 'transfer_between_accounts', accountId, assetId, ...to }];
}

export function transfer(scene: Scene): Command[] {
  const { draw } = scene;
  const accountId = scene.account();
  const contract = scene.contract();
  const coin = draw.below(10) === 0 ? draw.of(scene.view.listings.assets) : contract?.margin;
  if (coin === undefined) return [];
  const { assetId } = coin;
  const inner = draw.percent(80)
    ? walletOfContract(scene, accountId, contract?.symbol)
    : walletName(scene);
  const [from, to]: readonly [Wallet, Wallet] = draw.percent(50)
    ? ['spot', inner]
    : [inner, 'spot'];
  const available = walletAvailable(scene, accountId, from, assetId);
  return [
    {
      kind: 'transfer',
      accountId,
      assetId,
      amount: scene.amount(available),
      from,
      to: draw.below(50) === 0 ? from : to,
      clientOid: scene.clientId(),
    },
  ];
}

/** For a moment: what its holder pays, and what it may not, with what others try. */
export function holdMoney(scene: Scene): Command[] {
  const { draw } = scene;
  const accountId = scene.account();
  const holder = draw.percent(90) ? 'cup/1' : 'cup/2';
  const hold = { kind: 'hold_money', accountId, holder } as const;
  const others = [...deposit(scene), ...withdraw(scene), ...transferBetween(scene)];
  const paid = [...deposit(scene), ...withdraw(scene)].map((command): Command => {
    const isPaid = command.kind === 'deposit' || command.kind === 'withdraw';
    return isPaid ? { ...command, accountId, holder } : command;
  });
  const end = draw.percent(90) ? [{ ...hold, isHeld: false }] : [];
  return [{ ...hold, isHeld: true }, ...others, ...paid, ...end];
}

export function setLock(scene: Scene): Command[] {
  const { draw } = scene;
  const accountId = scene.account();
  const coin = draw.of(scene.view.listings.assets);
  if (coin === undefined) return [];
  const { assetId } = coin;
  const amount = draw.percent(50) ? 0n : scene.amount(availableOf(scene, accountId, assetId));
  return [{ kind: 'set_lock', accountId, assetId, amount }];
}

/** The price people think of: the best on either side, or what the operator says. */
function priceOf(scene: Scene, { instrumentId, referencePriceTicks }: SpotInstrument): number {
  const side = scene.draw.of(['buy', 'sell']);
  const best = [...firstOf(scene.view.bookLevels(instrumentId, side))][0]?.priceTicks;
  return best ?? (referencePriceTicks > 0 ? referencePriceTicks : 5_000);
}

function* firstOf<T>(all: Iterable<T>): Generator<T> {
  for (const one of all) {
    yield one;
    return;
  }
}

function affordable(
  scene: Scene,
  pair: SpotInstrument,
  account: OpenOrderView['accountId'],
  side: 'buy' | 'sell',
  priceTicks: number,
): number {
  const coin = side === 'buy' ? pair.quote : pair.base;
  const has = availableOf(scene, account, coin.assetId);
  const each =
    side === 'buy'
      ? BigInt(Math.max(1, priceTicks)) * pair.quoteUnitsPerTickLot
      : pair.baseUnitsPerLot;
  const most = has / each;
  return Number(most > 2n ** 50n ? 2n ** 50n : most);
}

function sizeOf(scene: Scene, pair: SpotInstrument, most: number): number {
  const { draw } = scene;
  if (draw.below(100) === 0) return draw.of([0, 1, pair.maxLots + 1, Number.MAX_SAFE_INTEGER]);
  if (draw.percent(25)) return Math.min(most, pair.maxLots);
  return draw.magnitude(Math.max(1, Math.min(most, 20_000)));
}

function openOrder({ view, draw }: Scene): OpenOrderView | undefined {
  const orders: OpenOrderView[] = [];
  for (const { accountId } of view.accounts()) orders.push(...view.openOrders(accountId));
  return draw.of(orders);
}

function availableOf(
  scene: Scene,
  accountId: OpenOrderView['accountId'],
  assetId: SpotInstrument['base']['assetId'],
): bigint {
  return walletAvailable(scene, accountId, 'spot', assetId);
}

function walletAvailable(
  { view }: Scene,
  accountId: OpenOrderView['accountId'],
  wallet: Wallet,
  assetId: SpotInstrument['base']['assetId'],
): bigint {
  return view.account(accountId)?.balance(wallet, assetId)?.available ?? 0n;
}

function walletName(scene: Scene): Wallet {
  return scene.draw.percent(50) ? 'margin' : (scene.contract()?.symbol ?? 'margin');
}

function walletOfContract(
  scene: Scene,
  accountId: OpenOrderView['accountId'],
  symbol: string | undefined,
): Wallet {
  const contract = symbol === undefined ? undefined : scene.view.listings.contract(symbol);
  const id: InstrumentId | undefined = contract?.instrumentId;
  const margin = id === undefined ? undefined : scene.margin(accountId, id);
  return margin?.wallet ?? walletName(scene);
}
