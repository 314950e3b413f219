/** A contract order as the form holds it: texts that nobody has read yet, and choices. */
import {
  type ContractAction,
  closeOf,
  type Force,
  type HoldSide,
  openOf,
  sideOf as sideOfAction,
} from '#domain';
import type { SizeUnit } from '../../model/size-unit.ts';
import { NO_SIZE, type Read, type Size } from './draft.ts';

/** What a trigger can look at. */
export const PRICE_SOURCES = ['last', 'mark', 'index'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/** Where prices are, in ticks: those that are known. */
export type PricesNow = Readonly<Partial<Record<PriceSource, number>>>;

export type TriggerDirection = 'rise' | 'fall';

export interface ContractDraft {
  readonly does: 'open' | 'close';
  readonly side: HoldSide;
  readonly type: 'limit' | 'market' | 'plan';
  /** Of a limit order, and fok of a market order. */
  readonly force: Force;
  readonly price: string;
  readonly trigger: string;
  /** What a plan order places. */
  readonly executes: 'limit' | 'market';
  readonly size: Size;
  /** What a typed size counts. */
  readonly unit: SizeUnit;
  readonly takeProfit: string;
  readonly stopLoss: string;
  /** The price that its triggers look at. */
  readonly source: PriceSource;
  /** How far beyond the best price a market order may go; zero for as far as the venue lets it. */
  readonly slippagePpm: number;
}

/** A form in which nothing was typed. */
export const EMPTY_DRAFT: ContractDraft = {
  ...{ does: 'open', side: 'long', type: 'limit', force: 'gtc', executes: 'limit' },
  ...{ price: '', trigger: '', size: NO_SIZE, unit: 'contracts', takeProfit: '', stopLoss: '' },
  ...{ source: 'last', slippagePpm: 0 },
};

/** The action of a draft, and the side of the book it would take. */
export function actionOf({ does, side }: Pick<ContractDraft, 'does' | 'side'>): ContractAction {
  return does === 'open' ? openOf(side) : closeOf(side);
}

export function takingSide(draft: Pick<ContractDraft, 'does' | 'side'>): 'buy' | 'sell' {
  return sideOfAction(actionOf(draft));
}

/** The prices of a draft, read. */
export interface Prices {
  readonly price: Read;
  readonly trigger: Read;
  readonly takeProfit: Read;
  readonly stopLoss: Read;
}
