/**
 * What a seed's venue is like and what its people do. Every seed switches some kinds of commands
 * off and others up (a swarm), so that rare mixtures come up: nothing but cancels and crashes, or
 * a venue in which nobody ever closes.
 */
import { type AccountSettings, type Command, SELF_TRADE_PREVENTIONS } from '#domain';
import type { Draw } from '../world/draw.ts';
import { colluders } from './colluders.ts';
import * as contracts from './contracts.ts';
import { COINS, CONTRACTS, PAIRS, SOURCES } from './listings.ts';
import * as operator from './operator.ts';
import * as protection from './protection.ts';
import type { Scene, Temper } from './scene.ts';
import * as settings from './settings.ts';
import { shield } from './shield.ts';
import * as spot from './spot.ts';
import { squeeze } from './squeeze.ts';
import { sweep } from './sweep.ts';

/** How often each is drawn when the seed says nothing else. */
const USUAL = {
  spot_limit: 18,
  spot_market: 7,
  spot_cancel: 5,
  spot_move: 5,
  spot_cancel_all: 1,
  deposit: 3,
  withdraw: 3,
  transfer: 5,
  transfer_between: 2,
  lock: 1,
  hold: 1,
  agreed_trade: 12,
  spread: 3,
  corner: 1,
  shield: 0.3,
  colluders: 0.3,
  squeeze: 0.3,
  sweep: 0.3,
  open: 14,
  close: 9,
  contract_cancel: 4,
  contract_move: 5,
  contract_cancel_all: 1,
  guarded: 4,
  trigger_fan: 4,
  cancel_trigger: 2,
  protect: 4,
  modify: 2,
  close_position: 2,
  leverage: 3,
  adjust: 3,
  auto_margin: 3,
  margin_mode: 2,
  empty_book: 1,
  index: 9,
  crash: 2,
  tick: 6,
  work: 1,
  contract_terms: 2,
  list_more: 0.2,
  spot_terms: 1,
  coin_terms: 1,
  settings: 2,
  fund: 1,
  suspend: 0.3,
  resume: 4,
  checkpoint: 1,
  sandbox: 1,
  keys: 1,
} as const;

export type Kind = keyof typeof USUAL;

const MAKERS: Readonly<Record<Kind, (scene: Scene) => Command[]>> = {
  spot_limit: spot.spotLimit,
  spot_market: spot.spotMarket,
  spot_cancel: spot.spotCancel,
  spot_move: spot.spotMove,
  spot_cancel_all: spot.spotCancelAll,
  deposit: spot.deposit,
  withdraw: spot.withdraw,
  transfer: spot.transfer,
  transfer_between: spot.transferBetween,
  lock: spot.setLock,
  hold: spot.holdMoney,
  agreed_trade: contracts.agreedTrade,
  spread: operator.spreadAndCrash,
  corner: contracts.corner,
  shield,
  colluders,
  squeeze,
  sweep,
  open: contracts.open,
  close: contracts.close,
  contract_cancel: contracts.cancel,
  contract_move: contracts.move,
  contract_cancel_all: contracts.cancelAll,
  guarded: protection.guarded,
  trigger_fan: protection.triggerFan,
  cancel_trigger: protection.cancelTrigger,
  protect: protection.protect,
  modify: protection.modify,
  close_position: contracts.closePosition,
  leverage: settings.leverage,
  adjust: settings.adjust,
  auto_margin: settings.autoMargin,
  margin_mode: settings.marginMode,
  empty_book: contracts.emptyBook,
  index: operator.index,
  crash: operator.crash,
  tick: operator.tick,
  work: operator.work,
  contract_terms: operator.contractTerms,
  list_more: operator.listMore,
  spot_terms: operator.spotTerms,
  coin_terms: operator.coinTerms,
  settings: operator.settings,
  fund: operator.fund,
  suspend: operator.suspend,
  resume: operator.resume,
  checkpoint: operator.checkpoint,
  sandbox: operator.sandbox,
  keys: operator.keys,
};

export interface Plan {
  readonly weights: ReadonlyMap<Kind, number>;
  readonly temper: Temper;
  /** How many of a hundred draws are of pairs, beside contracts, is in the weights. */
  readonly opening: readonly Command[];
  /** Times between two commands that are drawn from. */
  readonly pausesMs: readonly number[];
  /** One crash in so many acts. */
  readonly crashEvery: number;
  /** One restart in so many commands, whatever they belong to. */
  readonly restartEvery: number;
}

export function planOf(draw: Draw): Plan {
  const weights = new Map<Kind, number>();
  const names = Object.keys(USUAL) as Kind[];
  for (const name of names) {
    const usual = USUAL[name];
    const weight = draw.percent(20) ? 0 : usual * draw.of([1, 1, 1, 2, 4]);
    if (weight > 0) weights.set(name, weight);
  }
  if (weights.size === 0) weights.set('tick', 1);
  return {
    weights,
    temper: draw.of(['mixed', 'mixed', 'bold', 'small']),
    opening: openingOf(draw),
    pausesMs: draw.of([
      [0, 1, 1, 7, 250],
      [0, 1, 1_000, 1_000, 60_000],
      [1, 1_000, 3_600_000, 8 * 3_600_000],
    ]),
    crashEvery: draw.of([40, 120, 400]),
    restartEvery: draw.of([4, 300, 300, 300, 300, 300, 300, 300]),
  };
}

export function commandsOf(kind: Kind, scene: Scene): Command[] {
  return MAKERS[kind](scene);
}

/** Listings, accounts and their first money. */
function openingOf(draw: Draw): Command[] {
  const commands: Command[] = COINS.map((spec) => ({ kind: 'list_asset', spec }));
  for (const spec of PAIRS) commands.push({ kind: 'list_spot', spec });
  const first = draw.below(CONTRACTS.length);
  CONTRACTS.forEach((spec, at) => {
    if (at !== first && !draw.percent(50)) return;
    const indexSources = draw.percent(30) ? draw.of(SOURCES) : undefined;
    commands.push({
      kind: 'list_contract',
      spec: { ...spec, ...(indexSources && { indexSources }) },
    });
  });
  const count = draw.of([2, 4, 7]);
  for (let at = 0; at < count; at += 1) {
    commands.push({ kind: 'create_account', settings: settingsOf(draw, `trader${at}`) });
  }
  return commands;
}

function settingsOf(draw: Draw, name: string): AccountSettings {
  return {
    name,
    frozen: false,
    selfTradePrevention: draw.percent(50)
      ? 'cancel_maker'
      : (draw.of(SELF_TRADE_PREVENTIONS) ?? 'none'),
    openOrdersMax: draw.of([100, 100, 4]),
    takerFeePpm: draw.percent(20) ? draw.of([0, 150, 3_000]) : null,
    makerFeePpm: draw.percent(20) ? draw.of([0, 90, 1_700]) : null,
    ...(draw.percent(85) && { wallets: draw.of(['coin', 'contract'] as const) }),
  };
}

/** The first money of every account, in the wallets it has. */
export function endowment({ draw, view, temper }: Scene): Command[] {
  const commands: Command[] = [];
  const scale = temper === 'small' ? 1n : 40n;
  for (const { accountId } of view.accounts()) {
    for (const { assetId, scale: digits } of view.listings.assets) {
      const amount = (10n ** BigInt(digits) * scale * BigInt(draw.between(1, 500))) / 40n;
      commands.push({ kind: 'deposit', accountId, wallet: 'spot', assetId, amount });
    }
    for (const {
      instrumentId,
      margin,
      referencePriceTicks,
      valueFactor,
      kind,
    } of view.listings.contracts.values()) {
      const wallet = view.marginAccount(accountId, instrumentId)?.wallet;
      if (wallet === undefined) continue;
      const mark = BigInt(referencePriceTicks);
      const lot = kind === 'linear' ? valueFactor * mark : valueFactor / mark;
      const amount = lot * BigInt(draw.of([1, 3, 10, 60]));
      const { assetId } = margin;
      commands.push({ kind: 'deposit', accountId, wallet, assetId, amount: amount + 1n });
    }
  }
  return commands;
}
