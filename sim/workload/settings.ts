/** What owners set in a contract: leverages, margin that is moved, automatic margin, the mode. */
import type { Command, LeverageChange } from '#domain';
import { aPosition } from './contract-words.ts';
import type { Scene } from './scene.ts';

const LEVERAGES = [1, 2, 3, 5, 10, 20, 25, 50, 75, 100, 101, 0] as const;

export function leverage(scene: Scene): Command[] {
  const { draw } = scene;
  // Of what is held, as high as it goes, or of anything.
  const held = draw.percent(50) ? aPosition(scene) : undefined;
  const contract = held?.contract ?? scene.contract();
  if (contract === undefined) return [];
  const { instrumentId } = contract;
  const accountId = held?.margin.accountId ?? scene.account();
  const side = draw.of(['long', 'short', 'both']);
  const leverage = draw.of(held === undefined ? LEVERAGES : [20, 50, 75, 100]);
  const own = { kind: 'set_leverage', accountId, instrumentId, side, leverage } as const;
  if (draw.percent(60)) return [own];
  // All three at once, as one interface sets them; or one of the mode that the account is not in.
  const mode = draw.of(['cross', 'isolated']);
  const others: LeverageChange[] = [
    { side: 'long', mode: 'isolated', leverage: draw.of(LEVERAGES) },
    { side: 'short', mode: 'isolated', leverage: draw.of(LEVERAGES) },
  ];
  return [{ ...own, mode, ...(draw.percent(70) && { others }) }];
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
  const separated = draw.percent(20) ? { isSeparated: draw.percent(50) } : {};
  const wish = { mode, ...kept, ...separated };
  return [{ kind: 'set_margin_mode', accountId: scene.account(), instrumentId, ...wish }];
}
